/** Everything that is remembered, as it is looked at, changed and taken back in the panel. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Demo } from "./support/demo.mjs";

const sample = (name) => fileURLToPath(new URL(`../fixtures/imports/${name}`, import.meta.url));

let demo;
before(async () => { demo = await Demo.start(); });
after(() => demo?.close());

/** By the panel's notice; what was brought in is told beside it. */
const undo = (user) => user.page.locator("mnemic-panel").getByTestId("toast").getByRole("button", { name: "Undo" }).click();

/** Brings a file in; `file` is a path, or a name with its content. */
async function bringIn(user, file) {
  await user.more("import");
  await user.page.getByTestId("import-file").setInputFiles(typeof file === "string" ? file : { ...file, mimeType: "application/json", buffer: Buffer.from(file.content) });
  return user.page.getByTestId("import-outcome");
}

/** Fills the labelled parts of a form and saves it. */
async function save(form, parts) {
  for (const [name, text] of Object.entries(parts)) await form.getByTestId(name).fill(text);
  await form.getByRole("button", { name: "Save" }).click();
}

test("a fact is added, changed, pinned, explained and brought back as it was", async () => {
  const user = await demo.open();
  await user.say("I love spicy food.");
  await user.tab("facts");
  await user.page.getByTestId("facts").getByTestId("add").click();
  await save(user.page.getByTestId("facts"), { "value-control": "My bicycle is red." });
  const fact = user.facts.filter({ hasText: "bicycle" });
  await user.sees(fact, "Added by you");
  await fact.getByTestId("edit-fact").click();
  await save(user.page.getByTestId("facts").locator("form"), { "value-control": "My bicycle is blue." });
  await user.sees(fact, "blue");
  await fact.getByTestId("pin-fact").click();
  await fact.locator("[data-testid=pin-fact][aria-pressed=true]").waitFor();
  await fact.getByTestId("history").locator("summary").click();
  const revisions = fact.getByTestId("revisions").locator(":scope > li");
  await user.sees(revisions.first(), "pinned");
  assert.equal(await revisions.count(), 3);
  await revisions.last().getByRole("button", { name: "Restore this" }).click();
  await user.sees(fact.getByTestId("value"), "red");
  await fact.getByTestId("why").locator("summary").click();
  await user.sees(fact.getByTestId("why-content"), /Added by you.*No message stands behind it/s);

  const learned = user.facts.filter({ hasText: "spicy" });
  await learned.getByTestId("why").locator("summary").click();
  await user.sees(learned.getByTestId("why-content").locator("mark"), "spicy food");
  await user.sees(learned.getByTestId("why-content"), "You said");
  await user.leave();
});

test("what is no longer true is shown when it is asked for", async () => {
  const user = await demo.open();
  await user.say("I live in Lisbon.");
  await user.say("I moved to Porto.");
  await user.tab("facts");
  await user.sees(user.facts, "Porto");
  assert.equal(await user.facts.filter({ hasText: "Lisbon" }).count(), 0);
  await user.page.getByTestId("include-past").check();
  const former = user.facts.filter({ hasText: "Lisbon" });
  await user.sees(former.getByTestId("span-of-time"), "until");
  await user.page.getByTestId("include-past").uncheck();
  await former.waitFor({ state: "detached" });
  await user.leave();
});

test("two revisions of a field are compared, and a pinned field is left as it is", async () => {
  const user = await demo.open();
  await user.say("I live in Lisbon.");
  await user.say("I moved to Porto.");
  const place = user.field("place");
  await user.sees(user.value("place"), "Porto");
  await place.getByTestId("history").locator("summary").click();
  await user.sees(place.getByTestId("difference").locator("del"), "Lisbon");
  await user.sees(place.getByTestId("difference").locator("ins"), "Porto");
  await place.getByTestId("pin-field").click();
  await place.locator("[data-testid=pin-field][aria-pressed=true]").waitFor();
  await user.say("I moved to Berlin.");
  await user.tab("facts");
  await user.sees(user.facts, "Berlin");
  await user.tab("profile");
  assert.equal(await user.value("place").textContent(), "Porto");
  await user.leave();
});

