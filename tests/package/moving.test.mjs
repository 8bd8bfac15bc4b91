/** Moving a memory between storages: all of it arrives, and what is cut off or met by others leaves one that is whole. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { openPage } from "./support/browser.mjs";
import { PAGE, ready } from "./support/page.mjs";
import * as rich from "./support/rich.mjs";
import { serveProject } from "./support/served.mjs";
import { ask } from "./support/sqlite.mjs";

let browser, server, project, close, mnemic;

before(async () => {
  const source = await readFile(join(import.meta.dirname, "support/rich.mjs"), "utf8");
  const page = `${PAGE["page.js"]}import * as rich from "./rich.mjs";\nglobalThis.rich = rich;\n`;
  ({ browser, server, project, close } = await serveProject({ ...PAGE, "page.js": page, "rich.mjs": source }));
  mnemic = await project.import('export * from "mnemic"; export { fileStorage } from "mnemic/node";');
});

after(() => close?.());

/** A storage of an app. */
function inMap(pairs = new Map()) {
  const head = () => (pairs.has("head") ? Number(new DataView(pairs.get("head").buffer, pairs.get("head").byteOffset).getBigUint64(0, true)) : 0);
  return {
    pairs,
    async read(start, end) {
      return [...pairs].filter(([key]) => start <= key && key < end).sort(([one], [other]) => (one < other ? -1 : 1));
    },
    async write({ puts, deletes }, expected) {
      if (head() !== expected) throw Object.assign(new Error("the head has moved"), { code: "Conflict" });
      for (const key of deletes) pairs.delete(key);
      for (const [key, value] of puts) pairs.set(key, value.slice());
    },
  };
}

/** A filled memory in a map, and what it says. */
async function filled(name = "chat") {
  const storage = inMap();
  const memory = await rich.open(mnemic, { name, storage });
  await rich.fill(memory);
  const told = await rich.told(memory);
  await memory.close();
  return { storage, told };
}

/** What a memory in a map says. */
async function toldOf({ pairs }, name = "chat") {
  const memory = await rich.open(mnemic, { name, storage: inMap(new Map(pairs)) });
  try {
    return await rich.told(memory);
  } finally {
    await memory.close();
  }
}

const inPage = async (work, ...values) => {
  const context = await browser.newContext();
  try {
    const { page, complaints } = await openPage(context, server.url);
    await ready(page);
    const result = await page.evaluate(work, ...values);
    assert.deepEqual(complaints, []);
    return result;
  } finally {
    await context.close();
  }
};

const KINDS = ["indexeddb", "localstorage", "opfs"];

for (const from of KINDS) {
  for (const to of KINDS.filter((kind) => kind !== from)) {
    for (const passphrase of [undefined, "correct horse"]) {
      test(`a memory moves from ${from} to ${to} and back${passphrase ? ", encrypted" : ""}`, async () => {
        const result = await inPage(
          async ([from, to, passphrase]) => {
            const options = (storage) => ({ name: "chat", storage, worker: storage === "opfs", ...(passphrase && { encryption: { passphrase } }) });
            const opened = async (storage, work) => {
              const memory = await rich.open(mnemic, options(storage));
              try {
                return await work(memory);
              } finally {
                await memory.close();
              }
            };
            /** What is left in a storage. */
            const left = async (storage) => {
              if (storage === "indexeddb") return (await indexedDB.databases()).map(({ name }) => name);
              if (storage === "localstorage") return Object.keys(localStorage).filter((key) => key.startsWith("mnemic:chat:"));
              const home = await (await navigator.storage.getDirectory()).getDirectoryHandle("mnemic", { create: true });
              const names = [];
              for await (const name of home.keys()) if (name.endsWith(".files")) names.push(name);
              return names;
            };
            const first = await opened(from, async (memory) => (await rich.fill(memory), rich.told(memory)));
            await mnemic.moveMemory("chat", { from, to, worker: true });
            const leftThere = await left(from);
            const second = await opened(to, async (memory) => [await rich.told(memory), await memory.health(), await rich.undone(memory), await rich.told(memory)]);
            await mnemic.moveMemory("chat", { from: to, to: from, worker: true });
            const third = await opened(from, async (memory) => [await rich.told(memory), await memory.health()]);
            const none = await mnemic.moveMemory("chat", { from: to, to: from, worker: true }).catch(({ code }) => code);
            return { first, second, third, leftThere, leftHere: await left(to), none };
          },
          [from, to, passphrase],
        );
        const { first, second, third, leftThere, leftHere, none } = result;
        assert.equal(JSON.parse(first).facts.length >= 2, true);
        const [told, health, text, later] = second;
        assert.equal(told, first);
        assert.deepEqual([health.storage.kind, health.wiped, text], [to, undefined, "Alice dives"]);
        assert.equal(third[0], later);
        assert.deepEqual([third[1].storage.kind, third[1].wiped], [from, undefined]);
        assert.deepEqual([leftThere, leftHere, none], [[], [], "NotFound"]);
      });
    }
  }
}

