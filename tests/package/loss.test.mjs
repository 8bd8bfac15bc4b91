/** Memories that a browser throws away, puts back or damages: noticed, and made good by a copy. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openPage } from "./support/browser.mjs";
import { PAGE, ready } from "./support/page.mjs";
import { serveProject } from "./support/served.mjs";
import { serve } from "./support/server.mjs";

/** What the tests use inside of the page. */
const HELPERS = `
  globalThis.open = async (name, options = {}) => {
    globalThis.memory = await mnemic.openMemory({ name, extraction: { auto: false }, ...options });
    globalThis.user = memory.scope({ userId: "alice" });
    globalThis.wiped = [];
    memory.on("wiped", (event) => wiped.push(event));
    await new Promise((resolve) => setTimeout(resolve, 0));
    return { wiped, facts: (await user.facts.list({ limit: 1000 })).map(({ text }) => text).sort() };
  };
  globalThis.say = async (...texts) => {
    for (const text of texts) await user.facts.add(text);
  };
  const done = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  globalThis.wipe = (name) => done(indexedDB.deleteDatabase("mnemic:" + name));
  globalThis.inStore = async (name, work) => {
    const database = await done(indexedDB.open("mnemic:" + name));
    const [storeName] = database.objectStoreNames;
    const transaction = database.transaction(storeName, "readwrite");
    const ended = new Promise((resolve) => (transaction.oncomplete = resolve));
    const answer = await work(transaction.objectStore(storeName), done);
    await ended;
    database.close();
    return answer;
  };
  globalThis.pairsOf = (name) => inStore(name, async (store, done) => {
    const [keys, values] = await Promise.all([done(store.getAllKeys()), done(store.getAll())]);
    return keys.map((key, index) => [key, values[index]]);
  });
  globalThis.putBack = (name, pairs) => inStore(name, async (store) => {
    store.clear();
    for (const [key, value] of pairs) store.put(value, key);
  });
`;

const WORKER = `
  import * as mnemic from "./node_modules/mnemic/entry/browser.js";
  onmessage = async ({ data: name }) => {
    const memory = await mnemic.openMemory({ name, extraction: { auto: false } });
    const wiped = [];
    memory.on("wiped", (event) => wiped.push(event));
    await new Promise((resolve) => setTimeout(resolve, 0));
    await memory.scope({ userId: "alice" }).facts.add("Alice works in a worker");
    await memory.close();
    postMessage(wiped);
  };
`;

const FRAME = `<!doctype html><script type="module">
  import * as mnemic from "./node_modules/mnemic/entry/browser.js";
  const attempt = async (storage) => {
    try {
      const memory = await mnemic.openMemory({ name: "framed", storage });
      return (await memory.health()).storage;
    } catch (error) {
      return error.code;
    }
  };
  const told = { auto: await attempt("auto"), list: await attempt(["indexeddb", "memory"]) };
  parent.postMessage(told, "*");
</script>`;

let project, browser, server, close, context, page, complaints;

before(async () => {
  ({ project, browser, server, close } = await serveProject({ ...PAGE, "worker.js": WORKER, "frame.html": FRAME }));
  context = await browser.newContext();
  ({ page, complaints } = await openPage(context, server.url));
  await ready(page);
  await page.evaluate(HELPERS);
});

after(async () => {
  assert.deepEqual(complaints, []);
  await close?.();
});

test("a new memory and one that is still there are not told as lost", async () => {
  const told = await page.evaluate(async () => {
    const first = await open("whole");
    await say("Alice lives in Lisbon");
    await memory.close();
    const second = await open("whole");
    const { wiped } = await memory.health();
    await memory.close();
    return { first, second, wiped };
  });
  assert.deepEqual(told.first, { wiped: [], facts: [] });
  assert.deepEqual(told.second, { wiped: [], facts: ["Alice lives in Lisbon"] });
  assert.equal(told.wiped, undefined);
});

test("a database that is gone is told from a new one, as long as nothing new is stored", async () => {
  const told = await page.evaluate(async () => {
    await open("gone");
    await say("Alice lives in Lisbon", "Alice has a dog");
    await memory.close();
    await wipe("gone");
    const first = await open("gone");
    const health = await memory.health();
    await memory.close();
    const again = await open("gone");
    await say("Alice begins anew");
    await memory.close();
    const last = await open("gone");
    await memory.close();
    return { first, health: health.wiped, again: again.wiped.length, last };
  });
  const [{ lastSeenAt, ...event }] = told.first.wiped;
  assert.deepEqual(event, { lost: "all", restored: false, records: 0, lastRecords: 2 });
  assert.ok(Math.abs(Date.now() - lastSeenAt) < 3_600_000);
  assert.equal(told.health.lost, "all");
  assert.equal(told.again, 1);
  assert.deepEqual(told.last, { wiped: [], facts: ["Alice begins anew"] });
});

