/** The demo as its users meet it: no model connected, everything kept in this browser. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Demo, desktop } from "./support/demo.mjs";

let demo;
before(async () => { demo = await Demo.start(); });
after(() => demo?.close());

test("the first message is remembered, marked, and shown with the words it came from", async () => {
  const user = await demo.open();
  await user.page.getByTestId("example").first().click();
  await user.sees(user.replies, "Lisbon");
  await user.sees(user.value("name"), "Alice");
  await user.sees(user.value("place"), "Lisbon");
  await user.sees(user.field("place").locator("mark"), "Lisbon");
  const said = user.page.getByTestId("message-user");
  await user.sees(said.locator("mark"), "Lisbon");
  await user.sees(said.getByTestId("keepsake"), "Lisbon");
  await user.tab("facts");
  await user.sees(user.facts, "Lisbon");
  await user.sees(user.page.getByTestId("model-note"), "I am not a language model");
  await user.leave();
});

test("reload keeps the chat, the profile and the facts", async () => {
  const user = await demo.open();
  await user.say("My name is Alice and I live in Lisbon.");
  await user.sees(user.value("place"), "Lisbon");
  await user.tab("facts");
  await user.sees(user.facts, "Lisbon");
  const facts = await user.facts.getByTestId("value").allTextContents();
  await user.reload();
  await user.sees(user.page.getByTestId("message-user"), "My name is Alice");
  assert.equal(await user.replies.count(), 1);
  await user.sees(user.value("name"), "Alice");
  await user.tab("facts");
  await user.sees(user.facts, "Lisbon");
  assert.deepEqual(await user.facts.getByTestId("value").allTextContents(), facts);
  await user.leave();
});

test("a field keeps its history, and an earlier value can be brought back", async () => {
  const user = await demo.open();
  await user.say("I live in Lisbon.");
  await user.say("I moved to Porto.");
  await user.sees(user.value("place"), "Porto");
  const history = user.field("place").getByTestId("history");
  await history.locator("summary").click();
  const revisions = history.getByTestId("revisions").locator(":scope > li");
  await user.sees(revisions.nth(1), "Lisbon");
  assert.equal(await revisions.count(), 2);
  await user.sees(revisions.nth(0), "Learned from a message");
  await revisions.nth(1).getByRole("button", { name: "Restore this" }).click();
  await user.sees(user.value("place"), "Lisbon");
  await user.page.getByTestId("toast").getByRole("button", { name: "Undo" }).click();
  await user.sees(user.value("place"), "Porto");
  await user.leave();
});

test("the way back from a memory to its message crosses chats", async () => {
  const user = await demo.open();
  await user.say("I live in Lisbon.");
  await user.page.getByTestId("new-chat").click();
  await user.page.getByTestId("welcome").waitFor();
  await user.sees(await user.say("Where do I live?"), "Lisbon");
  await user.field("place").getByTestId("show-source").click();
  const source = user.page.locator("[data-testid=message-user]:focus");
  await user.sees(source, "I live in Lisbon.");
  await user.page.goBack();
  await user.sees(user.page.getByTestId("message-user"), "Where do I live?");
  assert.equal(await user.page.getByTestId("threads").locator("li").count(), 2);
  await user.leave();
});

test("what is deleted is gone, and Undo brings it back", async () => {
  const user = await demo.open();
  await user.say("I live in Lisbon and I love spicy food.");
  await user.tab("facts");
  const fact = user.facts.filter({ hasText: "spicy" });
  await fact.first().waitFor();
  await fact.getByTestId("delete-fact").click();
  await fact.waitFor({ state: "detached" });
  await user.page.getByTestId("toast").getByRole("button", { name: "Undo" }).click();
  await fact.waitFor();
  await user.tab("profile");
  await user.page.getByRole("button", { name: "Delete Home" }).click();
  await user.sees(user.field("place"), "Not known yet");
  await user.reload();
  await user.sees(user.field("place"), "Not known yet");
  await user.leave();
});

test("a field is edited in place, and a value that does not fit is refused with the reason", async () => {
  const user = await demo.open();
  await user.say("My name is Alice.");
  await user.sees(user.value("name"), "Alice");
  await user.page.getByRole("button", { name: "Edit Name" }).click();
  const control = user.field("name").getByTestId("value-control");
  await control.fill("A".repeat(201));
  await control.press("Enter");
  const problem = user.field("name").getByRole("alert");
  await user.sees(problem, /\S/);
  await control.fill("Alicia");
  await control.press("Enter");
  await user.sees(user.value("name"), "Alicia");
  await user.page.getByRole("button", { name: "Add Goals" }).click();
  await user.field("goals").getByTestId("value-control").fill("run a marathon\nlearn Greek");
  await user.field("goals").getByRole("button", { name: "Save" }).click();
  await user.sees(user.value("goals"), "learn Greek");
  assert.equal(await user.value("goals").locator("li").count(), 2);
  await user.leave();
});

/** Facts and messages were sorted by relevance, and shown by scores of two searches, which do not compare. */
test("search shows how relevant each result is, with its score and terms, and a reply what was recalled for it", async () => {
  const user = await demo.open();
  await user.say("I live in Lisbon and I love spicy food.");
  await user.say("Is the food at the market any good?");
  await user.tab("search");
  await user.page.getByTestId("search").fill("spicy food");
  const first = user.page.getByTestId("result").first();
  await user.sees(first, "spicy");
  await user.sees(first.getByTestId("scores"), /Relevance .*score.*words.*meaning/s);
  const shown = user.page.getByTestId("results").getByTestId("scores");
  const numbers = (await shown.locator(".score-number").allTextContents()).map((text) => Number(text.replace("Relevance ", "")));
  const shares = await shown.locator(".score-bar").evaluateAll((bars) => bars.map((bar) => Number(bar.style.getPropertyValue("--share"))));
  assert.ok(numbers.length >= 3, numbers.join());
  for (const values of [numbers, shares]) assert.deepEqual(values, values.toSorted((one, other) => other - one));
  assert.ok(numbers.every((number, place) => Math.abs(number - shares[place]) < 0.01), `${numbers} ${shares}`);
  const reply = await user.say("What food do I like?");
  await user.sees(reply, "spicy");
  await reply.getByTestId("recalled").locator("summary").click();
  await user.sees(reply.getByTestId("scores"), /Relevance/);
  await user.leave();
});

