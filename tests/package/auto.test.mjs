/** Where `storage: "auto"` finds a memory, and where it begins one. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openPage } from "./support/browser.mjs";
import { PAGE, ready } from "./support/page.mjs";
import { serveProject } from "./support/served.mjs";

const OPENED = `
/** Opens a memory, adds a fact, and answers where it is and what is in it; or the code of the error. */
globalThis.opened = async (options = {}) => {
  let memory;
  try {
    memory = await mnemic.openMemory({ name: "chat", ...options });
    const user = memory.scope({ userId: "alice" });
    const before = (await user.facts.list()).length;
    await user.facts.add("Fact " + Math.random());
    const { storage, wiped } = await memory.health();
    return [storage.kind, before, ...(wiped ? [wiped.lost] : [])];
  } catch (error) {
    return [error.code];
  } finally {
    await memory?.close();
  }
};

globalThis.mnemicWork = { opened: (options) => opened(options), moved: async (from, to) => mnemic.moveMemory("chat", { from, to }), deleted: async () => mnemic.deleteMemory("chat") };
/** Has a worker of the app do that itself. */
globalThis.inWorker = (...work) =>
  new Promise((resolve, reject) => {
    const worker = new Worker("own-worker.js", { type: "module" });
    worker.onmessage = ({ data }) => (worker.terminate(), resolve(data));
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.postMessage(work);
  });
