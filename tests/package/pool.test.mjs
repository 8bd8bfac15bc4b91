/** The pool of open memories, with stand-ins whose opening and closing the test decides, and once with memories. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createProject } from "./support/project.mjs";

let project, mnemic, memoryPool;

before(async () => {
  project = await createProject();
  mnemic = await project.import('export * from "mnemic";');
  ({ memoryPool } = await project.import('export * from "mnemic/node";'));
});

after(() => project?.remove());

/** Opens stand-ins and notes what happens to them. */
function standIns() {
  const log = [];
  const open = async (name) => {
    log.push(`open ${name}`);
    return {
      name,
      async close() {
        log.push(`close ${name}`);
      },
    };
  };
  return { log, open };
}

/** A promise that the test keeps when it likes. */
function gate() {
  let pass;
  const passed = new Promise((resolve) => (pass = resolve));
  return { passed, pass };
}

/** Lets everything happen that waits for nothing else. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

const nameOf = ({ name }) => name;

test("callers at once share one opening, and later ones find it open", async () => {
  const { log, open } = standIns();
  const pool = memoryPool({ open });
  assert.deepEqual(await Promise.all(["a", "a", "b"].map((name) => pool.use(name, nameOf))), ["a", "a", "b"]);
  assert.equal(await pool.use("a", nameOf), "a");
  assert.deepEqual(log, ["open a", "open b"]);
  assert.deepEqual([pool.size, pool.waiting], [2, 0]);
  await pool.close();
  assert.deepEqual(log.slice(2).sort(), ["close a", "close b"]);
  assert.equal(pool.size, 0);
});

test("the one that was used longest ago makes room, and never one in use", async () => {
  const { log, open } = standIns();
  const pool = memoryPool({ open, max: 2 });
  const held = gate();
  const using = pool.use("a", () => held.passed);
  await pool.use("b", nameOf);
  await pool.use("c", nameOf);
  assert.deepEqual(log, ["open a", "open b", "close b", "open c"]);
  held.pass();
  await using;
  await pool.use("c", nameOf);
  await pool.use("d", nameOf);
  assert.deepEqual(log.slice(4), ["close a", "open d"]);
  await pool.close();
});

test("when all are in use, who comes waits in order; for one name once", async () => {
  const { log, open } = standIns();
  const pool = memoryPool({ open, max: 1 });
  const held = gate();
  const using = pool.use("a", () => held.passed);
  const done = [];
  const waiting = ["b", "c", "b"].map((name) => pool.use(name, () => done.push(name)));
  await settled();
  assert.deepEqual([pool.size, pool.waiting, done], [1, 2, []]);
  // One that is open is not waited for.
  assert.equal(await pool.use("a", nameOf), "a");
  held.pass();
  await Promise.all([using, ...waiting]);
  assert.deepEqual(log, ["open a", "close a", "open b", "close b", "open c"]);
  assert.deepEqual(done, ["b", "b", "c"]);
  assert.equal(pool.waiting, 0);
  await pool.close();
});

/** It waited for itself, for ever. */
test("a use within the work of another is refused at once when only such work could make room", { timeout: 10_000 }, async () => {
  const { log, open } = standIns();
  const pool = memoryPool({ open, max: 1 });
  const refused = { code: "QuotaExceeded", details: { name: "b", limit: 1 }, message: /use\("b"\).*options\.max/ };
  await pool.use("a", async () => {
    await assert.rejects(pool.use("b", nameOf), refused);
    assert.equal(await pool.use("a", nameOf), "a");
    assert.equal(pool.waiting, 0);
  });
  assert.equal(await pool.use("b", nameOf), "b");
  assert.deepEqual(log, ["open a", "close a", "open b"]);
  // Others may wait for the same.
  const held = gate();
  let other;
  const using = pool.use("a", async () => {
    await held.passed;
    await assert.rejects(pool.use("b", nameOf), refused);
  });
  other = pool.use("b", nameOf);
  held.pass();
  assert.deepEqual(await Promise.all([using, other]), [undefined, "b"]);
  await pool.close();
});

