/** Every snippet that a page of the site offers to run prints what it says, under the site's own policy. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { launch, openPage } from "../package/support/browser.mjs";
import { pages, serveDocs } from "./support/site.mjs";

let server, browser, context;

before(async () => {
  server = await serveDocs();
  browser = await launch();
  context = await browser.newContext();
});

after(async () => {
  await browser?.close();
  await server?.close();
});

const hasSnippets = ({ html }) => html.includes("data-snippet=");
const withSnippets = pages().filter(hasSnippets);

test("most guides have snippets that run", () => {
  const guides = pages().filter(({ path }) => /^guides\/(?!index)/.test(path));
  const running = guides.filter(hasSnippets);
  assert.ok(running.length >= (guides.length * 2) / 3, `${running.length} of ${guides.length}`);
});

/** Runs the snippets of a page, or the first few, one after the other, and answers what came of each. */
async function runAll(page, count = Infinity) {
  const outcomes = [];
  for (const snippet of (await page.locator(".runnable").all()).slice(0, count)) {
    await snippet.getByRole("button", { name: "Run" }).click();
    await snippet.and(page.locator("[data-outcome]")).waitFor();
    const [name, outcome] = [await snippet.getAttribute("data-snippet"), await snippet.getAttribute("data-outcome")];
    outcomes.push([name, outcome === "as-said" ? outcome : await snippet.innerText()]);
  }
  return outcomes;
}

describe("the snippets", { concurrency: 2 }, () => {
  for (const { path } of withSnippets) {
    test(`of ${path} print what they say`, async () => {
      const { page, complaints } = await openPage(context, server.url + path);
      const outcomes = await runAll(page);
      assert.deepEqual(outcomes.filter(([, outcome]) => outcome !== "as-said"), []);
      assert.notEqual(outcomes.length, 0);
      assert.deepEqual(complaints, []);
      await page.close();
    });
  }
});

test("a snippet that prints something else is marked, and one that fails says why", async () => {
  const context = await browser.newContext();
  await context.route("**/run/snippets/guides-recall-1.run.js", (route) =>
    route.fulfill({ contentType: "text/javascript", body: 'export const expected = ["one", "two"];\nexport const run = async () => console.log("three");' }),
  );
  await context.route("**/run/snippets/guides-recall-2.run.js", (route) =>
    route.fulfill({ contentType: "text/javascript", body: 'export const expected = [];\nexport const run = async () => { throw new Error("no boat"); };' }),
  );
  const { page } = await openPage(context, `${server.url}guides/recall.html`);
  const outcomes = new Map(await runAll(page, 2));
  assert.match(outcomes.get("guides-recall-1"), /Prints something else[^]*three[^]*expected: one/);
  assert.match(outcomes.get("guides-recall-2"), /Failed[^]*no boat/);
  await context.close();
});

test("a run leaves nothing stored, and the next one begins afresh", async () => {
  const context = await browser.newContext();
  const { page } = await openPage(context, `${server.url}guides/encryption.html`);
  for (const round of [1, 2]) {
    const outcomes = await runAll(page);
    assert.deepEqual(outcomes.filter(([, outcome]) => outcome !== "as-said"), [], `round ${round}`);
  }
  assert.deepEqual(await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name)), []);
  await context.close();
});