test("site data that the browser clears is noticed and comes back from the copy", async () => {
  await page.evaluate(async () => {
    await open("cleared", { copy: "bucket" });
    await say("Alice lives in Lisbon");
    await memory.close();
  });
  const session = await context.newCDPSession(page);
  await session.send("Storage.clearDataForOrigin", { origin: new URL(server.url).origin, storageTypes: "indexeddb" });
  const told = await page.evaluate(async () => {
    const told = await open("cleared", { copy: "bucket" });
    await memory.close();
    return told;
  });
  assert.deepEqual(told.facts, ["Alice lives in Lisbon"]);
  assert.deepEqual(told.wiped.map(({ lost, restored }) => ({ lost, restored })), [{ lost: "all", restored: true }]);
});

test("a memory deleted on purpose is not told as lost, and no copy brings it back", async () => {
  const told = await page.evaluate(async () => {
    await open("deleted", { copy: "opfs" });
    await say("Alice lives in Lisbon");
    await memory.close();
    await mnemic.deleteMemory("deleted");
    const databases = (await indexedDB.databases()).map(({ name }) => name);
    const told = await open("deleted", { copy: "opfs" });
    await memory.close();
    await mnemic.deleteMemory("deleted");
    await mnemic.deleteMemory("deleted");
    return { databases, ...told };
  });
  assert.ok(!told.databases.includes("mnemic:deleted"));
  assert.deepEqual([told.wiped, told.facts], [[], []]);
});

for (const copy of ["opfs", "bucket"]) {
  test(`a memory with a copy (${copy}) comes back whole by itself, and goes on`, async () => {
    const told = await page.evaluate(async (copy) => {
      const name = `back-${copy}`;
      await open(name, { copy });
      for (let index = 0; index < 300; index += 1) await user.facts.add(`Fact ${index} of Alice`);
      await memory.close();
      await wipe(name);
      const back = await open(name, { copy });
      const { ok } = await memory.verify();
      await say("Alice goes on");
      await memory.close();
      const after = await open(name, { copy });
      const health = await memory.health();
      await memory.close();
      return { wiped: back.wiped, facts: back.facts.length, ok, after: after.facts.length, again: after.wiped, health };
    }, copy);
    assert.equal(told.facts, 300);
    assert.equal(told.ok, true);
    assert.equal(told.after, 301);
    assert.deepEqual(told.again, []);
    const [{ lost, restored, records, lastRecords }] = told.wiped;
    assert.deepEqual({ lost, restored, records, lastRecords }, { lost: "all", restored: true, records: 300, lastRecords: 300 });
    assert.deepEqual([told.health.copy.kind, told.health.copy.error], [copy, undefined]);
  });
}

test("a database that vanishes under an open memory is filled again, and the call goes through", async () => {
  const told = await page.evaluate(async () => {
    await open("vanished", { copy: "opfs" });
    await say("Alice lives in Lisbon", "Alice has a dog");
    await wipe("vanished");
    await say("Alice sings");
    const facts = (await user.facts.list()).map(({ text }) => text).sort();
    await memory.close();
    const after = await open("vanished", { copy: "opfs" });
    await memory.close();
    return { facts, after: after.facts, restored: wiped.concat(after.wiped).length };
  });
  assert.deepEqual(told.facts, ["Alice has a dog", "Alice lives in Lisbon", "Alice sings"]);
  assert.deepEqual(told.after, told.facts);
});

test("a database put back to an earlier state is noticed, and the copy brings the rest", async () => {
  const told = await page.evaluate(async () => {
    const answers = {};
    for (const copy of [undefined, "opfs"]) {
      const name = `rolled-${copy}`;
      const options = copy && { copy };
      await open(name, options);
      await say("Alice lives in Lisbon");
      const pairs = await pairsOf(name);
      await say("Alice has a dog");
      await memory.close();
      await putBack(name, pairs);
      answers[copy] = await open(name, options);
      await memory.close();
      answers.again = (answers.again ?? 0) + (await open(name, options)).wiped.length;
      await memory.close();
    }
    return answers;
  });
  assert.equal(told.again, 0, "it is told once");
  assert.deepEqual(told["undefined"].facts, ["Alice lives in Lisbon"]);
  assert.deepEqual(told["undefined"].wiped.map(({ lost, restored }) => [lost, restored]), [["some", false]]);
  assert.deepEqual(told["opfs"].facts, ["Alice has a dog", "Alice lives in Lisbon"]);
  assert.deepEqual(told["opfs"].wiped.map(({ lost, restored }) => [lost, restored]), [["some", true]]);
});