test("of uses that wait for one another the last is refused, and what was called there waits when that work is over", { timeout: 10_000 }, async () => {
  const { open } = standIns();
  const pool = memoryPool({ open, max: 2 });
  assert.equal(await pool.use("a", () => pool.use("b", nameOf)), "b");
  const both = gate();
  const codes = [];
  const nested = (name, inner) =>
    pool.use(name, async () => {
      await both.passed;
      return pool.use(inner, nameOf).catch(({ code }) => codes.push(code) && code);
    });
  const uses = [nested("c", "d"), nested("e", "f")];
  await settled();
  both.pass();
  assert.deepEqual(await Promise.all(uses), ["d", "QuotaExceeded"]);
  const later = gate();
  let last;
  await pool.use("a", () => {
    last = later.passed.then(() => pool.use("g", nameOf));
  });
  const held = gate();
  const holding = ["h", "i"].map((name) => pool.use(name, () => held.passed));
  await settled();
  later.pass();
  await settled();
  assert.deepEqual([codes, pool.waiting], [["QuotaExceeded"], 1]);
  held.pass();
  assert.equal(await last, "g");
  await Promise.all(holding);
  await pool.close();
});

test("a use of what was closed within its own work is refused at once", { timeout: 10_000 }, async () => {
  const { open } = standIns();
  const pool = memoryPool({ open });
  const [held, evicted] = [gate(), gate()];
  const using = pool.use("a", async () => {
    held.pass();
    await evicted.passed;
    await assert.rejects(pool.use("a", nameOf), { code: "Closed", message: /"a"/ });
  });
  await held.passed;
  const evicting = pool.evict("a", () => "evicted");
  evicted.pass();
  await using;
  assert.deepEqual([await evicting, await pool.use("a", nameOf)], ["evicted", "a"]);
  await pool.close();
});

/** What waits for the end of an eviction joined those who wait for room unseen, and waited for itself, for ever. */
test("a use that waits first for an eviction and then for room is refused when only its own work could make room", { timeout: 10_000 }, async () => {
  const { open } = standIns();
  const pool = memoryPool({ open, max: 1 });
  const refused = { code: "QuotaExceeded", details: { name: "b", limit: 1 } };
  const removed = gate();
  const evicting = pool.evict("b", () => removed.passed);
  const using = pool.use("a", async () => {
    const uses = [pool.use("b", nameOf), pool.use("b", nameOf)].map((use) => assert.rejects(use, refused));
    await settled();
    removed.pass();
    await Promise.all(uses);
    assert.equal(pool.waiting, 0);
  });
  await Promise.all([evicting, using]);
  assert.equal(await pool.use("b", nameOf), "b");
  // Who is not called in such work goes on waiting for the same.
  const again = gate();
  const evictingAgain = pool.evict("b", () => again.passed);
  const plain = pool.use("b", nameOf);
  const nested = pool.use("a", async () => {
    const use = assert.rejects(pool.use("b", nameOf), refused);
    await settled();
    again.pass();
    await use;
  });
  await Promise.all([evictingAgain, nested]);
  assert.equal(await plain, "b");
  await pool.close();
});

/** They waited for the work that waited for them. */
test("evicting a memory and closing the pool are refused at once in work that they would wait for, and change nothing", { timeout: 10_000 }, async () => {
  const { log, open } = standIns();
  const pool = memoryPool({ open });
  const refused = (pattern) => ({ name: "ClosedError", message: pattern });
  await pool.use("a", async () => {
    await pool.use("b", async () => {
      await assert.rejects(pool.evict("a", () => log.push("worked")), refused(/evict\("a"\)/));
      await assert.rejects(pool.close(), refused(/close\(\)/));
    });
    assert.equal(await pool.evict("b", () => "evicted"), "evicted");
    await assert.rejects(pool[Symbol.asyncDispose](), refused(/close\(\)/));
  });
  await assert.rejects(pool.use("a", () => pool.evict("a", () => log.push("worked"))), mnemic.ClosedError);
  assert.equal(await pool.use("a", nameOf), "a");
  assert.deepEqual(log, ["open a", "open b", "close b"]);
  let later;
  await pool.use("a", () => {
    later = settled().then(() => pool.evict("a", () => "evicted"));
  });
  assert.equal(await later, "evicted");
  await pool.close();
});

/** An eviction waited for the work that it was called in. */
test("in the work of an eviction, neither evicting nor using the same name waits for itself", { timeout: 10_000 }, async () => {
  const { log, open } = standIns();
  const pool = memoryPool({ open, max: 1 });
  await pool.use("a", nameOf);
  const refused = (pattern) => ({ name: "ClosedError", message: pattern });
  const evicted = await pool.evict("a", async () => {
    await assert.rejects(pool.evict("a", () => log.push("worked")), refused(/evict\("a"\)/));
    await assert.rejects(pool.use("a", nameOf), refused(/use\("a"\)/));
    assert.equal(await pool.evict("b", () => "another"), "another");
    // The room is free: an eviction takes none.
    assert.equal(await pool.use("b", nameOf), "b");
    return "evicted";
  });
  assert.equal(evicted, "evicted");
  assert.equal(await pool.use("a", nameOf), "a");
  assert.deepEqual(log, ["open a", "close a", "open b", "close b", "open a"]);
  await pool.close();
});