test("a memory that is open in a tab is not moved, and one that is moved is not opened meanwhile", async () => {
  const codes = await inPage(async () => {
    const codes = [];
    for (const [from, to] of [["indexeddb", "opfs"], ["localstorage", "opfs"], ["opfs", "indexeddb"]]) {
      const memory = await rich.open(mnemic, { name: "open", storage: from, worker: from === "opfs" });
      await memory.scope({ userId: "alice" }).facts.add("Alice sails");
      codes.push(await mnemic.moveMemory("open", { from, to, worker: true }).catch(({ code }) => code));
      codes.push((await memory.scope({ userId: "alice" }).facts.list()).length);
      await memory.close();
      let isOver = false;
      const moving = mnemic.moveMemory("open", { from, to, worker: true }).finally(() => (isOver = true));
      // It has begun, and on a slow machine it may be done before that is seen.
      while (!isOver && !(await navigator.locks.query()).held.some(({ name, mode }) => name === "mnemic:open:open" && mode === "exclusive"));
      const opening = rich.open(mnemic, { name: "open", storage: to, worker: to === "opfs" });
      await moving;
      const moved = await opening;
      codes.push((await moved.scope({ userId: "alice" }).facts.list()).length);
      await moved.close();
      await mnemic.deleteMemory("open");
    }
    return codes;
  });
  assert.deepEqual(codes, ["Storage", 1, 1, "Storage", 1, 1, "Storage", 1, 1]);
});

/** The page held all bytes and compared them itself, for more than a second with 100 MB. */
test("between IndexedDB and OPFS the worker carries alone: the page opens neither", async () => {
  const kinds = await inPage(async () => {
    const memory = await rich.open(mnemic, { name: "carried", storage: "indexeddb" });
    await rich.fill(memory);
    const first = await rich.told(memory);
    await memory.close();
    const { open } = IDBFactory.prototype;
    const { getFile } = FileSystemFileHandle.prototype;
    const refused = () => {
      throw new Error("the page opened it");
    };
    const kinds = [];
    for (const worker of [true, () => new Worker("node_modules/mnemic/worker/script.js", { type: "module" })]) {
      for (const [from, to] of [["indexeddb", "opfs"], ["opfs", "indexeddb"]]) {
        IDBFactory.prototype.open = FileSystemFileHandle.prototype.getFile = refused;
        await mnemic.moveMemory("carried", { from, to, worker });
        Object.assign(IDBFactory.prototype, { open });
        Object.assign(FileSystemFileHandle.prototype, { getFile });
        const moved = await rich.open(mnemic, { name: "carried", storage: to, worker });
        kinds.push([(await moved.health()).storage.kind, (await rich.told(moved)) === first]);
        await moved.close();
      }
    }
    return kinds;
  });
  assert.deepEqual(kinds, [0, 1].flatMap(() => [["opfs", true], ["indexeddb", true]]));
});

test("a worker that ends while it carries leaves a whole memory, and the next call finishes", async () => {
  const told = await inPage(async () => {
    const told = [];
    for (const [from, to] of [["indexeddb", "opfs"], ["opfs", "indexeddb"]]) {
      const name = `ended-${from}`;
      const memory = await rich.open(mnemic, { name, storage: from, worker: from === "opfs" });
      await rich.fill(memory);
      const first = await rich.told(memory);
      await memory.close();
      let started;
      const worker = () => (started = new Worker("node_modules/mnemic/worker/script.js", { type: "module" }));
      const { getItem } = Storage.prototype;
      // What is noted of the memory is read when it is in both places.
      Storage.prototype.getItem = function (...values) {
        started.terminate();
        return getItem.apply(this, values);
      };
      told.push(await mnemic.moveMemory(name, { from, to, worker }).catch(({ code }) => code));
      Object.assign(Storage.prototype, { getItem });
      await mnemic.moveMemory(name, { from, to, worker });
      const moved = await rich.open(mnemic, { name, storage: to, worker: true });
      told.push((await rich.told(moved)) === first);
      await moved.close();
    }
    return told;
  });
  assert.deepEqual(told, ["Crashed", true, "Crashed", true]);
});

