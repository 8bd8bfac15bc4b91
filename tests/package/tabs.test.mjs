/** Two tabs on one memory. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openPage, waitUntil } from "./support/browser.mjs";
import { PAGE, ready } from "./support/page.mjs";
import { serveProject } from "./support/served.mjs";

const COUNT = 25;

let browser, server, close, context, tabs;

before(async () => {
  ({ browser, server, close } = await serveProject(PAGE));
});

after(() => close?.());

/** Two tabs of a fresh profile, the engine where `worker` says in each. */
async function openTabs(workers) {
  context = await browser.newContext();
  tabs = [await openPage(context, server.url), await openPage(context, server.url)];
  for (const [index, { page }] of tabs.entries()) {
    await ready(page);
    await page.evaluate(async (worker) => {
      globalThis.memory = await mnemic.openMemory({ name: "tabs", worker });
      globalThis.user = memory.scope({ userId: "alice" });
      globalThis.events = [];
      memory.on("change", (event) => events.push(event));
    }, workers[index]);
  }
}

const texts = ({ page }) => page.evaluate(async () => (await user.facts.list({ limit: 1000 })).map(({ text }) => text).sort());

for (const [where, workers] of [
  ["in the pages", [false, false]],
  ["in a worker of each", [true, true]],
  ["in a worker that they share", ["shared", "shared"]],
  ["in one page, and in a shared worker", [false, "shared"]],
]) {
  describe(`with the engine ${where}`, () => {
    before(() => openTabs(workers));
    after(() => context.close());

    test("both write at once, and nothing is lost in either", async () => {
      const write = ([name, count]) =>
        Promise.all(Array.from({ length: count }, (_, index) => user.facts.add(`Fact ${index} of the ${name} tab`)));
      await Promise.all(tabs.map(({ page }, index) => page.evaluate(write, [["first", "second"][index], COUNT])));
      const expected = ["first", "second"].flatMap((name) =>
        Array.from({ length: COUNT }, (_, index) => `Fact ${index} of the ${name} tab`),
      );
      for (const { page } of tabs) {
        await waitUntil(page, async (count) => (await user.facts.list({ limit: 1000 })).length >= count, expected.length);
      }
      for (const tab of tabs) assert.deepEqual(await texts(tab), expected.sort());
    });

    test("a commit of one tab is an event in the other, marked as remote, and told once", async () => {
      const [one, two] = tabs;
      const { commitId, id } = await one.page.evaluate(() => user.facts.add("Alice sings in the first tab"));
      const told = ({ page }) =>
        page.evaluate((wanted) => events.filter((event) => event.commitId === wanted).map(({ remote }) => remote), commitId);
      await two.page.waitForFunction((wanted) => events.some((event) => event.commitId === wanted), commitId);
      assert.deepEqual(await told(two), [true]);
      assert.deepEqual(await told(one), [false]);
      assert.equal((await two.page.evaluate((wanted) => user.facts.get(wanted), id)).text, "Alice sings in the first tab");
    });

    test("one tab changes what the other wrote, and a fact deleted in one is gone in both", async () => {
      const [one, two] = tabs;
      const { id } = await one.page.evaluate(() => user.facts.add("Alice lives in Lisbon"));
      await waitUntil(two.page, (wanted) => user.facts.get(wanted), id);
      await two.page.evaluate((wanted) => user.facts.update(wanted, { text: "Alice lives in Porto" }), id);
      await waitUntil(one.page, async (wanted) => (await user.facts.get(wanted)).text === "Alice lives in Porto", id);
      await one.page.evaluate((wanted) => user.facts.delete(wanted), id);
      await waitUntil(two.page, async (wanted) => (await user.facts.get(wanted)) === null, id);
    });

    test("a tab that closes its memory leaves the other's alone, and nobody complained", async () => {
      const [one, two] = tabs;
      await one.page.evaluate(() => memory.close());
      await two.page.evaluate(() => user.facts.add("Alice goes on in the second tab"));
      assert.ok((await texts(two)).includes("Alice goes on in the second tab"));
      for (const { complaints } of tabs) assert.deepEqual(complaints, []);
    });
  });
}

test("localStorage is one tab's at a time: the second is told what to do, and gets it when the first lets go", async () => {
  context = await browser.newContext();
  const [one, two] = [await openPage(context, server.url), await openPage(context, server.url)];
  const open = () =>
    mnemic.openMemory({ name: "local", storage: "localstorage" }).then(
      (memory) => {
        globalThis.local = memory;
        globalThis.owner = memory.scope({ userId: "alice" });
        return "opened";
      },
      ({ code, message }) => `${code}: ${message}`,
    );
  for (const { page } of [one, two]) await ready(page);
  assert.equal(await one.page.evaluate(open), "opened");
  await one.page.evaluate(() => owner.facts.add("Alice sings in the first tab"));
  assert.match(await two.page.evaluate(open), /^Storage: the memory "local".*close it there, or use IndexedDB/);
  assert.match(await one.page.evaluate(open), /^Storage: /, "nor twice in one page");
  await one.page.evaluate(() => local.close());
  assert.equal(await two.page.evaluate(open), "opened");
  assert.deepEqual(await two.page.evaluate(async () => (await owner.facts.list()).map(({ text }) => text)), ["Alice sings in the first tab"]);
  await two.page.reload();
  await ready(two.page);
  assert.equal(await two.page.evaluate(open), "opened", "a reload lets go");
  await two.page.close();
  assert.equal(await one.page.evaluate(open), "opened", "a closed tab lets go");
  for (const { complaints } of [one, two]) assert.deepEqual(complaints, []);
});