/** They waited for each other. */
test("of uses that evict one another's memory the last is refused, and the other goes on", { timeout: 10_000 }, async () => {
  const { log, open } = standIns();
  const pool = memoryPool({ open });
  const both = gate();
  const codes = [];
  const evicting = (name, other) =>
    pool.use(name, async () => {
      await both.passed;
      return pool.evict(other, () => `${name} evicts ${other}`).catch(({ code }) => codes.push(code) && code);
    });
  const uses = [evicting("a", "b"), evicting("b", "c"), evicting("c", "a")];
  await settled();
  both.pass();
  assert.deepEqual(await Promise.all(uses), ["a evicts b", "b evicts c", "Closed"]);
  assert.deepEqual(codes, ["Closed"]);
  // The refusal told nothing about the memory in whose work it was met.
  assert.deepEqual(log.filter((line) => line === "open a"), ["open a"]);
  assert.deepEqual(await Promise.all(["a", "b", "c"].map((name) => pool.use(name, nameOf))), ["a", "b", "c"]);
  await pool.close();
});

test("work that waits for room and work that waits for that work do not wait for ever", { timeout: 10_000 }, async () => {
  const { open } = standIns();
  const pool = memoryPool({ open, max: 2 });
  const [both, first] = [gate(), gate()];
  const evicting = pool.use("a", async () => {
    await both.passed;
    const evicted = pool.evict("b", () => "evicted");
    first.pass();
    return evicted;
  });
  const using = pool.use("b", async () => {
    await first.passed;
    return pool.use("c", nameOf).catch(({ code, details }) => [code, details]);
  });
  await settled();
  both.pass();
  assert.deepEqual(await Promise.all([evicting, using]), ["evicted", ["QuotaExceeded", { name: "c", limit: 2 }]]);
  assert.equal(await pool.use("c", nameOf), "c");
  await pool.close();
});

/** What is right whatever the names are: no call waits for ever, and the pool works afterwards. */
test("whatever uses and evictions are called in one another, all end", { timeout: 60_000 }, async () => {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
  console.log(`seed ${seed}`);
  let state = seed;
  const random = (below) => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
  for (let round = 0; round < 300; round += 1) {
    const { open } = standIns();
    const max = 1 + random(3);
    const pool = memoryPool({ open, max });
    const codes = new Set();
    const work = async (depth) => {
      for (let turns = random(4); turns > 0; turns -= 1) await settled();
      const calls = [];
      for (let count = depth > 2 ? 0 : random(3); count > 0; count -= 1) {
        const name = "abcd"[random(4)];
        const call = random(3) === 0 ? pool.evict(name, () => work(depth + 1)) : pool.use(name, () => work(depth + 1));
        calls.push(call.catch(({ code }) => codes.add(code)));
        if (random(2) === 0) await calls.at(-1);
      }
      await Promise.all(calls);
    };
    await Promise.all(Array.from({ length: 4 }, () => work(0)));
    assert.ok([...codes].every((code) => code === "Closed" || code === "QuotaExceeded"), [...codes].join());
    assert.equal(pool.waiting, 0);
    assert.deepEqual(await Promise.all([..."abcd"].map((name) => pool.use(name, nameOf))), [..."abcd"]);
    assert.ok(pool.size <= max);
    await pool.close();
    assert.equal(pool.size, 0);
  }
});

/** The work in which another memory was used that had crashed cost its own memory. */
test("an error about another memory closes that one alone", async () => {
  const { log, open } = standIns();
  const pool = memoryPool({ open });
  const crashed = new mnemic.CrashedError("it crashed");
  await assert.rejects(pool.use("c", () => pool.use("b", () => Promise.reject(crashed))), crashed);
  assert.deepEqual([await pool.use("c", nameOf), await pool.use("b", nameOf)], ["c", "b"]);
  assert.deepEqual(log, ["open c", "open b", "close b", "open b"]);
  // One error may come from all memories of an instance.
  await assert.rejects(pool.use("c", () => Promise.reject(crashed)), crashed);
  assert.equal(await pool.use("c", nameOf), "c");
  assert.deepEqual(log.slice(4), ["close c", "open c"]);
  await pool.close();
});

