/** The demo with a model behind an OpenAI-compatible endpoint, which may fail or talk nonsense. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Demo, desktop, phone } from "./support/demo.mjs";
import { breakingOff, chats, endpoint, failing, nonsense, saying, withEndpoint } from "./support/endpoint.mjs";

const KEY = "sk-test-1234567890";
/** Browsers report failed requests on the console by themselves. */
const failedRequest = /^console: Failed to load resource/;

let demo;
before(async () => { demo = await Demo.start(); });
after(() => demo?.close());

const connect = (user) => user.connect(endpoint, KEY);

test("the model replies with what is recalled, and the settings survive a reload", () => withEndpoint(async () => {
  const user = await demo.open();
  await user.say("I live in Lisbon.");
  await connect(user);
  endpoint.chat = saying("Try the grilled sardines by the river.");
  const reply = await user.say("What should I eat in Lisbon tonight?");
  await user.sees(reply, "Try the grilled sardines by the river.");
  await user.sees(reply, "test-model at 127.0.0.1");
  const [asked] = chats();
  assert.equal(asked.path, "/v1/chat/completions");
  assert.equal(asked.authorization, `Bearer ${KEY}`);
  assert.equal(asked.model, "test-model");
  assert.match(asked.messages[0].content, /Lisbon/);
  assert.deepEqual(asked.messages.at(-1), { role: "user", content: "What should I eat in Lisbon tonight?" });

  await user.reload();
  await user.sees(user.page.getByTestId("model-note"), "test-model at 127.0.0.1");
  await user.sees(user.replies, "grilled sardines");
  await user.sees(await user.say("Anything else?"), "sardines");
  assert.equal(chats().at(-1).messages.some(({ content }) => content.includes("grilled sardines")), true);
  await user.more("status");
  await user.sees(user.page.getByTestId("status"), /Model calls\s*[1-9]/);
  await user.leave();
}));

test("what the model reads in a message is remembered, with its quote", () => withEndpoint(async () => {
  const user = await demo.open();
  await connect(user);
  const quote = "my cello and I";
  endpoint.extraction = saying(JSON.stringify({
    facts: [{ action: "add", target: null, text: "The user plays the cello.", category: "preference", significance: 7, message: 1, quote, since: null }],
    profile: [{ schema: "user-profile", field: "likes", value: ["playing the cello"], context: "The user plays the cello.", message: 1, quote }],
  }));
  await user.say("Last night it was just my cello and I.");
  await user.sees(user.value("likes"), "playing the cello");
  await user.sees(user.page.getByTestId("message-user").locator("mark"), quote);
  await user.tab("facts");
  await user.sees(user.facts, "The user plays the cello.");
  await user.sees(user.facts, "Learned by the model");
  await user.leave();
}));

/** What a model answers that found one fact in the first message. */
const found = (text, quote) => saying(JSON.stringify({
  facts: [{ action: "add", target: null, text, category: "preference", significance: 7, message: 1, quote, since: null }],
  profile: [], entities: [], relations: [],
}));

test("people and things that the model reads in a message can be walked through, back to the words", () => withEndpoint(async () => {
  const user = await demo.open();
  await connect(user);
  const said = (quote) => ({ message: 1, quote });
  endpoint.extraction = saying(JSON.stringify({
    facts: [], profile: [],
    entities: [
      { name: "Mina", type: "person", observations: ["Mina restores violins."], same_as: null, ...said("Mina") },
      { name: "Cremona", type: "place", observations: [], same_as: null, ...said("Cremona") },
    ],
    relations: [{ from: "Mina", to: "Cremona", relation: "works_in", ended: false, since: null, ...said("works in Cremona") }],
  }));
  await user.say("My friend Mina works in Cremona, where she restores violins.");
  await user.tab("graph");
  await user.page.getByTestId("entity").getByRole("button", { name: "Mina" }).click();
  const connection = user.page.getByTestId("connection");
  await user.sees(connection, /Mina\s+works in\s+Cremona/);
  await user.sees(connection.locator("mark"), "works in Cremona");
  await connection.getByTestId("show-source").click();
  await user.page.locator("[data-testid=message-user]:focus").waitFor();
  await user.leave();
}));

