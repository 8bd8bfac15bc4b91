/** Deleting a memory by its name: refused while this page has it open, in every storage; other tabs find it empty. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openPage } from "./support/browser.mjs";
import { PAGE, ready } from "./support/page.mjs";
import { serveProject } from "./support/served.mjs";

let browser, server, project, close;

before(async () => {
  ({ browser, server, project, close } = await serveProject(PAGE));
});

after(() => close?.());

/** Runs work in pages of one context, which must have nothing to complain about. */
async function inPages(count, work) {
  const context = await browser.newContext();
  try {
    const opened = [];
    for (let index = 0; index < count; index += 1) opened.push(await openPage(context, server.url));
    for (const { page } of opened) await ready(page);
    await work(...opened.map(({ page }) => page));
    assert.deepEqual(opened.flatMap(({ complaints }) => complaints), []);
  } finally {
    await context.close();
  }
}

const WAYS = [
  { storage: "indexeddb" },
  { storage: "indexeddb", worker: true },
  { storage: "indexeddb", copy: "opfs" },
  { storage: "opfs", worker: true },
  { storage: "localstorage" },
];

for (const way of WAYS) {
  test(`a memory that is open in the page is not deleted: ${JSON.stringify(way)}`, async () => {
    await inPages(1, async (page) => {
      const { refusals, facts, left } = await page.evaluate(async (way) => {
        const opened = () => mnemic.openMemory({ name: "chat", ...way });
        const texts = async (memory) => (await memory.scope({ userId: "alice" }).facts.list()).map(({ text }) => text);
        const [memory, second] = [await opened(), way.storage === "localstorage" ? undefined : await opened()];
        await memory.scope({ userId: "alice" }).facts.add("Alice sails");
        const refusals = [];
        const refused = async (options) => {
          const { code, message, details } = await mnemic.deleteMemory("chat", options).catch((error) => error);
          refusals.push({ code, message, details });
        };
        await refused();
        await refused({ keep: "copy" });
        await memory.close();
        if (second !== undefined) await refused();
        await second?.close();
        const again = await opened();
        const facts = await texts(again);
        await again.close();
        await mnemic.deleteMemory("chat");
        const anew = await opened();
        const left = await texts(anew);
        await anew.close();
        return { refusals, facts, left };
      }, way);
      const refusal = { code: "Storage", message: 'the memory "chat" is open here, or is being moved; close it with memory.close(), or wait for moveMemory()', details: { name: "chat" } };
      assert.deepEqual(refusals, Array(way.storage === "localstorage" ? 2 : 3).fill(refusal));
      assert.deepEqual([facts, left], [["Alice sails"], []]);
    });
  });
}

for (const way of WAYS.filter(({ storage, copy }) => storage !== "localstorage" && copy === undefined)) {
  test(`another tab that has it open finds it empty and may begin it anew: ${JSON.stringify(way)}`, async () => {
    await inPages(2, async (one, other) => {
      await one.evaluate(async (way) => {
        globalThis.memory = await mnemic.openMemory({ name: "chat", ...way });
        globalThis.user = memory.scope({ userId: "alice" });
        await user.facts.add("Alice sails");
      }, way);
      await other.evaluate(() => mnemic.deleteMemory("chat"));
      const found = await one.evaluate(async (way) => {
        await user.facts.add("Alice sings");
        await memory.close();
        const again = await mnemic.openMemory({ name: "chat", ...way });
        const facts = await again.scope({ userId: "alice" }).facts.list();
        await again.close();
        return facts.map(({ text }) => text);
      }, way);
      assert.deepEqual(found, ["Alice sings"]);
    });
  });
}

test("the copy alone is deleted also while the memory is open, and made anew by what is written next", async () => {
  await inPages(1, async (page) => {
    const told = await page.evaluate(async () => {
      const memory = await mnemic.openMemory({ name: "chat", storage: "indexeddb", copy: "opfs" });
      const user = memory.scope({ userId: "alice" });
      await user.facts.add("Alice sails");
      await mnemic.deleteMemory("chat", { keep: "memory" });
      await user.facts.add("Alice sings");
      await memory.close();
      await mnemic.deleteMemory("chat", { keep: "copy" });
      const back = await mnemic.openMemory({ name: "chat", storage: "indexeddb", copy: "opfs" });
      const facts = await back.scope({ userId: "alice" }).facts.list();
      await back.close();
      return facts.map(({ text }) => text).sort();
    });
    assert.deepEqual(told, ["Alice sails", "Alice sings"]);
  });
});

test("the name of a memory that is open on a storage object deletes nothing of it, and is not refused", async () => {
  await inPages(1, async (page) => {
    const facts = await page.evaluate(async () => {
      const memory = await mnemic.openMemory({ name: "chat", storage: { read: async () => [], write: async () => {} } });
      await memory.scope({ userId: "alice" }).facts.add("Alice sails");
      await mnemic.deleteMemory("chat");
      const facts = await memory.scope({ userId: "alice" }).facts.list();
      await memory.close();
      return facts.length;
    });
    assert.equal(facts, 1);
  });
});

/** It resolved, and deleted nothing. */
test("in Node there is nothing that it could delete, and it says what to delete instead", async () => {
  const mnemic = await project.import('export * from "mnemic";');
  await assert.rejects(mnemic.deleteMemory("chat"), (error) => error instanceof mnemic.StorageError && /delete the file or database/.test(error.message));
});