test("damaged and missing values are replaced from the copy, a lost head too", async () => {
  const told = await page.evaluate(async () => {
    const damages = {
      flipped: ([key, value]) => (key.startsWith("log/") ? [[key, value.map((byte, index) => (index === 20 ? byte ^ 1 : byte))]] : [[key, value]]),
      missing: ([key, value]) => (key.startsWith("log/") && key.includes("1/") ? [] : [[key, value]]),
      headless: ([key, value]) => (key === "head" || key.endsWith("2/0000") ? [] : [[key, value]]),
    };
    const answers = {};
    for (const [name, damage] of Object.entries(damages)) {
      await open(name, { copy: "opfs" });
      await say("Alice lives in Lisbon", "Alice has a dog", "Alice sings");
      await memory.close();
      await putBack(name, (await pairsOf(name)).flatMap(damage));
      const { facts, wiped } = await open(name, { copy: "opfs" });
      const verified = await memory.verify();
      answers[name] = { facts: facts.length, restored: wiped.map(({ restored }) => restored), keys: verified.damage.map(({ key }) => key) };
      await memory.close();
    }
    return answers;
  });
  assert.deepEqual(told.flipped, { facts: 3, restored: [true], keys: [] });
  assert.deepEqual(told.missing, { facts: 3, restored: [true], keys: [] });
  assert.equal(told.headless.facts, 3);
});