test("an opening that fails is told to all who waited for it, is not kept, and leaves its room to others", async () => {
  let failures = 2;
  const pool = memoryPool({
    max: 1,
    open: async (name) => {
      if (failures-- > 0) throw new Error(`no ${name}`);
      return { name, close: async () => {} };
    },
  });
  const both = await Promise.allSettled([pool.use("a", nameOf), pool.use("a", nameOf)]);
  assert.deepEqual(both.map(({ reason }) => reason?.message), ["no a", "no a"]);
  await assert.rejects(pool.use("b", nameOf), { message: "no b" });
  assert.equal(await pool.use("a", nameOf), "a");
  await pool.close();
});

test("one name is closed before it is opened again, also when closing fails", async () => {
  const log = [];
  const closed = gate();
  const pool = memoryPool({
    max: 2,
    idleMs: 0,
    open: async (name) => {
      log.push(`open ${name}`);
      return {
        async close() {
          log.push(`closing ${name}`);
          await closed.passed;
          log.push(`closed ${name}`);
          throw new Error("it cannot be closed");
        },
      };
    },
  });
  await pool.use("a", () => {});
  while (log.length < 2) await settled();
  const again = pool.use("a", () => log.push("used again"));
  await settled();
  assert.deepEqual(log, ["open a", "closing a"]);
  closed.pass();
  await again;
  assert.deepEqual(log.slice(2, 5), ["closed a", "open a", "used again"]);
  await assert.rejects(pool.close(), /cannot be closed/);
});

/** The failure of `close` was dropped, and the work of an eviction, such as deleting the file, ran on what was still open. */
test("what cannot be closed is not evicted, and closing the pool says so", async () => {
  const log = [];
  const pool = memoryPool({
    open: async (name) => ({
      name,
      async close() {
        log.push(`close ${name}`);
        if (name.startsWith("stuck")) throw new mnemic.StorageError("it does not answer");
      },
    }),
  });
  const held = gate();
  const using = pool.use("stuck in use", () => held.passed);
  await pool.use("stuck", nameOf);
  await assert.rejects(pool.evict("stuck", () => log.push("deleted")), mnemic.StorageError);
  const evicting = assert.rejects(pool.evict("stuck in use", () => log.push("deleted")), mnemic.StorageError);
  held.pass();
  await Promise.all([using, evicting]);
  assert.deepEqual(log, ["close stuck", "close stuck in use"]);
  // Both can be used again.
  assert.deepEqual([await pool.use("stuck", nameOf), await pool.use("stuck in use", nameOf)], ["stuck", "stuck in use"]);
  await pool.use("fine", nameOf);
  await assert.rejects(pool.close(), mnemic.StorageError);
  assert.deepEqual(log.slice(2).sort(), ["close fine", "close stuck", "close stuck in use"]);
  assert.equal(pool.size, 0);
});

test("what has crashed or was closed by others is evicted, whatever its closing says", async () => {
  for (const error of [new mnemic.CrashedError("it crashed"), new mnemic.ClosedError("it is closed")]) {
    const pool = memoryPool({ open: async () => ({ close: () => Promise.reject(error) }) });
    await pool.use("a", () => {});
    assert.equal(await pool.evict("a", () => "deleted"), "deleted");
    await pool.use("a", () => {});
    await pool.close();
  }
});

test("what has crashed or was closed by others is opened anew; other failures of the work change nothing", async () => {
  const { log, open } = standIns();
  const pool = memoryPool({ open, max: 1 });
  await assert.rejects(pool.use("a", () => Promise.reject(new Error("a mistake of the app"))), /a mistake/);
  await pool.use("a", nameOf);
  assert.deepEqual(log, ["open a"]);
  await assert.rejects(pool.use("a", () => Promise.reject(new mnemic.CrashedError("it crashed"))), mnemic.CrashedError);
  await pool.use("a", nameOf);
  await assert.rejects(pool.use("a", () => Promise.reject(new mnemic.ClosedError("it is closed"))), mnemic.ClosedError);
  await pool.use("a", nameOf);
  assert.deepEqual(log, ["open a", "close a", "open a", "close a", "open a"]);
  await pool.close();
});

