/** Memories in the origin's private file system, in workers of several tabs. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { openPage, waitUntil } from "./support/browser.mjs";
import { PAGE, ready } from "./support/page.mjs";
import { serveProject } from "./support/served.mjs";

/** Runs the contract in a dedicated worker, as a browser that shares handles does it and as one that does not. */
const CONTRACT = `
import { broken } from "./contract.mjs";
import { openOpfs } from "./node_modules/mnemic/files/opfs.js";

const { prototype } = FileSystemFileHandle;
const { createSyncAccessHandle } = prototype;

onmessage = async ({ data: { isShared, durability } }) => {
  if (!isShared) {
    delete FileSystemSyncAccessHandle.prototype.mode;
    prototype.createSyncAccessHandle = function () { return createSyncAccessHandle.call(this); };
  }
  try {
    const open = (name) => openOpfs({ name: \`\${encodeURIComponent(name).replaceAll("%", "_")}-\${durability}-\${isShared}\`, storage: "opfs", durability });
    postMessage(await broken(open));
  } catch (error) {
    postMessage(String(error.stack));
  }
};
`;

/** A memory of an app's own worker. */
const OWN = `
import * as mnemic from "./node_modules/mnemic/entry/browser.js";

onmessage = async () => {
  try {
    const memory = await mnemic.openMemory({ name: "own", storage: "opfs" });
    await memory.scope({ userId: "alice" }).facts.add("Alice sails");
    const { storage } = await memory.health();
    await memory.close();
    const again = await mnemic.openMemory({ name: "own", storage: ["opfs", "indexeddb"] });
    const facts = await again.scope({ userId: "alice" }).facts.list();
    await again.close();
    postMessage([storage.kind, facts.map(({ text }) => text)]);
  } catch (error) {
    postMessage(String(error.stack));
  }
};
`;

/** Flips bits of the only file of a memory, at both ends of one of its records or at one; the bytes that it has then. */
const DAMAGE = `
onmessage = async ({ data: [name, isLost] }) => {
  const home = await (await navigator.storage.getDirectory()).getDirectoryHandle("mnemic");
  const folder = await home.getDirectoryHandle(name + ".files");
  const files = [];
  for await (const file of folder.values()) files.push(file);
  const handle = await files[0].createSyncAccessHandle();
  const bytes = new Uint8Array(handle.getSize());
  handle.read(bytes, { at: 0 });
  const places = (wanted) => [...bytes.keys()].filter((at) => wanted.every((byte, index) => bytes[at + index] === byte));
  const tags = places(bytes.slice(12, 20)).filter((at) => at >= 24);
  // The record that has a fact: beside it stand others that have its vector, as many as the storage took at once.
  const [fact] = places(new TextEncoder().encode("to place 10"));
  const begin = tags.findLastIndex((at) => at < fact);
  for (const at of tags.slice(begin, begin + (isLost ? 2 : 1))) handle.write(new Uint8Array([bytes[at + 30] ^ 1]), { at: at + 30 });
  handle.flush();
  handle.close();
  postMessage([files.length, tags.length]);
};
`;

/** Opens a memory that is there, and counts the files that are opened and written until it answers, and until it is closed. */
const COUNTED = `
import * as mnemic from "./node_modules/mnemic/entry/browser.js";

const { prototype } = FileSystemFileHandle;
const opened = async (work) => {
  const memory = await mnemic.openMemory({ name: "counted", storage: "opfs" });
  const answer = await work(memory.scope({ userId: "alice" }).facts);
  const until = { ...counts };
  await memory.close();
  return { until, answer };
};
const counts = { createSyncAccessHandle: 0, createWritable: 0 };

onmessage = async () => {
  try {
    await opened((facts) => facts.add("Alice sails"));
    for (const name of Object.keys(counts)) {
      const method = prototype[name];
      prototype[name] = function (...values) {
        counts[name] += 1;
        return method.apply(this, values);
      };
    }
    const { until, answer } = await opened((facts) => facts.list());
    postMessage([answer.map(({ text }) => text), until, counts]);
  } catch (error) {
    postMessage(String(error.stack));
  }
};
`;

let browser, server, close;

before(async () => {
  const contract = await readFile(join(import.meta.dirname, "support/contract.mjs"), "utf8");
  ({ browser, server, close } = await serveProject({ ...PAGE, "contract.mjs": contract, "contract-worker.js": CONTRACT, "own-worker.js": OWN, "counted-worker.js": COUNTED, "damage-worker.js": DAMAGE }));
});

after(() => close?.());

/** Runs work in pages of one context, which must have nothing to complain about. */
async function inPages(count, work) {
  const context = await browser.newContext();
  try {
    const pages = [];
    const told = [];
    for (let index = 0; index < count; index += 1) {
      const { page, complaints } = await openPage(context, server.url);
      await ready(page);
      pages.push(page);
      told.push(complaints);
    }
    await work(...pages);
    assert.deepEqual(told.flat(), []);
  } finally {
    await context.close();
  }
}