test("a question gets what belongs to it, the user's own words, or a plain no", async () => {
  const user = await demo.open();
  await user.say("I live in Lisbon and I'm allergic to peanuts.");
  await user.say("My neighbour Ana sails every weekend.");
  const allergies = await user.say("What am I allergic to?");
  await user.sees(allergies, "peanuts");
  assert.doesNotMatch(await allergies.locator(".words").textContent(), /Lisbon/);
  await user.sees(await user.say("Who is Ana?"), "“My neighbour Ana sails every weekend.”");
  const unknown = await user.say("How tall is the Eiffel tower?");
  await user.sees(unknown, "I have nothing on that");
  assert.equal(await unknown.getByTestId("recalled").count(), 0);
  await user.sees(await user.say("Pickle died."), "Saved");
  await user.sees(await user.say("What's my blood type?"), "I have nothing on that");
  await user.sees(await user.say("What a lovely day it was."), "Saved");
  await user.leave();
});

test("of a list, a message is credited with what it added", async () => {
  const user = await demo.open();
  await user.say("I love tea.");
  const reply = await user.say("I love coffee.");
  assert.match(await reply.locator(".words").textContent(), /Likes: coffee$/);
  await user.sees(user.value("likes"), /tea.*coffee/s);
  assert.deepEqual(await user.page.getByTestId("keepsake").last().textContent(), "Likes: coffee");
  await user.leave();
});