test("what was learned is told with its cost, and can be undone", () => withEndpoint(async () => {
  const user = await demo.open();
  await connect(user);
  endpoint.extraction = found("The user plays the cello.", "my cello");
  await user.say("It was just my cello and I.");
  const toast = user.page.getByTestId("toast");
  await user.sees(toast, /Learned 1 thing \(1 call, [\d,]+ tokens in, [\d,]+ out\)/);
  // It does not lie over what the next thing is said with, as long as it is shown, which is 12 s.
  for (const { viewport } of [phone, desktop]) {
    await user.page.setViewportSize(viewport);
    await user.page.getByRole("button", { name: "Send" }).click({ trial: true, timeout: 10_000 });
  }
  await user.tab("facts");
  await user.sees(user.facts, "cello");
  await toast.getByRole("button", { name: "Undo" }).click();
  await user.facts.first().waitFor({ state: "detached" });
  await user.more("status");
  await user.sees(user.page.getByTestId("status"), /For learning from messages\s*1 call, [\d,]+ tokens in/);
  await user.leave();
}));

/** Has the demo ask before it remembers. */
async function askBefore(page) {
  await page.getByTestId("open-settings").click();
  await page.getByTestId("setting-review").check();
  await page.getByTestId("save-settings").click();
  await page.getByTestId("settings-dialog").waitFor({ state: "hidden" });
}

test("asked before it remembers: what is accepted is remembered, what is rejected is not", () => withEndpoint(async () => {
  const user = await demo.open();
  const { page } = user;
  await askBefore(page);
  await connect(user);
  const waiting = page.getByTestId("proposal");
  endpoint.extraction = found("The user plays the cello.", "my cello");
  await user.say("It was just my cello and I.");
  await user.sees(page.getByTestId("waiting"), "1 thing to review");
  await page.getByTestId("waiting").click();
  await user.sees(waiting, "The user plays the cello.");
  await user.sees(waiting.locator("mark"), "my cello");
  assert.equal(await user.facts.count(), 0);
  await waiting.getByTestId("accept").click();
  await waiting.waitFor({ state: "detached" });
  await user.tab("facts");
  await user.sees(user.facts, "The user plays the cello.");

  endpoint.extraction = found("The user hates cheese.", "cheese");
  await user.say("No cheese for me.");
  await page.getByTestId("waiting").click();
  await waiting.getByTestId("reject").click();
  await waiting.waitFor({ state: "detached" });
  assert.equal(await page.getByTestId("waiting").isVisible(), false);
  await user.tab("facts");
  await user.sees(user.facts, "The user plays the cello.");
  assert.equal(await user.facts.count(), 1);
  await user.reload();
  await page.getByTestId("open-settings").click();
  assert.equal(await page.getByTestId("setting-review").isChecked(), true);
  await user.leave();
}));

test("everything that waits is accepted at once", () => withEndpoint(async () => {
  const user = await demo.open();
  const { page } = user;
  await askBefore(page);
  await user.sees(await user.say("My name is Alice."), "It waits for you");
  await user.say("I live in Lisbon.");
  await user.sees(page.getByTestId("waiting"), /\d things to review/);
  await page.getByTestId("waiting").click();
  await page.getByTestId("accept-all").click();
  await page.getByTestId("proposal").first().waitFor({ state: "detached" });
  await user.tab("profile");
  await user.sees(user.value("name"), "Alice");
  await user.sees(user.value("place"), "Lisbon");
  await user.leave();
}));

test("instructions are revised from feedback, and followed in the next reply", () => withEndpoint(async () => {
  const user = await demo.open();
  await connect(user);
  await user.say("Tell me about the sea.");
  await user.more("instructions");
  await user.page.getByTestId("revise").click();
  await user.sees(user.page.getByTestId("revise-note"), "Write something first.");
  endpoint.extraction = saying(JSON.stringify({ text: "Answer in one short sentence.", why: "The user asked for shorter answers." }));
  await user.page.getByTestId("revise-words").fill("Shorter, please.");
  await user.page.getByTestId("revise").click();
  const instruction = user.page.getByTestId("instruction");
  await user.sees(instruction, /Answer in one short sentence\..*asked for shorter answers/s);
  endpoint.extraction = null;
  await user.say("And about the wind?");
  assert.match(chats().at(-1).messages[0].content, /Answer in one short sentence/);

  endpoint.extraction = failing(500, "no revision today");
  await user.page.getByTestId("revise-words").fill("Longer, please.");
  await user.page.getByTestId("revise").click();
  await user.sees(user.page.getByTestId("revise-note"), "no revision today");
  assert.equal(await user.page.getByTestId("revise-words").inputValue(), "Longer, please.");
  await user.leave([failedRequest]);
}));