test("the last change is undone, then the one before, and can be done again", async () => {
  const user = await demo.open();
  await user.say("I live in Lisbon.");
  await user.sees(user.value("place"), "Lisbon");
  await user.page.getByRole("button", { name: "Edit Home" }).click();
  await save(user.field("place"), { "value-control": "Porto" });
  await user.sees(user.value("place"), "Porto");
  const undoLast = user.page.getByTestId("undo-last");
  await undoLast.click();
  await user.sees(user.value("place"), "Lisbon");
  await user.page.getByTestId("toast").getByRole("button", { name: "Redo" }).click();
  await user.sees(user.value("place"), "Porto");
  await undoLast.click();
  await user.sees(user.value("place"), "Lisbon");
  await user.page.reload();
  await user.sees(user.value("place"), "Lisbon");
  await undoLast.click();
  await user.sees(user.field("place"), "Not known yet");
  await undoLast.click();
  await user.sees(user.page.getByTestId("toast"), "There is nothing to undo.");
  await user.leave();
});

test("people and things: brought in, walked through by list and drawing, and changed", async () => {
  const user = await demo.open();
  const outcome = await bringIn(user, sample("memory.jsonl"));
  await user.sees(outcome, /a knowledge graph: \d+ new, 0 already here, 2 failed/);
  await outcome.locator("summary").click();
  await user.sees(outcome, "Nobody");
  await user.tab("graph");
  const graph = user.page.getByTestId("graph");
  const entities = graph.getByTestId("entity");
  await user.sees(entities, "plays the cello");
  await graph.getByTestId("graph-search").fill("orchestra");
  await user.sees(entities.first(), "Orchestra");
  await graph.getByTestId("graph-search").fill("");
  await entities.getByRole("button", { name: "Ana" }).click();
  const opened = graph.getByTestId("opened-entity");
  await user.sees(opened.getByTestId("observations"), "lives in Lisbon");
  const connection = graph.getByTestId("connection");
  await user.sees(connection, /Ana\s+plays in\s+Orchestra/);

  await graph.getByTestId("node").filter({ hasText: "Orchestra" }).press("Enter");
  await user.sees(opened, "rehearses on Thursdays");
  assert.equal(await user.page.evaluate(() => focused().textContent), "Orchestra");
  await graph.getByTestId("node").filter({ hasText: "Ana" }).click();
  await user.sees(opened, "plays the cello");

  await opened.getByTestId("edit-entity").click();
  await save(opened, { "value-control": "plays the cello\nlives in Porto" });
  await user.sees(opened.getByTestId("observations"), "lives in Porto");
  assert.equal(await opened.getByTestId("observations").locator("li").count(), 2);
  await undo(user);
  await user.sees(opened.getByTestId("observations"), "lives in Lisbon");
  await opened.getByTestId("pin-entity").click();
  await opened.locator("[data-testid=pin-entity][aria-pressed=true]").waitFor();

  await graph.getByTestId("add").last().click();
  await save(graph.locator(".adder").last(), { "part-relationType": "is a friend of", "part-to": "Ben" });
  const friend = connection.filter({ hasText: "Ben" });
  await user.sees(friend, "is a friend of");
  await friend.getByTestId("edit-relation").click();
  await save(graph.getByTestId("connections").locator("form"), { "part-relationType": "is married to" });
  await user.sees(friend, "is married to");
  await friend.getByTestId("end-connection").click();
  await friend.waitFor({ state: "detached" });
  await graph.getByTestId("graph-past").check();
  await user.sees(friend, /True since.*until/);
  await friend.getByTestId("delete-relation").click();
  await friend.waitFor({ state: "detached" });

  await graph.getByTestId("all-entities").click();
  await user.sees(entities, "Ben");
  await graph.getByTestId("add").first().click();
  await save(graph.locator(".adder").first(), { "part-name": "Ana", "part-entityType": "person" });
  await user.sees(graph.getByRole("alert"), "is already there");
  await save(graph.locator(".adder").first(), { "part-name": "Mika", "part-entityType": "cat" });
  await entities.getByRole("button", { name: "Mika" }).click();
  await opened.getByTestId("delete-entity").click();
  await entities.first().waitFor();
  await entities.filter({ hasText: "Mika" }).waitFor({ state: "detached" });
  await undo(user);
  await user.sees(entities, "Mika");
  await user.reload();
  await user.tab("graph");
  await user.sees(entities, "Mika");
  await user.leave();
});

test("instructions are written, changed and brought back; to revise them takes a model", async () => {
  const user = await demo.open();
  await user.more("instructions");
  const instruction = user.page.getByTestId("instruction");
  await instruction.getByRole("button", { name: "Add How to reply" }).click();
  await save(instruction, { "value-control": "Answer in one sentence." });
  await user.sees(instruction.getByTestId("value"), "one sentence");
  await instruction.getByTestId("edit-instruction").click();
  await save(instruction, { "value-control": "Answer in verse." });
  await user.sees(instruction.getByTestId("value"), "verse");
  await instruction.getByTestId("history").locator("summary").click();
  await instruction.getByTestId("revisions").getByRole("button", { name: "Restore this" }).click();
  await user.sees(instruction.getByTestId("value"), "one sentence");
  assert.equal(await user.page.getByTestId("revise").count(), 0);
  await user.leave();
});

