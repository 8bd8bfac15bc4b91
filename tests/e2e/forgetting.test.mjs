/** Forgetting and deleting, as a person does it in the demo. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Demo } from "./support/demo.mjs";
import { choicesOf, dialogOf, onPage, sayYes, settled } from "./support/privacy.mjs";
import { placesOf } from "./support/stored.mjs";

let demo;
before(async () => { demo = await Demo.start(); });
after(() => demo?.close());

test("a fact is forgotten with its words, its field and the replies that told it; a receipt stays", async () => {
  const user = await demo.open();
  const { page } = user;
  await user.say("I love xylophones.");
  await user.say("What do I love?");
  await settled(user);
  assert.ok((await placesOf(page, "xylophone")).length > 0, "the scan finds what is there");
  await user.tab("facts");
  await page.getByTestId("forget-fact").click();
  await user.sees(dialogOf(user), "Deleting hides a thing from the assistant and can be undone. Forgetting removes it for good");
  await user.sees(page.getByTestId("forget-along"), "The user likes xylophones.");
  await user.sees(page.getByTestId("forget-state"), /Would go: 3 messages, 1 profile field, 1 fact/);
  assert.deepEqual(await page.getByTestId("forget-choice").evaluateAll((boxes) => boxes.map(({ checked }) => checked)), [true, true, true, true]);
  await page.getByTestId("forget-confirm").click();
  await user.sees(page.getByTestId("receipt"), /3 messages, 1 profile field, 1 fact.*Undo cannot bring it back/s);
  assert.equal(await page.evaluate(() => focused().textContent), "Done");
  await page.keyboard.press("Enter");
  await dialogOf(user).waitFor({ state: "hidden" });
  await user.facts.waitFor({ state: "detached" });
  await page.waitForFunction(() => !wholePage().toLowerCase().includes("xylophone"));
  assert.deepEqual(await placesOf(page, "xylophone"), []);

  await page.getByTestId("undo-last").click();
  await user.sees(page.getByTestId("toast"), "There is nothing to undo.");
  await user.reload();
  await user.privacy("forget");
  await user.sees(page.getByTestId("receipt-row"), /3 messages, 1 profile field, 1 fact.*Undo cannot bring it back/s);
  assert.deepEqual(await placesOf(page, "xylophone"), []);
  await user.leave();
});

test("a dialog that is opened again before the browser tells of its closing is not ended by that", async () => {
  const user = await demo.open();
  const { page } = user;
  await user.say("I love xylophones.");
  await user.tab("facts");
  await page.getByTestId("forget-fact").click();
  await user.sees(page.getByTestId("forget-state"), "Would go");
  // Browsers tell of it with their next frame, which a busy device shows late.
  await page.evaluate(() => {
    const { shadowRoot } = document.querySelector("mnemic-panel");
    shadowRoot.querySelector("[data-testid=forget-dialog]").close();
    shadowRoot.querySelector("[data-testid=forget-fact]").click();
  });
  await user.sees(page.getByTestId("forget-state"), "Would go");
  await page.getByTestId("forget-confirm").click();
  await page.getByTestId("receipt").waitFor();
  await page.keyboard.press("Enter");
  await dialogOf(user).waitFor({ state: "hidden" });
  await page.waitForFunction(() => focused()?.dataset.testid === "facts");
  await user.leave();
});

test("nothing is forgotten without a yes, and what is not chosen stays", async () => {
  const user = await demo.open();
  const { page } = user;
  await user.say("I love xylophones.");
  await user.tab("facts");
  await page.getByTestId("forget-fact").click();
  await user.sees(page.getByTestId("forget-state"), "Would go");
  await page.getByTestId("forget-cancel").click();
  await dialogOf(user).waitFor({ state: "hidden" });
  await user.sees(user.facts, "xylophones");
  assert.match(await page.evaluate(() => focused().getAttribute("aria-label")), /^Forget The user likes xylophones/);

  await page.getByTestId("forget-fact").click();
  await user.sees(page.getByTestId("forget-state"), /1 profile field/);
  await choicesOf(user).filter({ hasText: "I love xylophones." }).getByRole("checkbox").uncheck();
  await user.sees(page.getByTestId("forget-state"), "Would go: 1 message, 1 profile field, 1 fact");
  await sayYes(user);
  await user.facts.waitFor({ state: "detached" });
  // The message stays to be read, but is told no more.
  const message = page.getByTestId("message-user");
  await user.sees(message.locator("s"), "I love xylophones.");
  await user.sees(message.getByTestId("withheld"), "the assistant is no longer told it");
  await user.leave();
});

test("a message that says more than the fact is left for the user to choose", async () => {
  const user = await demo.open();
  const { page } = user;
  await user.say("My name is Alice. I love xylophones.");
  await user.tab("facts");
  await user.facts.filter({ hasText: "xylophones" }).getByTestId("forget-fact").click();
  const message = choicesOf(user).filter({ hasText: "says more than this" });
  assert.equal(await message.getByRole("checkbox").isChecked(), false);
  await sayYes(user);
  await user.sees(user.facts, "Alice");
  assert.equal(await user.facts.count(), 1);
  await user.tab("profile");
  await user.sees(user.value("name"), "Alice");
  await user.sees(user.field("likes"), "Not known yet");
  await user.leave();
});

test("a message, then a chat, are forgotten from where they stand", async () => {
  const user = await demo.open();
  const { page } = user;
  await user.say("My name is Alice.");
  await user.say("I love xylophones.");
  await page.getByTestId("message-user").filter({ hasText: "xylophones" }).getByTestId("forget-message").click();
  await user.sees(dialogOf(user), "Forget this?");
  await user.sees(page.getByTestId("forget-state"), /Would go: 2 messages, 1 profile field, 1 fact/);
  await sayYes(user);
  await page.getByTestId("message-user").filter({ hasText: "xylophones" }).waitFor({ state: "detached" });
  assert.equal(await onPage(user, "xylophone"), false);
  assert.deepEqual(await placesOf(page, "xylophone"), []);
  await user.sees(page.getByTestId("message-user"), "My name is Alice.");

  await page.getByRole("button", { name: "Forget the chat “My name is Alice.”" }).click();
  await user.sees(dialogOf(user), "Forget this chat?");
  await user.sees(page.getByTestId("forget-along"), "Name: Alice");
  await sayYes(user);
  await page.getByTestId("welcome").waitFor();
  await user.sees(user.field("name"), "Not known yet");
  assert.equal(await page.getByTestId("forget-chat").count(), 0);
  assert.deepEqual(await placesOf(page, "Alice"), []);
  await user.leave();
});

test("everything about a word is looked for, chosen and forgotten; what is only alike stays unless it is chosen", async () => {
  const user = await demo.open();
  const { page } = user;
  await user.say("Dr. Weber says my knee is fine.");
  await user.say("I like Weber's garden.");
  await user.say("My knee hurts on Sundays.");
  await user.privacy("forget");
  await page.getByTestId("forget-words").fill("Nobody at all");
  await page.getByTestId("forget-about").click();
  await user.sees(page.getByTestId("forget-state"), /Nothing (found|is chosen)/);
  assert.equal(await page.getByTestId("forget-confirm").isDisabled(), true);
  await page.getByTestId("forget-cancel").click();
  await page.getByTestId("forget-words").fill("weber");
  await page.getByTestId("forget-about").click();
  await user.sees(dialogOf(user), "Forget everything about “weber”?");
  await user.sees(choicesOf(user), "Dr. Weber says my knee is fine.");
  await sayYes(user);
  await page.waitForFunction(() => !document.querySelector(".transcript").textContent.includes("Weber"));
  assert.deepEqual(await placesOf(page, "weber"), []);
  await user.sees(page.getByTestId("message-user"), "My knee hurts on Sundays.");
  assert.equal(await page.getByTestId("receipt-row").count(), 1);

  await user.tab("search");
  await page.getByTestId("search").fill("knee");
  await page.getByTestId("forget-found").click();
  await user.sees(choicesOf(user), "My knee hurts on Sundays.");
  await sayYes(user);
  assert.deepEqual(await placesOf(page, "knee hurts"), []);
  await user.leave();
});

test("someone in the graph, a document and a block are forgotten where they stand", async () => {
  const user = await demo.open();
  const { page } = user;
  const documents = JSON.stringify({ items: [{ namespace: ["notes"], key: "band", value: { text: "The xylophone is out of tune." }, created_at: "2026-03-01T10:00:00+00:00", updated_at: "2026-03-01T10:00:00+00:00" }] });
  const graph = [
    { type: "entity", name: "Ana", entityType: "person", observations: ["plays the xylophone"] },
    { type: "entity", name: "Orchestra", entityType: "group", observations: [] },
    { type: "relation", from: "Ana", to: "Orchestra", relationType: "plays in" },
  ].map((line) => JSON.stringify(line)).join("\n");
  for (const [name, content] of Object.entries({ "memory.jsonl": graph, "documents.json": documents })) {
    await user.more("import");
    await page.getByTestId("import-file").setInputFiles({ name, mimeType: "application/json", buffer: Buffer.from(content) });
    await user.sees(page.getByTestId("import-outcome"), / new, 0 already here, 0 failed/);
  }
  await user.more("blocks");
  await page.getByTestId("blocks").getByTestId("add").click();
  await page.getByTestId("block-name").fill("band");
  await page.getByTestId("block-value").fill("Tune the xylophone.");
  await page.getByTestId("blocks").getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Forget band" }).click();
  await user.sees(page.getByTestId("forget-state"), "Would go: 1 block");
  await sayYes(user);
  await page.getByRole("button", { name: "Forget band" }).waitFor({ state: "detached" });
  await user.tab("graph");
  await page.getByTestId("entity").getByRole("button", { name: "Ana" }).click();
  await page.getByTestId("opened-entity").getByTestId("forget-entity").click();
  await user.sees(page.getByTestId("forget-state"), "Would go: 1 person or thing, 1 connection");
  await sayYes(user);
  await user.sees(page.getByTestId("entity"), "Orchestra");
  assert.equal(await page.getByTestId("entity").count(), 1);
  await user.more("documents");
  await page.getByTestId("document").getByTestId("forget-document").click();
  await user.sees(page.getByTestId("forget-state"), "Would go: 1 document");
  await sayYes(user);
  await page.getByTestId("document").waitFor({ state: "detached" });
  assert.equal(await onPage(user, "xylophone"), false);
  assert.deepEqual(await placesOf(page, "xylophone"), []);
  await user.leave();
});

test("everything is forgotten at once, and the next thing said is kept", async () => {
  const user = await demo.open();
  const { page } = user;
  await user.say("I love xylophones.");
  await user.privacy("forget");
  await page.getByTestId("forget-everything").click();
  await user.sees(page.getByTestId("forget-state"), "Would go");
  await sayYes(user);
  await page.getByTestId("welcome").waitFor();
  assert.deepEqual(await placesOf(page, "xylophone"), []);
  await user.say("My name is Alice.");
  await user.tab("profile");
  await user.sees(user.value("name"), "Alice");
  await user.leave();
});

test("what is deleted is withheld where it was said, until that is undone", async () => {
  const user = await demo.open();
  const { page } = user;
  await user.say("I love xylophones. It rains today.");
  await user.tab("facts");
  await page.getByTestId("delete-fact").click();
  await user.sees(page.getByTestId("toast"), "Deleted. The assistant is no longer told it.");
  const message = page.getByTestId("message-user");
  await user.sees(message.locator("s"), "I love xylophones.");
  assert.doesNotMatch(await message.locator("s").textContent(), /rains/);
  await user.sees(message.getByTestId("withheld"), "withheld");
  await page.getByTestId("toast").getByRole("button", { name: "Undo" }).click();
  await user.sees(user.facts, "xylophones");
  await message.locator("s").waitFor({ state: "detached" });
  await user.leave();
});

test("another tab drops what is forgotten too, also what is unfolded there", async () => {
  const user = await demo.open();
  const { page } = user;
  await user.say("I love xylophones.");
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByTestId("tab-window").click();
  await other.getByTestId("slot").first().click();
  await other.getByTestId("exchange").filter({ hasText: "xylophones" }).waitFor();
  await other.getByTestId("tab-facts").click();
  for (const details of ["why", "history"]) await other.getByTestId("fact").getByTestId(details).locator("summary").click();
  await other.getByTestId("why-content").locator("mark").waitFor();
  await page.getByTestId("message-user").getByTestId("forget-message").click();
  await user.sees(page.getByTestId("forget-state"), "Would go");
  await sayYes(user);
  for (const tab of [page, other]) await tab.waitForFunction(() => !wholePage().toLowerCase().includes("xylophone"));
  assert.deepEqual(await placesOf(page, "xylophone"), []);
  await user.leave();
});
