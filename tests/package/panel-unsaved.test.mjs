/** What is being written in `<mnemic-panel>` while the thing that it is about goes. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { open, startPanels } from "./support/panel.mjs";

let panels;
before(async () => { panels = await startPanels(); });
after(() => panels?.close());

const GONE = "Deleted meanwhile.";

/** Does something in another tab with the same memory. */
async function elsewhere({ page, context }, act, given) {
  const other = await context.newPage();
  await other.goto(page.url());
  await other.waitForFunction(() => globalThis.user);
  await other.evaluate(act, given);
  await other.close();
}

const texts = (page) => page.evaluate(async () => (await user.facts.list()).map(({ text }) => text).sort());
const focused = (page) => page.evaluate(() => panel.shadowRoot.activeElement?.dataset.testid);

// The row went with the fact, and what was written in it was lost.
test("a fact that another tab deletes while it is edited: the text stays, with the focus, and is kept as a new fact", async () => {
  const opened = await open(panels, { sections: "facts" });
  const { page, leave } = opened;
  await page.evaluate(() => user.facts.import([{ text: "Ana sails" }, { text: "Ana rows" }, { text: "Ana swims" }]));
  await page.getByTestId("fact").filter({ hasText: "rows" }).getByTestId("edit-fact").click();
  await page.getByTestId("value-control").fill("Ana rows on Sundays");
  await elsewhere(opened, async () => {
    const { id } = (await user.facts.list()).find(({ text }) => text === "Ana rows");
    await user.items.delete(id);
    await user.facts.add("Ana runs");
  });
  await page.getByRole("alert").filter({ hasText: GONE }).waitFor();
  assert.equal(await focused(page), "value-control");
  await page.keyboard.type(", too");
  await page.getByTestId("fact").filter({ hasText: "runs" }).waitFor();
  assert.equal(await page.getByTestId("value-control").inputValue(), "Ana rows on Sundays, too");
  await page.evaluate(() => user.facts.add("Ana jumps"));
  await page.getByTestId("fact").filter({ hasText: "jumps" }).waitFor();
  assert.equal(await focused(page), "value-control", "what comes above does not take the focus");
  await page.keyboard.press("Enter");
  await page.getByTestId("value").filter({ hasText: "Sundays, too" }).waitFor();
  await page.getByTestId("value-control").waitFor({ state: "detached" });
  assert.deepEqual(await texts(page), ["Ana jumps", "Ana rows on Sundays, too", "Ana runs", "Ana sails", "Ana swims"]);
  await page.getByTestId("toast").getByRole("button", { name: "Undo" }).click();
  await page.getByTestId("fact").filter({ hasText: "Sundays" }).waitFor({ state: "detached" });
  await leave();
});

test("what is gone goes when one gives up writing, and comes back when its deletion is undone", async () => {
  const opened = await open(panels, { sections: "facts" });
  const { page, leave } = opened;
  const { id } = await page.evaluate(() => user.facts.add("Ana rows"));
  await page.getByTestId("edit-fact").click();
  await elsewhere(opened, (id) => user.items.delete(id), id);
  await page.getByRole("alert").filter({ hasText: GONE }).waitFor();
  await page.evaluate(async () => user.undo((await user.commits.list({ limit: 1 }))[0].commitId));
  await page.getByRole("alert").filter({ hasText: GONE }).waitFor({ state: "detached" });
  await page.getByTestId("value-control").fill("Ana rows at dawn");
  await page.keyboard.press("Enter");
  await page.getByTestId("value").filter({ hasText: "dawn" }).waitFor();
  assert.equal((await page.evaluate((id) => user.items.get(id), id)).text, "Ana rows at dawn", "the same fact was changed");
  await page.getByTestId("edit-fact").click();
  await elsewhere(opened, (id) => user.items.delete(id), id);
  await page.getByRole("alert").filter({ hasText: GONE }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByTestId("fact").waitFor({ state: "detached" });
  assert.deepEqual(await texts(page), []);
  await leave();
});

test("what is forgotten goes, also from where it is edited", async () => {
  const opened = await open(panels, { sections: "facts" });
  const { page, leave } = opened;
  await page.evaluate(() => user.facts.import([{ text: "Ana rows" }, { text: "Ana sails" }]));
  await page.getByTestId("fact").filter({ hasText: "rows" }).getByTestId("edit-fact").click();
  await elsewhere(opened, async () => user.forget({ ids: [(await user.facts.list()).find(({ text }) => text === "Ana rows").id] }));
  await page.getByTestId("value-control").waitFor({ state: "detached" });
  assert.equal(await page.evaluate(() => panel.shadowRoot.innerHTML.includes("rows")), false);
  await leave();
});

test("an entity, a connection and an example that go while they are edited are kept as new ones", async () => {
  const opened = await open(panels, { sections: "graph episodes" });
  const { page, leave } = opened;
  await page.evaluate(async () => {
    await user.graph.create_entities({ entities: [{ name: "Ana", entityType: "person", observations: ["sails"] }, { name: "Ben", entityType: "", observations: [] }] });
    await user.graph.create_relations({ relations: [{ from: "Ana", relationType: "knows", to: "Ben" }] });
    await user.episodes.add({ situation: "Salty soup", approach: "A potato", outcome: "Eaten" });
  });
  await page.getByRole("button", { name: "Ana", exact: true }).click();
  await page.getByTestId("connection").getByTestId("edit-relation").click();
  await elsewhere(opened, () => user.graph.delete_relations({ relations: [{ from: "Ana", relationType: "knows", to: "Ben" }] }));
  await page.getByRole("alert").filter({ hasText: GONE }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByTestId("connection").getByTestId("edit-relation").waitFor();
  await page.getByTestId("edit-entity").click();
  await page.getByTestId("value-control").fill("sails\nrows");
  await elsewhere(opened, () => user.graph.delete_entities({ entityNames: ["Ana"] }));
  await page.getByRole("alert").filter({ hasText: GONE }).waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByTestId("observations").getByText("rows").waitFor();
  assert.deepEqual((await page.evaluate(() => user.graph.list())).find(({ name }) => name === "Ana").observations, ["sails", "rows"]);
  await page.getByTestId("tab-episodes").click();
  await page.getByTestId("edit-episode").click();
  await page.getByTestId("part-outcome").fill("Eaten up");
  await elsewhere(opened, async () => user.items.delete((await user.episodes.list())[0].id));
  await page.getByRole("alert").filter({ hasText: GONE }).waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByTestId("edit-episode").waitFor();
  assert.deepEqual((await page.evaluate(() => user.episodes.list())).map(({ outcome }) => outcome), ["Eaten up"]);
  await leave();
});