test("an example is learned from the conversation, or none is", () => withEndpoint(async () => {
  const user = await demo.open();
  await connect(user);
  await user.say("The soup is too salty. What now?");
  await user.say("The potato helped, thank you.");
  await user.more("episodes");
  endpoint.extraction = saying(JSON.stringify({ episode: null }));
  await user.page.getByTestId("learn-episode").click();
  await user.sees(user.page.getByTestId("toast"), "holds no example worth keeping");
  endpoint.extraction = saying(JSON.stringify({
    episode: { situation: "The soup was too salty.", approach: "A potato was boiled in it.", outcome: "The user said that it helped.", messages: [1, 3] },
  }));
  await user.page.getByTestId("learn-episode").click();
  await user.sees(user.page.getByTestId("episode"), "A potato was boiled in it.");
  await user.leave();
}));

test("a key is kept in this browser only: not in the memory, not on the page", () => withEndpoint(async () => {
  const user = await demo.open();
  await connect(user);
  await user.say("Hello there");
  const kept = await user.page.evaluate(() => Object.entries({ ...localStorage }).filter(([, value]) => value.includes("sk-test")).map(([key]) => key));
  assert.deepEqual(kept, ["mnemic-demo-settings"]);
  assert.equal((await user.page.locator("body").innerText()).includes(KEY), false);
  assert.equal(endpoint.requests.some(({ messages }) => JSON.stringify(messages).includes(KEY)), false);
  await user.leave();
}));

for (const [what, answer, told] of [
  ["a failure", failing(500, "out of order"), /The endpoint failed \(500\).*out of order/],
  ["a refused key", failing(401, "bad key"), /refused the key \(401\)/],
  ["nonsense", nonsense, /not a chat completion/],
  ["a connection that breaks off", breakingOff("Here I "), /broke off in the middle of the reply/],
]) {
  test(`${what} is told in the chat, and Try again goes on from there`, () => withEndpoint(async () => {
    const user = await demo.open();
    await connect(user);
    endpoint.chat = answer;
    await user.composer.fill("Are you there?");
    await user.composer.press("Enter");
    const trouble = user.page.getByTestId("trouble");
    await user.sees(trouble, told);
    endpoint.chat = saying("Here I am.");
    await user.page.getByTestId("retry").click();
    await user.sees(user.replies, "Here I am.");
    assert.equal(await trouble.isVisible(), false);
    assert.equal(await user.page.getByTestId("message-user").count(), 1);
    await user.leave([failedRequest]);
  }));
}

test("messages that could not be read are kept, and the reason is told", () => withEndpoint(async () => {
  const user = await demo.open();
  await connect(user);
  endpoint.extraction = failing(500, "no extraction today");
  await user.say("I live in Lisbon.");
  await user.more("status");
  await user.sees(user.page.getByTestId("reading-failure"), "no extraction today");
  await user.sees(user.page.getByTestId("status"), /Waiting in the background\s*[1-9]/);
  await user.leave([failedRequest]);
}));

test("an address that nobody answers is told, and settings that cannot work are refused", () => withEndpoint(async () => {
  const user = await demo.open();
  const { page } = user;
  await page.getByTestId("open-settings").click();
  await page.getByTestId("kind-endpoint").check();
  await page.getByTestId("setting-url").fill("not an address");
  await page.getByTestId("save-settings").click();
  await user.sees(page.locator("#url-problem"), "http://");
  assert.equal(await page.getByTestId("setting-url").evaluate((input) => input === focused()), true);
  const { url } = endpoint;
  await endpoint.close();
  user.allowed.push(url);
  await page.getByTestId("setting-url").fill(url);
  await page.getByTestId("setting-model").fill("test-model");
  await page.getByTestId("test-endpoint").click();
  await user.sees(page.getByTestId("settings-outcome"), "Could not reach");
  await page.keyboard.press("Escape");
  await user.sees(page.getByTestId("model-note"), "No model connected");
  await user.leave([failedRequest]);
}));