test("more than one message holds crosses to a worker and back, between it and an object of the page", async () => {
  const same = await inPage(async () => {
    const inMap = () => {
      const pairs = new Map();
      const head = () => (pairs.has("head") ? pairs.get("head")[0] : 0);
      return {
        pairs,
        read: (start, end) => [...pairs].filter(([key]) => start <= key && key < end).sort(([one], [other]) => (one < other ? -1 : 1)),
        write({ puts, deletes }, expected) {
          if (head() !== expected) throw Object.assign(new Error("the head has moved"), { code: "Conflict" });
          for (const key of deletes) pairs.delete(key);
          for (const [key, value] of puts) pairs.set(key, value);
        },
      };
    };
    const same = [];
    for (const kind of ["indexeddb", "opfs"]) {
      const [from, to] = [inMap(), inMap()];
      for (let number = 0; number < 9; number += 1) from.pairs.set(`log/${number}`, new Uint8Array(400_000 + number).fill(number));
      from.pairs.set("head", Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0));
      const before = new Map(from.pairs);
      await mnemic.moveMemory("pieces", { from, to: kind, worker: true });
      await mnemic.moveMemory("pieces", { from: kind, to, worker: true });
      const isSame = to.pairs.size === before.size && [...before].every(([key, value]) => String(to.pairs.get(key)) === String(value));
      same.push([from.pairs.size, isSame]);
    }
    return same;
  });
  assert.deepEqual(same, [[0, true], [0, true]]);
});

test("a copy goes with the memory that it was of", async () => {
  const [copies, texts] = await inPage(async () => {
    const memory = await mnemic.openMemory({ name: "copied", storage: "indexeddb", copy: "opfs" });
    await memory.scope({ userId: "alice" }).facts.add("Alice sails");
    await memory.close();
    await mnemic.moveMemory("copied", { from: "indexeddb", to: "opfs", worker: true });
    const home = await (await navigator.storage.getDirectory()).getDirectoryHandle("mnemic");
    const names = [];
    for await (const name of home.keys()) if (name.endsWith(".copy")) names.push(name);
    const begun = await mnemic.openMemory({ name: "copied", storage: "indexeddb", copy: "opfs" }).catch(({ code }) => code);
    await mnemic.moveMemory("copied", { from: "opfs", to: "indexeddb", worker: true });
    const again = await mnemic.openMemory({ name: "copied", storage: "indexeddb", copy: "opfs" });
    const facts = await again.scope({ userId: "alice" }).facts.list();
    await again.close();
    return [names, [begun, ...facts.map(({ text }) => text)]];
  });
  assert.deepEqual([copies, texts], [[], ["Storage", "Alice sails"]]);
});

test("a memory moves between a file and SQLite in Node, encrypted, there and back", async () => {
  const { first, second, third, left } = await ask(
    project,
    `import * as mnemic from "mnemic";
    import { fileStorage, sqliteStorage } from "mnemic/node";
    import * as rich from "./rich.mjs";
    const folder = ${JSON.stringify(project.path("moving"))};
    const file = () => fileStorage(folder + ".mnemic");
    const database = () => sqliteStorage(folder + ".sqlite");
    const opened = async (storage, work) => {
      const memory = await rich.open(mnemic, { name: "chat", storage, encryption: { passphrase: "correct horse" } });
      const result = await work(memory);
      await memory.close();
      return result;
    };
    const first = await opened(file(), async (memory) => (await rich.fill(memory), rich.told(memory)));
    await mnemic.moveMemory("chat", { from: file(), to: database() });
    const left = (await file().read("", "~")).length;
    const second = await opened(database(), async (memory) => [await rich.told(memory), await rich.undone(memory), await rich.told(memory)]);
    await mnemic.moveMemory("chat", { from: database(), to: file() });
    const third = await opened(file(), rich.told);
    console.log(JSON.stringify({ first, second, third, left: left + (await database().read("", "~")).length }));
    process.exit();`,
  );
  assert.equal(second[0], first);
  assert.deepEqual([second[1], left], ["Alice dives", 0]);
  assert.equal(third, second[2]);
});