/** What a worker of a script answers. */
const asked = (page, script, message) =>
  page.evaluate(
    ([script, message]) =>
      new Promise((resolve, reject) => {
        const worker = new Worker(script, { type: "module" });
        worker.onmessage = ({ data }) => (resolve(data), worker.terminate());
        worker.onerror = ({ message }) => reject(new Error(message));
        worker.postMessage(message);
      }),
    [script, message],
  );

for (const isShared of [true, false]) {
  for (const durability of ["strict", "relaxed"]) {
    test(`it keeps the contract of storages, ${durability}, with handles that ${isShared ? "several" : "only one"} may have`, async () => {
      await inPages(1, async (page) => assert.deepEqual(await asked(page, "contract-worker.js", { isShared, durability }), {}));
    });
  }
}

test("a worker of the app opens it at once", async () => {
  await inPages(1, async (page) => assert.deepEqual(await asked(page, "own-worker.js", {}), ["opfs", ["Alice sails"]]));
});

test("opening opens one file, and nothing waits until it is noted when the memory was last seen", async () => {
  await inPages(1, async (page) => {
    const told = await asked(page, "counted-worker.js", {});
    assert.deepEqual(told, [["Alice sails"], { createSyncAccessHandle: 1, createWritable: 0 }, { createSyncAccessHandle: 1, createWritable: 1 }]);
  });
});

test("a page without a worker is refused, and goes on with the next storage of its list", async () => {
  await inPages(1, async (page) => {
    const told = await page.evaluate(async () => {
      const code = await mnemic.openMemory({ name: "here", storage: "opfs" }).catch(({ code, message }) => [code, message]);
      const memory = await mnemic.openMemory({ name: "here", storage: ["opfs", "indexeddb"] });
      const { storage } = await memory.health();
      await memory.close();
      const copy = await mnemic.openMemory({ name: "here", storage: "opfs", copy: "opfs", worker: true }).catch(({ code }) => code);
      return [code, storage, copy];
    });
    const message = '"opfs" needs a dedicated worker: pass worker: true, or open the memory in a worker of your own; to do without, move it with moveMemory()';
    assert.deepEqual(told, [["Storage", message], { kind: "indexeddb", refused: [{ kind: "opfs", message }] }, "InvalidInput"]);
  });
});

test("tabs with workers of their own write at once, and all see everything", async () => {
  await inPages(3, async (...pages) => {
    for (const page of pages) {
      await page.evaluate(async () => {
        globalThis.memory = await mnemic.openMemory({ name: "tabs", storage: "opfs", worker: true });
        globalThis.user = memory.scope({ userId: "alice" });
      });
    }
    const write = (name) => Promise.all(Array.from({ length: 20 }, (_, index) => user.facts.add(`Fact ${index} of tab ${name}`)));
    await Promise.all(pages.map((page, index) => page.evaluate(write, index)));
    const expected = pages.flatMap((_, name) => Array.from({ length: 20 }, (_, index) => `Fact ${index} of tab ${name}`)).sort();
    for (const page of pages) {
      await waitUntil(page, async () => (await user.facts.list({ limit: 1000 })).length >= 60);
      assert.deepEqual(await page.evaluate(async () => (await user.facts.list({ limit: 1000 })).map(({ text }) => text).sort()), expected);
    }
    for (const page of pages) assert.equal(await page.evaluate(async () => (await memory.verify()).ok), true);
  });
});

test("it is deleted while a tab has it open, which then finds it empty, and what is lost is told", async () => {
  await inPages(2, async (one, other) => {
    const count = await one.evaluate(async () => {
      globalThis.memory = await mnemic.openMemory({ name: "gone", storage: "opfs", worker: true });
      await memory.scope({ userId: "alice" }).facts.add("Alice sails");
      // A vector that is still stored afterwards would begin the memory anew.
      await memory.idle();
      return (await memory.health()).bytes.memory;
    });
    assert.ok(count > 0);
    const left = await other.evaluate(async () => {
      await mnemic.deleteMemory("gone");
      const home = await (await navigator.storage.getDirectory()).getDirectoryHandle("mnemic");
      const names = [];
      for await (const name of home.keys()) names.push(name);
      return names;
    });
    assert.deepEqual(left, []);
    const facts = await one.evaluate(async () => {
      await memory.close();
      globalThis.memory = await mnemic.openMemory({ name: "gone", storage: "opfs", worker: true });
      await memory.scope({ userId: "alice" }).facts.add("Alice cooks");
      const facts = await memory.scope({ userId: "alice" }).facts.list();
      await memory.close();
      return facts.map(({ text }) => text);
    });
    assert.deepEqual(facts, ["Alice cooks"]);
    // Somebody takes the files away, and not the note.
    const told = await one.evaluate(async () => {
      const home = await (await navigator.storage.getDirectory()).getDirectoryHandle("mnemic");
      await home.removeEntry("gone.files", { recursive: true });
      const memory = await mnemic.openMemory({ name: "gone", storage: "opfs", worker: true });
      const { wiped } = await memory.health();
      await memory.close();
      return [wiped?.lost, wiped?.lastRecords];
    });
    assert.deepEqual(told, ["all", 1]);
  });
});