test("the last backup of a memory that was lost is not overwritten by what comes after it", async () => {
  // What was said first after a loss took the place of the backup that was to make it good.
  const told = await page.evaluate(async () => {
    const folder = await navigator.storage.getDirectory();
    const isWritten = async () => (await (await (await folder.getFileHandle("backed.mnemic")).getFile()).text()).includes("Lisbon");
    const until = async (holds) => {
      for (;;) {
        const state = await memory.backup.state();
        if (holds(state)) return state;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    };
    const hidden = async () => {
      await until(({ isDue }) => isDue);
      Object.defineProperty(document, "visibilityState", { configurable: true, value: "hidden" });
      document.dispatchEvent(new Event("visibilitychange"));
      delete document.visibilityState;
      const { error } = await until(({ error, isDue }) => error !== undefined || !isDue);
      return { error: error?.code, isWritten: await isWritten() };
    };
    await open("backed");
    await say("Alice lives in Lisbon");
    await memory.backup.to(folder);
    await memory.close();
    await wipe("backed");
    await open("backed");
    await say("Hello again");
    const lost = await hidden();
    await memory.close();
    await open("backed");
    await say("Still here");
    const later = await hidden();
    await memory.backup.restore();
    const facts = (await user.facts.list()).map(({ text }) => text);
    await say("Alice is back");
    const after = await memory.backup.now();
    await memory.close();
    await mnemic.deleteMemory("backed");
    await open("backed");
    const { target } = await memory.backup.state();
    await memory.close();
    return { lost, later, facts, error: after.error, target };
  });
  assert.deepEqual(told, {
    lost: { error: "Storage", isWritten: true },
    later: { error: "Storage", isWritten: true },
    facts: ["Alice lives in Lisbon"],
    error: undefined,
    target: undefined,
  });
});

test("a copy that can neither follow nor be emptied is told, and follows later", async () => {
  const told = await page.evaluate(async () => {
    await open("unclean", { copy: "opfs" });
    await say("Alice lives in Lisbon");
    await memory.close();
    await open("unclean", { copy: "opfs" });
    const errors = [];
    memory.on("error", ({ code }) => errors.push(code));
    const files = FileSystemFileHandle.prototype;
    const folders = FileSystemDirectoryHandle.prototype;
    const originals = [files.createWritable, folders.removeEntry];
    const blocked = async () => {
      throw new DOMException("blocked for this test", "NoModificationAllowedError");
    };
    [files.createWritable, folders.removeEntry] = [blocked, blocked];
    const { forgotten } = await user.forget({ scope: true });
    const { copy } = await memory.health();
    [files.createWritable, folders.removeEntry] = originals;
    await memory.close();
    await open("unclean", { copy: "opfs" });
    await memory.close();
    await open("unclean", { copy: "opfs" });
    const after = (await memory.health()).copy;
    await memory.close();
    return { forgotten: forgotten.fact, error: copy.error?.message, errors, after: after.error };
  });
  assert.match(told.error, /may still be in its copy/);
  assert.deepEqual([told.forgotten > 0, told.errors, told.after], [true, ["Storage"], undefined]);
});

/** Backups inside of the page: the page is hidden, so that one is made at once, and what is in the file. */
const BACKUPS = `
  globalThis.untilBackup = async (memory, holds) => {
    for (;;) {
      const state = await memory.backup.state();
      if (holds(state)) return state;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  globalThis.hidePage = () => {
    Object.defineProperty(document, "visibilityState", { configurable: true, value: "hidden" });
    document.dispatchEvent(new Event("visibilitychange"));
    delete document.visibilityState;
  };
  globalThis.backupText = async (name) => {
    const folder = await navigator.storage.getDirectory();
    return (await (await folder.getFileHandle(name + ".mnemic")).getFile()).text();
  };
`;

test("what an earlier visit wrote after its last backup is backed up by the next visit", async () => {
  await page.evaluate(BACKUPS);
  const told = await page.evaluate(async () => {
    await open("caught");
    await say("Alice lives in Lisbon");
    await memory.backup.to(await navigator.storage.getDirectory());
    await say("Alice has a dog");
    await memory.close();
    const before = (await backupText("caught")).includes("a dog");
    await open("caught");
    await untilBackup(memory, ({ isDue }) => isDue);
    hidePage();
    await untilBackup(memory, ({ isDue, isRunning }) => !isDue && !isRunning);
    const after = (await backupText("caught")).includes("a dog");
    // Nothing was noted of the memory, so its loss shows only in that it is empty.
    await memory.close();
    await wipe("caught");
    localStorage.removeItem("mnemic-marker:caught");
    const lost = await open("caught");
    await untilBackup(memory, ({ isDue }) => isDue);
    hidePage();
    const { error } = await untilBackup(memory, ({ error }) => error !== undefined);
    const kept = (await backupText("caught")).includes("a dog");
    await memory.close();
    return { before, after, wiped: lost.wiped.length, error: error.code, kept };
  });
  assert.deepEqual(told, { before: false, after: true, wiped: 0, error: "Storage", kept: true });
});

test("what one tab decides of backups counts in all, and what one notes of them is kept by all", async () => {
  await page.evaluate(BACKUPS);
  const told = await page.evaluate(async () => {
    const folder = await navigator.storage.getDirectory();
    await open("tabs");
    const [first, mine] = [memory, user];
    await open("tabs");
    const second = memory;
    await mine.facts.add("Alice sings");
    await first.backup.to(folder);
    const { target } = await second.backup.state();
    // Each tab knew only of its own notes, and wrote over the other's.
    await say("Alice lives in Lisbon");
    const { lastBackupAt } = await second.health();
    await mine.facts.add("Alice has a dog");
    await untilBackup(second, ({ isDue }) => isDue);
    await first.backup.stop();
    const before = await backupText("tabs");
    hidePage();
    await second.backup.stop();
    const rejected = await second.backup.now().catch(({ code }) => code);
    const unchanged = before === (await backupText("tabs"));
    await second.close();
    await first.close();
    await open("tabs");
    const again = (await memory.health()).lastBackupAt;
    await memory.close();
    const marker = JSON.parse(localStorage.getItem("mnemic-marker:tabs"));
    return { target: target.kind, noted: [lastBackupAt, again].map((at) => at === marker.backedUpAt && at > 0), rejected, unchanged };
  });
  assert.deepEqual(told, { target: "directory", noted: [true, true], rejected: "NotFound", unchanged: true });
});

test("a choice of backups that cannot be read or kept is told as a failure of the storage", async () => {
  const told = await page.evaluate(async () => {
    const folder = await navigator.storage.getDirectory();
    const code = (promise) => promise.then(() => "done", (error) => (error instanceof mnemic.StorageError ? error.code : String(error)));
    await open("choice");
    await say("Alice lives in Lisbon");
    await memory.backup.to(folder);
    await memory.close();
    const original = IDBFactory.prototype.open;
    IDBFactory.prototype.open = function (name, ...rest) {
      if (name === "mnemic-backups") throw new DOMException("blocked for this test", "SecurityError");
      return original.call(this, name, ...rest);
    };
    try {
      await open("choice");
      const errors = [];
      memory.on("error", (error) => errors.push(error.code));
      const { error } = await memory.backup.state();
      const codes = [];
      for (const call of [() => memory.backup.now(), () => memory.backup.to(folder), () => memory.backup.stop()]) codes.push(await code(call()));
      await memory.close();
      return { error: error.code, codes, errors };
    } finally {
      IDBFactory.prototype.open = original;
      await mnemic.deleteMemory("choice");
    }
  });
  assert.deepEqual(told, { error: "Storage", codes: ["Storage", "Storage", "Storage"], errors: ["Storage"] });
});

test("a worker notices a loss by a file of its own", async () => {
  const told = await page.evaluate(async () => {
    const inWorker = () =>
      new Promise((resolve, reject) => {
        const worker = new Worker("worker.js", { type: "module" });
        worker.onmessage = ({ data }) => (worker.terminate(), resolve(data));
        worker.onerror = ({ message }) => reject(new Error(message));
        worker.postMessage("worked");
      });
    const first = await inWorker();
    await wipe("worked");
    return [first, await inWorker()];
  });
  assert.deepEqual(told[0], []);
  assert.deepEqual(told[1].map(({ lost, lastRecords }) => [lost, lastRecords]), [["all", 1]]);
});

test("health tells storage, persistence, bytes and backlog", async () => {
  const health = await page.evaluate(async () => {
    await open("health", { persist: true });
    await say("Alice lives in Lisbon");
    const health = await memory.health();
    await memory.close();
    return health;
  });
  assert.deepEqual(health.storage, { kind: "indexeddb", refused: [] });
  assert.equal(health.persistence.asked, true);
  assert.equal(typeof health.persistence.persisted, "boolean");
  assert.ok(health.bytes.memory > 0 && health.bytes.memory < health.bytes.quota);
  assert.deepEqual([health.damage, health.copy, health.wiped], [[], undefined, undefined]);
  assert.ok(Array.isArray(health.backlog));
});

test("where IndexedDB is refused, only what the option allows takes its place, and health says so", async () => {
  const blocked = await openPage(context, server.url);
  await ready(blocked.page);
  await page.evaluate(async () => {
    await open("known", { copy: "opfs" });
    await say("Alice lives in Lisbon");
    await memory.close();
    await open("unsaved");
    await say("Alice lives in Lisbon");
    await memory.close();
  });
  const told = await blocked.page.evaluate(async () => {
    IDBFactory.prototype.open = () => {
      throw new DOMException("blocked for this test", "SecurityError");
    };
    const attempt = async (name, options) => {
      try {
        const memory = await mnemic.openMemory({ name, ...options });
        const { storage, copy } = await memory.health();
        const facts = (await memory.scope({ userId: "alice" }).facts.list()).length;
        await memory.close();
        return { kind: storage.kind, refused: storage.refused.map(({ kind }) => kind), facts, ...(copy?.error && { error: copy.error.code }) };
      } catch (error) {
        return `${error.code}: ${error.message}`;
      }
    };
    return {
      auto: await attempt("fresh", {}),
      only: await attempt("fresh", { storage: "indexeddb" }),
      list: await attempt("fresh", { storage: ["indexeddb", "memory"] }),
      known: await attempt("unsaved", {}),
      allowed: await attempt("unsaved", { storage: ["indexeddb", "memory"] }),
      onCopy: await attempt("known", { copy: "opfs" }),
    };
  });
  assert.deepEqual(told.auto, { kind: "localstorage", refused: ["indexeddb"], facts: 0 });
  assert.match(told.only, /^Storage: .*blocked for this test/);
  assert.deepEqual(told.list, { kind: "memory", refused: ["indexeddb"], facts: 0 });
  assert.match(told.known, /^Storage: the memory is in indexeddb, which the browser refuses now/);
  assert.deepEqual(told.allowed, { kind: "memory", refused: ["indexeddb"], facts: 0 });
  assert.deepEqual(told.onCopy, { kind: "opfs", refused: [], facts: 1, error: "Storage" });
});

test("a frame without an origin keeps nothing, unless the option allows to keep it in memory", async () => {
  const open = await serve(project.folder, { headers: { "access-control-allow-origin": "*" } });
  try {
    const { page } = await openPage(context, open.url);
    const told = await page.evaluate(async () => {
      const frame = document.createElement("iframe");
      frame.sandbox = "allow-scripts";
      frame.src = "frame.html";
      const answer = new Promise((resolve) => addEventListener("message", ({ data }) => resolve(data), { once: true }));
      document.body.append(frame);
      return answer;
    });
    assert.equal(told.auto, "Storage");
    assert.deepEqual([told.list.kind, told.list.refused.map(({ kind }) => kind)], ["memory", ["indexeddb"]]);
    await page.close();
  } finally {
    await open.close();
  }
});