test("cut off at any step, it leaves a whole memory, and the next call finishes", async () => {
  for (const isBefore of [true, false]) {
    for (let step = 0, isCut = true; isCut; step += 1) {
      const { storage: from, told } = await filled();
      const to = inMap();
      let steps = 0;
      isCut = false;
      const cutting = (storage) => {
        const cut = (work) => async (...values) => {
          const isNow = steps === step;
          steps += 1;
          isCut ||= isNow;
          if (isNow && isBefore) throw new Error("cut");
          const result = await work(...values);
          if (isNow) throw new Error("cut");
          return result;
        };
        return { read: cut(storage.read), write: cut(storage.write) };
      };
      const moving = mnemic.moveMemory("chat", { from: cutting(from), to: cutting(to) });
      if (step === 0) await assert.rejects(moving);
      else await moving.catch(() => {});
      const whole = [];
      for (const storage of [from, to]) if (storage.pairs.has("head")) whole.push(await toldOf(storage));
      assert.ok(whole.length > 0, `step ${step}`);
      for (const one of whole) assert.equal(one, told);
      if (from.pairs.size > 0) await mnemic.moveMemory("chat", { from, to });
      assert.deepEqual([from.pairs.size, await toldOf(to)], [0, told], `step ${step}`);
      assert.ok(step < 50);
    }
  }
});

test("a torn deletion is finished by the next call, and so is a move after which the memory was opened where it is now", async () => {
  const { storage: from, told } = await filled();
  const to = inMap();
  const kept = new Map(from.pairs);
  await mnemic.moveMemory("chat", { from, to });
  kept.forEach((value, key) => key !== "head" && from.pairs.set(key, value));
  await mnemic.moveMemory("chat", { from, to });
  assert.deepEqual([from.pairs.size, await toldOf(to)], [0, told]);
  kept.forEach((value, key) => from.pairs.set(key, value));
  const memory = await rich.open(mnemic, { name: "chat", storage: to });
  await memory.scope({ userId: "alice" }).facts.add("Alice sings");
  const later = await rich.told(memory);
  await memory.close();
  await mnemic.moveMemory("chat", { from, to });
  assert.deepEqual([from.pairs.size, await toldOf(to)], [0, later]);
});

test("what is written meanwhile is moved too; who goes on writing is left where they are", async () => {
  const { storage } = await filled();
  for (const times of [1, 9]) {
    const [from, to] = [inMap(new Map(storage.pairs)), inMap()];
    let writes = 0;
    const beside = {
      read: from.read,
      async write(batch, expected) {
        if (writes < times) {
          writes += 1;
          const memory = await rich.open(mnemic, { name: "chat", storage: { read: from.read, write: from.write } });
          await memory.scope({ userId: "alice" }).facts.add(`Written meanwhile ${writes}`);
          await memory.close();
        }
        return from.write(batch, expected);
      },
    };
    const moving = mnemic.moveMemory("chat", { from: beside, to });
    if (times === 9) await assert.rejects(moving, mnemic.ConflictError);
    else await moving;
    const [gone, there] = times === 9 ? [to, from] : [from, to];
    assert.deepEqual([...gone.pairs.keys()], []);
    assert.match(await toldOf(there), new RegExp(`Written meanwhile ${writes}`));
  }
});

/** It was taken for a copy of its own, and deleted with it. */
test("a memory is not moved onto itself through another object, a file through another path neither", async () => {
  const codes = await ask(
    project,
    `import { mkdirSync } from "node:fs";
    import * as mnemic from "mnemic";
    import { fileStorage, sqliteStorage } from "mnemic/node";
    import * as rich from "./rich.mjs";
    const folder = ${JSON.stringify(project.path("itself"))};
    mkdirSync(folder);
    const told = [];
    for (const encryption of [undefined, { passphrase: "correct horse" }]) {
      for (const [open, one, other] of [[fileStorage, "/a", "/a"], [fileStorage, "/b", "/../itself/b"], [sqliteStorage, "/c", "/c"]]) {
        const storage = () => open(folder + one + (encryption ? "-sealed" : ""));
        const opened = async (work) => {
          const used = storage();
          const memory = await rich.open(mnemic, { name: "chat", storage: used, encryption });
          const result = await work(memory);
          await memory.close();
          return result;
        };
        const before = await opened(async (memory) => (await rich.fill(memory), rich.told(memory)));
        const path = folder + other + (encryption ? "-sealed" : "");
        const code = await mnemic.moveMemory("chat", { from: storage(), to: open(path) }).catch(({ code }) => code);
        told.push([code, before === (await opened(rich.told)), (await storage().read("moving", "moving!")).length]);
      }
    }
    console.log(JSON.stringify(told));
    process.exit();`,
  );
  assert.deepEqual(codes, Array(6).fill(["InvalidInput", true, 0]));
});