/** What was deleted was read again from the memory that was still open, and what was added after that was nowhere. */
test("what is evicted is closed first, and opened again after the work", async () => {
  const { log, open } = standIns();
  const pool = memoryPool({ open });
  const [held, removed] = [gate(), gate()];
  const using = pool.use("a", () => held.passed);
  await settled();
  const evicting = pool.evict("a", async () => {
    log.push("remove");
    await removed.passed;
    log.push("removed");
    return "gone";
  });
  const later = pool.use("a", () => log.push("used again"));
  await pool.use("b", nameOf);
  assert.deepEqual(log, ["open a", "open b"]);
  held.pass();
  await using;
  await settled();
  assert.deepEqual(log.slice(2), ["close a", "remove"]);
  removed.pass();
  assert.equal(await evicting, "gone");
  await later;
  assert.deepEqual(log.slice(4), ["removed", "open a", "used again"]);
  // Idle, or not open at all; and work that fails keeps nobody out.
  await assert.rejects(pool.evict("a", () => Promise.reject(new Error("no such file"))), /no such file/);
  await pool.evict("c", () => log.push("remove c"));
  assert.deepEqual(log.slice(7), ["close a", "remove c"]);
  assert.equal(await pool.use("a", nameOf), "a");
  await Promise.all([pool.evict("a", () => log.push("first")), pool.evict("a", () => log.push("second"))]);
  assert.deepEqual(log.slice(9), ["open a", "close a", "first", "second"]);
  await pool.close();
  await assert.rejects(pool.evict("a", () => {}), mnemic.ClosedError);
});

test("what has crashed is closed before it is opened anew, also while others still use it", async () => {
  const { log, open } = standIns();
  const pool = memoryPool({ open });
  const held = gate();
  const using = pool.use("a", () => held.passed);
  await assert.rejects(pool.use("a", () => Promise.reject(new mnemic.CrashedError("it crashed"))), mnemic.CrashedError);
  const again = pool.use("a", nameOf);
  await settled();
  held.pass();
  await Promise.all([using, again]);
  assert.deepEqual(log, ["open a", "close a", "open a"]);
  await pool.close();
});

test("closing waits for those in use, and refuses those who wait and who come", async () => {
  const { log, open } = standIns();
  const pool = memoryPool({ open, max: 1 });
  const held = gate();
  const using = pool.use("a", async () => {
    await held.passed;
    log.push("done");
  });
  const waiting = assert.rejects(pool.use("b", nameOf), mnemic.ClosedError);
  const closing = pool.close();
  await waiting;
  await assert.rejects(pool.use("a", nameOf), mnemic.ClosedError);
  held.pass();
  await Promise.all([using, closing, pool.close()]);
  assert.deepEqual(log, ["open a", "done", "close a"]);
});

test("options that are none are refused", () => {
  const open = async () => {};
  for (const options of [undefined, {}, { open, most: 3 }, { open: 1 }, { open, max: 0 }, { open, max: 1.5 }, { open, max: 10_001 }, { open, idleMs: -1 }]) {
    assert.throws(() => memoryPool(options), mnemic.InvalidInputError);
  }
});

test("without a name or work nothing is opened: users without a name would share a memory", async () => {
  const opened = [];
  const pool = memoryPool({ open: async (name) => (opened.push(name), { close: async () => {} }) });
  for (const name of [undefined, null, "", 7, {}]) {
    await assert.rejects(pool.use(name, () => {}), mnemic.InvalidInputError);
    await assert.rejects(pool.evict(name, () => {}), mnemic.InvalidInputError);
  }
  await assert.rejects(pool.use("ana"), mnemic.InvalidInputError);
  await assert.rejects(pool.evict("ana"), mnemic.InvalidInputError);
  assert.deepEqual([opened, pool.size], [[], 0]);
  await pool.close();
});

test("a pool of memories remembers through closing and opening, and keeps no process alive", async () => {
  const path = await project.write(
    "pooled.mjs",
    `import { openMemory } from "mnemic";
     import { memoryPool } from "mnemic/node";
     import { mapStorage } from "./map-storage.mjs";
     const kept = new Map();
     const open = (name) => {
       if (!kept.has(name)) kept.set(name, new Map());
       return openMemory({ name, storage: mapStorage(kept.get(name)) });
     };
     const pool = memoryPool({ open, max: 2 });
     const names = ["ana", "ben", "cho", "ana", "ben", "cho"];
     await Promise.all(names.map((name, number) => pool.use(name, (memory) => memory.scope({ name }).facts.add(name + " " + number))));
     const facts = await Promise.all(["ana", "ben", "cho"].map((name) =>
       pool.use(name, async (memory) => (await memory.scope({ name }).facts.list()).map(({ text }) => text).sort().join(", "))));
     console.log(facts.join("; "), pool.size);`,
  );
  await project.write("map-storage.mjs", await import("node:fs/promises").then(({ readFile }) => readFile(new URL("../../scripts/map-storage.mjs", import.meta.url), "utf8")));
  assert.equal((await project.run(path)).trim(), "ana 0, ana 3; ben 1, ben 4; cho 2, cho 5 2");
});