test("examples are written, changed, deleted and brought back", async () => {
  const user = await demo.open();
  await user.more("episodes");
  const examples = user.page.getByTestId("episodes");
  await examples.getByTestId("add").click();
  await save(examples, { "part-situation": "The soup was too salty", "part-approach": "" });
  await user.sees(examples.getByRole("alert"), "What was done?");
  await save(examples, { "part-approach": "Boiled a potato in it", "part-outcome": "It could be eaten" });
  const example = examples.getByTestId("episode");
  await user.sees(example, "Boiled a potato in it");
  await example.getByTestId("edit-episode").click();
  await save(example, { "part-outcome": "Everybody liked it" });
  await user.sees(example, "Everybody liked it");
  await example.getByTestId("delete-episode").click();
  await example.waitFor({ state: "detached" });
  await undo(user);
  await user.sees(example, "Everybody liked it");
  await user.leave();
});

test("documents are searched, narrowed to a namespace and deleted", async () => {
  const user = await demo.open();
  const outcome = await bringIn(user, sample("langgraph.json"));
  await user.sees(outcome, /LangGraph store: 3 new, 0 already here, 2 failed/);
  await user.more("documents");
  const documents = user.page.getByTestId("document");
  await user.sees(documents, "Water the plants");
  await user.page.getByTestId("document-search").fill("plants");
  await user.sees(documents.first(), "Water the plants");
  await user.page.getByTestId("document-search").fill("");
  await user.page.getByTestId("namespace").selectOption({ label: "users / ana / notes" });
  await documents.filter({ hasText: "settings" }).waitFor({ state: "detached" });
  const plants = documents.filter({ hasText: "Water the plants" });
  await plants.getByTestId("delete-document").click();
  await plants.waitFor({ state: "detached" });
  await undo(user);
  await plants.waitFor();
  await user.leave();
});

test("chats and facts of others are brought in once, and can be found", async () => {
  const user = await demo.open();
  for (const name of ["chatgpt", "claude", "mem0"]) {
    await user.sees(await bringIn(user, sample(`${name}.json`)), /[1-9]\d* new, 0 already here/);
    await user.sees(await bringIn(user, sample(`${name}.json`)), /: 0 new, [1-9]\d* already here/);
  }
  await user.tab("facts");
  await user.sees(user.facts, "Is allergic to nuts");
  assert.ok(await user.page.getByTestId("threads").locator("li").count() >= 2);
  await user.leave();
});

test("a file that is nothing of the kind is refused with the reason, and nothing is kept of it", async () => {
  const user = await demo.open();
  for (const content of ["", "just words", "{\"a\": 1}", "[[[["]) {
    const outcome = await bringIn(user, { name: "holiday.json", content });
    await user.sees(outcome.locator(".problem"), "holiday.json could not be imported.");
  }
  await user.tab("graph");
  await user.sees(user.page.getByTestId("graph"), "No people, places or things yet");
  await user.leave();
});

test("where nothing is remembered yet, every part says what will stand there", async () => {
  const user = await demo.open();
  for (const [tab, words] of [["profile", "Nothing is known about you yet"], ["facts", "No facts yet"], ["graph", "No people, places or things yet"]]) {
    await user.tab(tab);
    await user.sees(user.page.getByTestId(tab), words);
  }
  for (const [place, words] of [["proposals", "Nothing to review"], ["instructions", "Not set"], ["episodes", "No examples yet"], ["documents", "No documents"]]) {
    await user.more(place);
    await user.sees(user.page.getByTestId(place), words);
  }
  assert.equal(await user.page.getByTestId("waiting").isVisible(), false);
  await user.leave();
});

test("what the memory consists of is a section too, for those who develop with it", async () => {
  const user = await demo.open();
  await user.more("inside");
  await user.sees(user.page.getByTestId("log"), "Commits");
  await user.page.getByRole("tab", { name: "Indexes" }).click();
  await user.sees(user.page.getByTestId("indexes"), "Vectors");
  // It is for developers, who go on to the documentation from here.
  assert.equal(new URL(await user.page.getByRole("link", { name: "Its documentation" }).getAttribute("href"), user.page.url()).pathname, "/docs/");
  await user.leave();
});