/** What is left when the process ends in the middle of that. */
test("of two moves of one storage object at once the second is refused, and the memory arrives whole", async () => {
  const { storage, told } = await filled();
  const [to, other] = [inMap(), inMap()];
  const moves = await Promise.allSettled([
    mnemic.moveMemory("chat", { from: storage, to }),
    mnemic.moveMemory("chat", { from: storage, to }),
    mnemic.moveMemory("chat", { from: storage, to: other }),
  ]);
  assert.deepEqual(moves.map(({ status, reason }) => reason?.code ?? status), ["fulfilled", "Storage", "Storage"]);
  assert.deepEqual([storage.pairs.size, other.pairs.size], [0, 0]);
  assert.equal(await toldOf(to), told);
  await mnemic.moveMemory("chat", { from: to, to: storage });
  assert.equal(await toldOf(storage), told);
});

test("a mark that a move has left in a memory harms nothing, and the next move takes it away", async () => {
  for (const passphrase of [undefined, "correct horse"]) {
    const from = inMap();
    const opened = async (storage, work) => {
      const memory = await rich.open(mnemic, { name: "chat", storage, ...(passphrase && { encryption: { passphrase } }) });
      const result = await work(memory);
      await memory.close();
      return result;
    };
    const told = await opened(from, async (memory) => (await rich.fill(memory), rich.told(memory)));
    const to = inMap(new Map(from.pairs));
    for (const { pairs } of [from, to]) pairs.set("moving", new Uint8Array(16));
    assert.equal(await opened(from, rich.told), told);
    await mnemic.moveMemory("chat", { from, to });
    assert.deepEqual([from.pairs.size, await opened(to, rich.told)], [0, told]);
  }
});

/** The copy was left, with what was forgotten, and every further move failed because of it. */
test("what is forgotten while a memory is moved is not in the destination, and nothing is when that fails", async () => {
  const { storage } = await filled();
  for (const failing of [undefined, "read", "write"]) {
    const [from, to] = [inMap(new Map(storage.pairs)), inMap()];
    let isForgotten = false;
    let isFailing = failing !== undefined;
    const forgetting = {
      read: from.read,
      async write(batch, expected) {
        if (!isForgotten) {
          isForgotten = true;
          const memory = await rich.open(mnemic, { name: "chat", storage: { read: from.read, write: from.write } });
          const user = memory.scope({ userId: "alice" });
          await user.forget({ ids: (await user.facts.list({ limit: 100 })).map(({ id }) => id) });
          await memory.close();
        }
        return from.write(batch, expected);
      },
    };
    const once = (name) => async (...values) => {
      if (isForgotten && isFailing && name === failing) {
        isFailing = false;
        throw new Error("it fails once");
      }
      return to[name](...values);
    };
    const moving = mnemic.moveMemory("chat", { from: forgetting, to: { read: once("read"), write: once("write") } });
    if (failing === undefined) await moving;
    else await assert.rejects(moving, /fails once/);
    assert.ok(isForgotten);
    if (failing !== undefined) {
      assert.deepEqual([...to.pairs.keys()], []);
      await mnemic.moveMemory("chat", { from, to });
    }
    assert.deepEqual([...from.pairs.keys()], []);
    assert.doesNotMatch(await toldOf(to), /sails/);
    assert.doesNotMatch(Buffer.concat([...to.pairs.values()]).toString("latin1"), /sails/);
  }
});

test("a copy that cannot be taken back is told, with the place where it is", async () => {
  const { storage: from, told } = await filled();
  const to = inMap();
  let writes = 0;
  const stuck = {
    read: to.read,
    async write(batch, expected) {
      writes += 1;
      if (writes > 1) throw new Error("read-only by now");
      return to.write(batch, expected);
    },
  };
  const busy = { read: from.read, write: async () => Promise.reject(Object.assign(new Error("the head has moved"), { code: "Conflict" })) };
  const moving = mnemic.moveMemory("chat", { from: busy, to: stuck });
  await assert.rejects(moving, { code: "Storage", message: /a copy of it is left in the storage object/ });
  assert.equal(await toldOf(from), told);
});