`;

let browser, server, close;

before(async () => {
  const worker = 'import "./page.js";\nonmessage = async ({ data }) => postMessage(await mnemicWork[data[0]](...data.slice(1)).catch(({ code }) => [code]));\n';
  ({ browser, server, close } = await serveProject({ ...PAGE, "page.js": PAGE["page.js"] + OPENED, "own-worker.js": worker }));
});

after(() => close?.());

const inPage = async (work) => {
  const context = await browser.newContext();
  try {
    const { page, complaints } = await openPage(context, server.url);
    await ready(page);
    const result = await page.evaluate(work);
    assert.deepEqual(complaints, []);
    return result;
  } finally {
    await context.close();
  }
};

test("with a worker, a new memory begins in OPFS and stays there; without one, it is not begun anew", async () => {
  const told = await inPage(async () => [
    await opened({ worker: true }),
    await opened({ worker: true, storage: "auto" }),
    await opened(),
    await opened({ worker: "shared" }),
    await opened({ worker: true, copy: "opfs" }),
    await opened({ worker: true }),
  ]);
  assert.deepEqual(told, [["opfs", 0], ["opfs", 1], ["Storage"], ["Storage"], ["Storage"], ["opfs", 2]]);
});

test("without a worker of the page's own, or with a copy, it begins in IndexedDB, and is found there by a worker", async () => {
  for (const first of ["{}", '{ worker: "shared" }', '{ worker: true, copy: "opfs" }']) {
    const told = await inPage(`(async () => [await opened(${first}), await opened({ worker: true }), await opened(), await opened({ worker: "shared" })])()`);
    assert.deepEqual(told, [["indexeddb", 0], ["indexeddb", 1], ["indexeddb", 2], ["indexeddb", 3]], first);
  }
});

test("a memory in IndexedDB that nothing is noted of is found, and one in localStorage", async () => {
  const told = await inPage(async () => {
    const told = [await opened({ storage: "indexeddb" })];
    localStorage.removeItem("mnemic-marker:chat");
    told.push(await opened({ worker: true }));
    await mnemic.deleteMemory("chat");
    told.push(await opened({ storage: "localstorage" }), await opened(), await opened({ worker: true }));
    await mnemic.moveMemory("chat", { from: "localstorage", to: "opfs", worker: true });
    told.push(await opened({ worker: true }));
    await mnemic.moveMemory("chat", { from: "opfs", to: "indexeddb", worker: true });
    told.push(await opened({ worker: true }), await opened());
    return told;
  });
  const inIndexedDb = [["indexeddb", 0], ["indexeddb", 1]];
  const inLocalStorage = [["localstorage", 0], ["localstorage", 1], ["Storage"]];
  assert.deepEqual(told, [...inIndexedDb, ...inLocalStorage, ["opfs", 2], ["indexeddb", 3], ["indexeddb", 4]]);
});

test("one that was deleted begins anew in OPFS; one that was lost is told as lost, where it was", async () => {
  const told = await inPage(async () => {
    const told = [await opened({ storage: "indexeddb" })];
    await mnemic.deleteMemory("chat");
    told.push(await opened({ worker: true }));
    const home = await (await navigator.storage.getDirectory()).getDirectoryHandle("mnemic");
    await home.removeEntry("chat.files", { recursive: true });
    told.push(await opened({ worker: true }));
    await mnemic.deleteMemory("chat");
    told.push(await opened());
    await new Promise((resolve, reject) => Object.assign(indexedDB.deleteDatabase("mnemic:chat"), { onsuccess: resolve, onerror: reject }));
    told.push(await opened({ worker: true }));
    return told;
  });
  assert.deepEqual(told, [["indexeddb", 0], ["opfs", 0], ["opfs", 0, "all"], ["indexeddb", 0], ["indexeddb", 0, "all"]]);
});

test("where there are no private files it begins in IndexedDB, and looking makes nothing", async () => {
  const told = await inPage(async () => {
    const { getDirectory } = StorageManager.prototype;
    StorageManager.prototype.getDirectory = () => Promise.reject(new DOMException("blocked for this test", "SecurityError"));
    const told = [await opened({ worker: true })];
    StorageManager.prototype.getDirectory = getDirectory;
    told.push(await opened({ worker: true }));
    const code = await mnemic.openMemory({ name: "else", maxMemoryBytes: 64 * 2 ** 20, encryption: { passphrase: "" } }).catch(({ code }) => code);
    told.push(code, (await indexedDB.databases()).map(({ name }) => name).filter((name) => name.startsWith("mnemic:")));
    return told;
  });
  assert.deepEqual(told, [["indexeddb", 0], ["indexeddb", 1], "InvalidInput", ["mnemic:chat"]]);
});

/** An empty memory was begun in the storage that was named, without a word. */
for (const [there, asked] of [["indexeddb", "opfs"], ["opfs", "indexeddb"], ["localstorage", "indexeddb"], ["indexeddb", "localstorage"], ["localstorage", "opfs"]]) {
  for (const isNoted of [true, false]) {
    test(`a memory in ${there} is not begun anew in ${asked}${isNoted ? "" : ", also when nothing is noted of it"}`, async () => {
      const told = await inPage(`(async () => {
        const [there, asked] = ${JSON.stringify([there, asked])};
        const into = (storage) => ({ storage, worker: storage.includes("opfs") && !storage.includes("localstorage") });
        const told = [await opened(into(there))];
        if (!${isNoted}) localStorage.removeItem("mnemic-marker:chat");
        const { code, message, details } = await mnemic.openMemory({ name: "chat", ...into(asked) }).catch((error) => error);
        const isTold = message.includes('the memory "chat" is in "' + there + '"') && message.includes("moveMemory()");
        told.push([code, isTold || message, details.name], await opened(into([asked, "memory"])), await opened(into("memory")));
        told.push(await opened(into([asked, there])), await opened(into(there)));
        await mnemic.moveMemory("chat", { from: there, to: asked, worker: true });
        told.push(await opened(into(asked)), await opened(into(there)));
        return told;
      })()`);
      const moved = [[asked, 3], ["Storage"]];
      assert.deepEqual(told, [[there, 0], ["Storage", true, "chat"], ["Storage"], ["memory", 0], [there, 1], [there, 2], ...moved]);
    });
  }
}

test("where nothing was stored, a memory may begin elsewhere, and two that are there are opened as they are named", async () => {
  const told = await inPage(async () => {
    await (await mnemic.openMemory({ name: "chat", storage: "opfs", worker: true })).close();
    const told = [await opened({ storage: "indexeddb" })];
    const kept = await mnemic.openMemory({ name: "other", storage: "opfs", worker: true });
    await kept.scope({ userId: "alice" }).facts.add("Alice sails");
    await kept.close();
    const home = await (await navigator.storage.getDirectory()).getDirectoryHandle("mnemic");
    const [from, to] = [await home.getDirectoryHandle("other.files"), await home.getDirectoryHandle("chat.files", { create: true })];
    for await (const { name } of to.values()) await to.removeEntry(name);
    for await (const file of from.values()) {
      const stream = await (await to.getFileHandle(file.name, { create: true })).createWritable();
      await stream.write(await file.getFile());
      await stream.close();
    }
    told.push(await opened({ storage: "opfs", worker: true }), await opened({ storage: "indexeddb" }));
    return told;
  });
  assert.deepEqual(told, [["indexeddb", 0], ["opfs", 1], ["indexeddb", 1]]);
});

/** The place that was left is removed last, and until then it counted as the memory. */
for (const [from, to] of [["indexeddb", "opfs"], ["opfs", "indexeddb"], ["localstorage", "opfs"], ["opfs", "localstorage"]]) {
  for (const isNoted of [true, false]) {
    test(`a memory is found where it is when a move from ${from} to ${to} was cut off at its end${isNoted ? "" : ", and nothing is noted of it"}`, async () => {
      const context = await browser.newContext();
      try {
        const { page } = await openPage(context, server.url);
        await ready(page);
        const first = await page.evaluate(
          async ([from, to]) => {
            const first = await opened({ storage: from, worker: from === "opfs" });
            const isStuck = new Promise((resolve) => {
              const { deleteDatabase } = IDBFactory.prototype;
              IDBFactory.prototype.deleteDatabase = function (name) {
                if (name !== "mnemic:chat") return deleteDatabase.call(this, name);
                resolve();
                return {};
              };
              const { removeEntry } = FileSystemDirectoryHandle.prototype;
              FileSystemDirectoryHandle.prototype.removeEntry = function (name, ...values) {
                if (name !== "chat.files") return removeEntry.call(this, name, ...values);
                resolve();
                return new Promise(() => {});
              };
              // There is nothing to remove of localStorage.
              void mnemic.moveMemory("chat", { from, to, worker: true }).then(resolve);
            });
            await isStuck;
            return first;
          },
          [from, to],
        );
        assert.deepEqual(first, [from, 0]);
        if (!isNoted) await page.evaluate(() => localStorage.removeItem("mnemic-marker:chat"));
        await page.close();
        const { page: next } = await openPage(context, server.url);
        await ready(next);
        const told = await next.evaluate((worker) => opened({ worker }), to !== "localstorage");
        assert.deepEqual(told, [to, 1]);
        const again = await next.evaluate(([from, to]) => mnemic.moveMemory("chat", { from, to, worker: true }).catch(({ code }) => code), [from, to]);
        assert.equal(again, "NotFound");
        assert.deepEqual(await next.evaluate((worker) => opened({ worker }), to !== "localstorage"), [to, 2]);
      } finally {
        await context.close();
      }
    });
  }
}

test("tabs that begin it at the same moment share it", async () => {
  const context = await browser.newContext();
  try {
    const pages = await Promise.all([0, 1, 2].map(async () => (await openPage(context, server.url)).page));
    await Promise.all(pages.map(ready));
    const kinds = await Promise.all(pages.map((page) => page.evaluate(async () => (await opened({ worker: true }))[0])));
    assert.deepEqual(kinds, ["opfs", "opfs", "opfs"]);
    assert.deepEqual(await pages[0].evaluate(async () => opened({ worker: true })), ["opfs", 3]);
  } finally {
    await context.close();
  }
});

/** What the one had noted was believed: an empty memory was begun where it had been, and told as lost. */
test("a memory that a worker of the app has moved is not begun anew by a page, and the reverse", async () => {
  const told = await inPage(async () => {
    const told = [await opened({ storage: "indexeddb" }), await inWorker("moved", "indexeddb", "opfs")];
    told.push(await opened({ storage: "indexeddb" }), await inWorker("opened", { storage: "opfs" }));
    await mnemic.moveMemory("chat", { from: "opfs", to: "indexeddb", worker: true });
    told.push(await inWorker("opened", { storage: "opfs" }), await inWorker("opened", { storage: "indexeddb" }), await opened({ storage: "indexeddb" }));
    return told;
  });
  assert.deepEqual(told, [["indexeddb", 0], undefined, ["Storage"], ["opfs", 1], ["Storage"], ["indexeddb", 2], ["indexeddb", 3]]);
});

test("a worker that the page hands over notes what the page notes", async () => {
  const told = await inPage(async () => {
    const worker = () => new Worker("node_modules/mnemic/worker/script.js", { type: "module" });
    const told = [await opened({ storage: "opfs", worker }), JSON.parse(localStorage.getItem("mnemic-marker:chat")).storage];
    told.push(await opened({ worker: true }), await opened({ worker }), await opened({ storage: "indexeddb", worker }));
    return told;
  });
  assert.deepEqual(told, [["opfs", 0], "opfs", ["opfs", 1], ["opfs", 2], ["Storage"]]);
});