test("a dislike is answered as one, and takes nothing from what is liked but its own", async () => {
  const user = await demo.open();
  for (const text of ["I love spicy food.", "저는 매운 음식을 좋아해요.", "私は猫が好きです。"]) await user.say(text);
  const reply = await user.say("I hate spicy food");
  assert.equal(await reply.locator(".words").textContent(), "I'll remember that:\n• Dislikes: spicy food");
  await user.page.getByTestId("message-user").last().getByTestId("keepsake").first().waitFor();
  assert.deepEqual(await user.page.getByTestId("message-user").last().getByTestId("keepsake").allTextContents(), ["Dislikes: spicy food"]);
  await user.sees(user.value("dislikes"), "spicy food");
  assert.equal(await user.value("likes").textContent(), "매운 음식猫");
  assert.equal(await user.field("likes").getByText("I hate").count(), 0);
  for (const question of ["What do I hate?", "What don't I like?", "What do I not like?", "Do I dislike anything?"]) {
    const answer = await (await user.say(question)).locator(".words").textContent();
    assert.match(answer, /Dislikes: spicy food/, question);
    assert.doesNotMatch(answer, /^• Likes/m, question);
  }
  const both = await (await user.say("What do I like and dislike?")).locator(".words").textContent();
  assert.match(both, /^• Likes.*^• Dislikes/ms);
  await user.leave();
});

test("a browser that keeps nothing is told so, and can chat all the same", async () => {
  const user = await demo.open({
    ...desktop,
    before: () => {
      const denied = { get() { throw new DOMException("denied", "SecurityError"); } };
      Object.defineProperty(window, "indexedDB", denied);
      Object.defineProperty(window, "localStorage", denied);
    },
  });
  await user.sees(user.page.getByRole("alert"), "The memory could not be opened");
  await user.page.getByTestId("unkept").click();
  await user.say("My name is Alice.");
  await user.sees(user.value("name"), "Alice");
  await user.sees(user.page.getByTestId("model-note"), "gone after a reload");
  await user.more("status");
  await user.sees(user.page.getByTestId("status"), "This tab only");
  await user.leave();
});

test("Korean and Japanese are understood and answered in their own words", async () => {
  const user = await demo.open();
  await user.page.getByTestId("example").nth(1).click();
  await user.sees(user.replies, "서울");
  await user.sees(user.value("place"), "서울");
  await user.sees(await user.say("내가 어디에 살지?"), "서울");
  await user.sees(await user.say("私は東京に住んでいます。猫が好きです。"), "東京");
  await user.sees(user.value("place"), "東京");
  await user.sees(await user.say("私について何を覚えていますか？"), "猫");
  await user.leave();
});

test("whatever is written stays text", async () => {
  const user = await demo.open();
  const hostile = "<img src=x onerror=alert(1)><script>alert(2)</script> My name is <b>Bob</b> {{7*7}}";
  await user.say(hostile);
  await user.say("مرحبا، أنا من القاهرة");
  const words = user.page.locator("[data-testid=message-user] .words");
  assert.equal(await words.first().textContent(), hostile);
  assert.equal(await user.page.locator("main img, main script, main b").count(), 0);
  assert.equal(await words.nth(1).evaluate((element) => getComputedStyle(element).direction), "rtl");
  await user.say("x".repeat(5000));
  assert.equal(await user.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
  await user.leave();
});

test("two tabs of one browser show the same memory", async () => {
  const user = await demo.open();
  const other = await user.page.context().newPage();
  await other.goto(user.page.url());
  await other.getByTestId("composer").waitFor();
  await user.say("My name is Alice.");
  await other.getByTestId("field-name").getByTestId("value").filter({ hasText: "Alice" }).waitFor();
  await user.leave();
});

test("the memory verifies itself and says where it is kept", async () => {
  const user = await demo.open();
  await user.say("My name is Alice.");
  await user.more("status");
  await user.sees(user.page.getByTestId("status"), "IndexedDB");
  await user.sees(user.page.getByTestId("status"), "Built-in rules");
  await user.page.getByTestId("verify").click();
  await user.sees(user.page.getByTestId("verdict"), "No damage found");
  await user.leave();
});

test("the theme goes round, and is kept", async () => {
  const user = await demo.open({ ...desktop, colorScheme: "light" });
  const background = () => user.page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await background();
  const button = user.page.getByTestId("theme");
  await button.click();
  assert.equal(await background(), light);
  await button.click();
  const dark = await background();
  assert.notEqual(dark, light);
  await user.reload();
  assert.equal(await background(), dark);
  assert.equal(await button.getAttribute("aria-label"), "Theme: dark");
  await user.leave();
});