/** Everything was held twice while it was compared. */
test("what was copied is read back in pieces, and what is missing, altered or added in any of them is noticed", async () => {
  const MIB = 1024 * 1024;
  const values = Array.from({ length: 10 }, (_, index) => [`log/${index}`, new Uint8Array(MIB).fill(index)]);
  const pairs = new Map([["head", Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0)], ...values]);
  const bytesOf = (pairs) => pairs.reduce((sum, [, value]) => sum + value.length, 0);
  const from = inMap(new Map(pairs));
  const to = inMap();
  let most = 0;
  const measured = {
    write: to.write,
    async read(...range) {
      const read = await to.read(...range);
      most = Math.max(most, bytesOf(read));
      return read;
    },
  };
  await mnemic.moveMemory("chat", { from, to: measured });
  assert.deepEqual([from.pairs.size, to.pairs], [0, pairs]);
  assert.ok(most >= MIB && most <= 5 * MIB, `${most}`);
  const wrongs = [
    (read) => read.filter(([key]) => key !== "log/4"),
    (read) => read.map(([key, value]) => [key, key === "log/8" ? value.with(9, 1) : value]),
    (read) => read.flatMap((pair) => (pair[0] === "log/6" ? [pair, ["log/66", pair[1]]] : [pair])),
  ];
  for (const wrong of wrongs) {
    const [source, target] = [inMap(new Map(pairs)), inMap()];
    const lying = { write: target.write, read: async (...range) => wrong(await target.read(...range)) };
    await assert.rejects(mnemic.moveMemory("chat", { from: source, to: lying }), mnemic.StorageError);
    assert.deepEqual(source.pairs, pairs);
  }
});

/** The lineage of a Buffer was read as text, that of other bytes as numbers: the same memory seemed to be another. */
test("a move that was cut off is finished where one of the storages answers Buffers", async () => {
  for (const passphrase of [undefined, "correct horse"]) {
    const { pairs } = inMap();
    const memory = await rich.open(mnemic, { name: "chat", storage: inMap(pairs), ...(passphrase && { encryption: { passphrase } }) });
    await memory.scope({ userId: "alice" }).facts.add("Alice sails");
    await memory.close();
    for (const isFirst of [true, false]) {
      const storages = [inMap(new Map(pairs)), inMap(new Map(pairs))];
      const [from, to] = storages.map((storage, place) => {
        if ((place === 0) !== isFirst) return storage;
        return { ...storage, read: async (...range) => (await storage.read(...range)).map(([key, value]) => [key, Buffer.from(value)]) };
      });
      await mnemic.moveMemory("chat", { from, to });
      assert.deepEqual([storages[0].pairs.size, storages[1].pairs], [0, pairs]);
    }
  }
});

test("another memory is not overwritten, none is not moved, an open one neither, and what is wrong is told", async () => {
  const [{ storage: from, told }, { storage: other }] = [await filled(), await filled()];
  const before = new Map(other.pairs);
  await assert.rejects(mnemic.moveMemory("chat", { from, to: other }), mnemic.ConflictError);
  assert.deepEqual(other.pairs, before);
  assert.equal(await toldOf(from), told);
  await assert.rejects(mnemic.moveMemory("chat", { from: inMap(), to: inMap() }), mnemic.NotFoundError);
  await assert.rejects(mnemic.moveMemory("chat", { from: inMap(), to: other }), mnemic.NotFoundError);
  const memory = await rich.open(mnemic, { name: "chat", storage: from });
  await assert.rejects(mnemic.moveMemory("chat", { from, to: inMap() }), mnemic.StorageError);
  const second = await rich.open(mnemic, { name: "chat", storage: from });
  await second.close();
  await assert.rejects(mnemic.moveMemory("chat", { from, to: inMap() }), mnemic.StorageError, "one of two that are open is still open");
  await memory.close();
  const to = inMap();
  const short = { read: async (...range) => (await to.read(...range)).map(([key, value]) => [key, key === "head" ? value : value.slice(1)]), write: to.write };
  await assert.rejects(mnemic.moveMemory("chat", { from, to: short }), mnemic.StorageError);
  assert.equal(await toldOf(from), told);
  const wrong = [[""], ["a/b", { from, to }], ["chat"], ["chat", {}], ["chat", { from }], ["chat", { from, to: from }], ["chat", { from: "memory", to }], ["chat", { from, to, keep: true }], ["chat", { from: "opfs", to: "opfs" }], ["chat", { from, to, worker: 1 }], ["chat", { from, to: "opfs" }]];
  for (const values of wrong) await assert.rejects(mnemic.moveMemory(...values), mnemic.InvalidInputError, JSON.stringify(values));
});