test("what finds no room in the site's quota is refused, loses nothing, and is stored when there is room", { timeout: 60_000 }, async () => {
  await inPages(1, async (page) => {
    await page.evaluate(async () => {
      globalThis.memory = await mnemic.openMemory({ name: "full", storage: "opfs", worker: true });
      globalThis.user = memory.scope({ userId: "alice" });
      await user.facts.add("Alice sails");
      await memory.idle();
    });
    const session = await page.context().newCDPSession(page);
    const { origin } = new URL(server.url);
    const { usage } = await session.send("Storage.getUsageAndQuota", { origin });
    await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: usage + 500 });
    const full = await page.evaluate(async () => {
      const refused = await user.facts.add(`Alice ${"rows and ".repeat(150)}swims`).catch(({ code }) => code);
      return [refused, (await user.facts.list()).length];
    });
    assert.deepEqual(full, ["QuotaExceeded", 1]);
    await session.send("Storage.overrideQuotaForOrigin", { origin });
    const told = await page.evaluate(async () => {
      await user.facts.add("Alice swims");
      await memory.close();
      globalThis.memory = await mnemic.openMemory({ name: "full", storage: "opfs", worker: true });
      const facts = await memory.scope({ userId: "alice" }).facts.list();
      const { ok } = await memory.verify();
      await memory.close();
      return [ok, facts.map(({ text }) => text).sort()];
    });
    assert.deepEqual(told, [true, ["Alice sails", "Alice swims"]]);
  });
});

test("a move for which there is no room in the site's quota says so, and the memory stays where it was", { timeout: 60_000 }, async () => {
  await inPages(1, async (page) => {
    await page.evaluate(async () => {
      const memory = await mnemic.openMemory({ name: "moved", storage: "indexeddb" });
      for (let index = 0; index < 4; index += 1) await memory.scope({ userId: "alice" }).facts.add(`Alice ${"rows and ".repeat(400)}swims ${index}`);
      await memory.close();
    });
    const session = await page.context().newCDPSession(page);
    const { origin } = new URL(server.url);
    const { usage } = await session.send("Storage.getUsageAndQuota", { origin });
    for (const room of [0, 500, 5000]) {
      await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: usage + room });
      const told = await page.evaluate(async () => {
        const move = mnemic.moveMemory("moved", { from: "indexeddb", to: "opfs", worker: true });
        const error = await move.catch((error) => error);
        return [error.code, error instanceof mnemic.QuotaExceededError, error.message];
      });
      assert.deepEqual(told.slice(0, 2), ["QuotaExceeded", true], `${room} bytes of room: ${told}`);
    }
    await session.send("Storage.overrideQuotaForOrigin", { origin });
    const facts = await page.evaluate(async () => {
      await mnemic.moveMemory("moved", { from: "indexeddb", to: "opfs", worker: true });
      const memory = await mnemic.openMemory({ name: "moved", storage: "opfs", worker: true });
      const facts = await memory.scope({ userId: "alice" }).facts.list();
      await memory.close();
      return facts.length;
    });
    assert.equal(facts, 4);
  });
});

test("a damaged file opens with what is intact and tells it, and goes on telling where it is moved to", { timeout: 60_000 }, async () => {
  await inPages(1, async (page) => {
    for (const isLost of [false, true]) {
      await page.evaluate(async () => {
        const memory = await mnemic.openMemory({ name: "hurt", storage: "opfs", worker: true });
        for (let index = 0; index < 20; index += 1) await memory.scope({ userId: "alice" }).facts.add(`Alice has been to place ${index}`);
        await memory.close();
      });
      const [files, tags] = await asked(page, "damage-worker.js", ["hurt", isLost]);
      assert.ok(files === 1 && tags > 40, `${files} ${tags}`);
      const told = await page.evaluate(async () => {
        const look = async (options) => {
          const memory = await mnemic.openMemory({ name: "hurt", ...options });
          const facts = (await memory.scope({ userId: "alice" }).facts.list({ limit: 100 })).length;
          const { ok, damage } = await memory.verify();
          await memory.close();
          return [facts, ok, damage.some(({ key }) => key.startsWith("damaged/ffffffffffffffff/journal/"))];
        };
        const first = await look({ storage: "opfs", worker: true });
        await mnemic.moveMemory("hurt", { from: "opfs", to: "indexeddb", worker: true });
        const moved = await look({ storage: "indexeddb" });
        await mnemic.deleteMemory("hurt");
        return [first, moved];
      });
      const facts = isLost ? 19 : 20;
      assert.deepEqual(told, [[facts, false, true], [facts, false, true]]);
    }
  });
});
