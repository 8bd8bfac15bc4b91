/** What `<mnemic-panel>` reads: searches that overtake each other or fail, and documents, of which it reads what is looked at. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { open, startPanels } from "./support/panel.mjs";

let panels;
before(async () => { panels = await startPanels(); });
after(() => panels?.close());

const fillIn = (page) => page.evaluate(async () => {
  await user.graph.create_entities({ entities: [{ name: "Ana", entityType: "", observations: ["plays the cello"] }, { name: "Ben", entityType: "", observations: ["plays chess"] }] });
  await user.documents.put(["notes"], "Ana", { text: "plays the cello" }, { index: ["$"] });
  await user.documents.put(["notes"], "Ben", { text: "plays chess" }, { index: ["$"] });
});

for (const { section, box, row } of [{ section: "graph", box: "graph-search", row: ".entity-name" }, { section: "documents", box: "document-search", row: "[data-testid=document] h3" }]) {
  describe(`the search of ${section}`, () => {
    const names = (page) => page.locator(row).allTextContents();

    // The failure was an unhandled rejection, and the list stood as if it were the answer.
    test("tells why it fails, and goes on when it works again", async () => {
      const { page, leave } = await open(panels, { sections: section });
      await fillIn(page);
      await page.locator(row).nth(1).waitFor();
      await page.evaluate((section) => {
        globalThis.works = user[section].search;
        user[section].search = async () => { throw new Error("<b>the embedder is away</b>"); };
      }, section);
      await page.getByTestId(box).fill("cello");
      await page.getByRole("status").filter({ hasText: "<b>the embedder is away</b>" }).waitFor();
      assert.deepEqual(await names(page), []);
      await page.evaluate((section) => { user[section].search = works; }, section);
      await page.getByTestId(box).fill("chess");
      await page.locator(row).filter({ hasText: "Ben" }).waitFor();
      assert.deepEqual(await names(page), ["Ben"]);
      await leave();
    });

    // Whichever answer came last was shown.
    test("shows the answer to the last question, whichever comes last", async () => {
      const { page, leave } = await open(panels, { sections: section });
      await fillIn(page);
      await page.evaluate((section) => {
        const { search } = user[section];
        globalThis.held = {};
        user[section].search = async function (...given) {
          const query = JSON.stringify(given).includes("cello") ? "cello" : "chess";
          await new Promise((go) => { held[query] = go; });
          return search.apply(this, given.map((one) => (one?.signal ? { ...one, signal: undefined } : one)));
        };
      }, section);
      await page.getByTestId(box).fill("cello");
      await page.waitForFunction(() => held.cello);
      await page.getByTestId(box).fill("chess");
      await page.waitForFunction(() => held.chess);
      await page.evaluate(() => held.chess());
      await page.waitForFunction((row) => panel.shadowRoot.querySelectorAll(row).length === 1, row);
      await page.evaluate(() => held.cello());
      await page.evaluate(() => user.facts.list());
      assert.deepEqual(await names(page), ["Ben"]);
      await leave();
    });

    test("ends quietly when the memory is closed while one types", async () => {
      const { page, leave } = await open(panels, { sections: section });
      await fillIn(page);
      for (const text of ["c", "ce", "cel", "cell"]) await page.getByTestId(box).fill(text);
      await page.evaluate((box) => {
        const field = panel.shadowRoot.querySelector(`[data-testid=${box}]`);
        field.form.requestSubmit();
        const closed = memory.close();
        field.form.requestSubmit();
        return closed;
      }, box);
      await page.getByTestId("unreadable").waitFor();
      await leave(/^error: .*closed/);
    });
  });
}

// At each change the values of up to a thousand documents were read, of which a handful are seen.
test("of documents the values of those in view are read, and of a change only what changed", async () => {
  const { page, leave } = await open(panels, { sections: "documents", style: "mnemic-panel { height: 30rem }" });
  await page.evaluate(async () => {
    const { get, search } = user.documents;
    globalThis.read = [];
    user.documents.get = function (...given) { read.push(given[1]); return get.apply(this, given); };
    user.documents.search = async function (...given) { const found = await search.apply(this, given); read.push(...found.map(({ key }) => key)); return found; };
    await user.documents.batch(Array.from({ length: 400 }, (_, index) => ({ op: "put", namespace: ["notes", index % 2 ? "odd" : "even"], key: `note ${index}`, value: { text: `Said ${index}` } })));
  });
  const document = (key) => page.getByTestId("document").filter({ has: page.getByRole("heading", { name: key, exact: true }) });
  await document("note 0").locator("pre").filter({ hasText: "Said 0" }).waitFor();
  const first = await page.evaluate(() => read.splice(0));
  assert.ok(first.length < 60, `${first.length} were read`);
  await page.evaluate(() => user.documents.put(["notes", "even"], "note 0", { text: "Said anew" }));
  await document("note 0").locator("pre").filter({ hasText: "Said anew" }).waitFor();
  assert.deepEqual(await page.evaluate(() => read.splice(0)), ["note 0"]);
  await page.evaluate(() => { panel.shadowRoot.querySelector(".tab-panel").scrollTop = 1e6; });
  await document("note 399").locator("pre").filter({ hasText: "Said 399" }).waitFor();
  await page.evaluate(() => { panel.shadowRoot.querySelector(".tab-panel").scrollTop = 0; });
  await page.getByTestId("namespace").selectOption({ label: "notes / odd" });
  await document("note 1").locator("pre").filter({ hasText: "Said 1" }).waitFor();
  assert.equal(await document("note 0").count(), 0);
  await leave();
});
