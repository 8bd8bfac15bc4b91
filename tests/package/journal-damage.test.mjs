/** Journals of which bytes are damaged: what is intact is read, what is not is told, and nothing is written over it. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { random } from "../../scripts/random.mjs";
import { Disk } from "./support/disk.mjs";
import { createProject } from "./support/project.mjs";
import { BATCH, BEGINNING, expected, recordsOf } from "./support/records.mjs";

let project, JournalStorage, newBeginning;

before(async () => {
  project = await createProject();
  ({ JournalStorage, newBeginning } = await project.import(`
    export { JournalStorage } from "./node_modules/mnemic/files/storage.js";
    export { newBeginning } from "./node_modules/mnemic/files/record.js";
  `));
});

after(() => project?.remove());

const seed = Number(process.env.JOURNAL_SEED ?? Math.floor(Math.random() * 2 ** 32));
console.log(`JOURNAL_SEED=${seed}`);

const TOLD = /^damaged\/f{16}\/journal\/[0-9a-f]{8}\/[0-9a-f]{12}$/;

const open = (disk, durability = "strict") => new JournalStorage(disk.place(newBeginning), durability);
const bytesOf = (text) => new TextEncoder().encode(text);
const textOf = (bytes) => Buffer.from(bytes).toString("latin1");

function head(counter) {
  const bytes = new Uint8Array(20);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(counter), true);
  return bytes;
}

const batch = (counter, puts, deletes = []) => ({
  puts: [...puts.map(([key, value]) => [key, typeof value === "string" ? bytesOf(value) : value]), ["head", head(counter + 1)]],
  deletes,
});

/** What is read: the values, and the keys that tell of damage. */
async function readAll(storage) {
  const pairs = await storage.read("", "~");
  const told = pairs.filter(([key]) => TOLD.test(key));
  return { values: new Map(pairs.filter((pair) => !told.includes(pair)).map(([key, value]) => [key, textOf(value)])), told: told.map(([key]) => key) };
}

const pause = () => new Promise((resolve) => setTimeout(resolve));

/** Files by what was done to them before, as bytes. */
const histories = {
  async "one batch after another"(durability) {
    const disk = new Disk();
    const storage = open(disk, durability);
    for (let counter = 0; counter < 8; counter += 1) {
      await storage.write(batch(counter, [[`log/${counter}`, `text ${counter} ${"x".repeat(counter * 20)}`]]), counter);
    }
    await storage.close();
    return disk;
  },
  async "a fold that deletes, and more behind it"(durability) {
    const disk = new Disk();
    const storage = open(disk, durability);
    for (let counter = 0; counter < 4; counter += 1) await storage.write(batch(counter, [[`log/${counter}`, `text ${counter}`]]), counter);
    await storage.write(batch(4, [["segment/1", "all of it ".repeat(60)]], [0, 1, 2, 3].map((number) => `log/${number}`)), 4);
    for (let counter = 5; counter < 8; counter += 1) await storage.write(batch(counter, [[`log/${counter}`, `text ${counter}`]]), counter);
    await storage.close();
    return disk;
  },
  async "a fold, and nothing behind it"(durability) {
    const disk = new Disk();
    const storage = open(disk, durability);
    for (let counter = 0; counter < 3; counter += 1) await storage.write(batch(counter, [[`log/${counter}`, `text ${counter}`]]), counter);
    await storage.write(batch(3, [["segment/1", "all of it ".repeat(60)]], [0, 1, 2].map((number) => `log/${number}`)), 3);
    await storage.close();
    return disk;
  },
  async "two that write at once, and a write that was cut off"(durability) {
    const disk = new Disk();
    const storages = [open(disk, durability), open(disk, durability)];
    for (let counter = 0; counter < 6; counter += 1) {
      const order = counter % 2 ? storages : [...storages].reverse();
      const writes = order.map((storage, who) => storage.write(batch(counter, [[`log/${counter}`, `text ${counter} of ${who}`]]), counter));
      const outcomes = await Promise.allSettled(writes);
      assert.deepEqual(outcomes.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
    }
    for (const storage of storages) await storage.close();
    return disk;
  },
  async "a file that was made anew"(durability) {
    const disk = new Disk();
    const storage = open(disk, durability);
    const filler = Array.from({ length: 5 }, (_, index) => [`segment/${index}`, "z".repeat(500_000)]);
    await storage.write(batch(0, [["log/1", "one"], ["log/2", "two ".repeat(300)], ...filler]), 0);
    await storage.write(batch(1, [["log/3", "three"]], filler.map(([key]) => key)), 1);
    for (let turn = 0; disk.changes.filter(({ verb }) => verb === "rename").length < 2; turn += 1) {
      assert.ok(turn < 5000);
      await pause();
    }
    for (let counter = 2; counter < 5; counter += 1) await storage.write(batch(counter, [[`log/${counter + 2}`, `text ${counter}`]]), counter);
    await storage.close();
    return disk;
  },
};

/** Values that are copies of the file itself, so that what a reader looks for is in all of them. */
histories["values that hold the file"] = async (durability) => {
  const disk = new Disk();
  const storage = open(disk, durability);
  for (let counter = 0; counter < 6; counter += 1) {
    const value = counter % 2 ? disk.images[0].slice(-900) : `text ${counter}`;
    await storage.write(batch(counter, [[`log/${counter}`, value]]), counter);
  }
  await storage.close();
  return disk;
};

/** Bytes with one change. */
function changed(bytes, change) {
  const copy = bytes.slice();
  change(copy);
  return copy;
}

/** Opens damaged bytes, and compares with what must be there: at once, later, and after more was written and the file made anew. */
async function judge(whole, damaged, durability, what) {
  const { values, isTold, kept } = expected(whole, damaged);
  const disk = Disk.of(damaged);
  const storage = open(disk, durability);
  if (values.size === 0 && whole[9] === 1) {
    await assert.rejects(readAll(storage), { code: "Corrupt" }, what);
    assert.deepEqual(disk.images, [damaged], what);
    return { told: ["all of it"] };
  }
  const found = await readAll(storage);
  assert.deepEqual(found.values, values, `${what}: values`);
  assert.equal(found.told.length > 0, isTold, `${what}: told`);
  const [image] = disk.images;
  for (const { at, end } of kept) {
    // What a last record says twice is put right.
    const isLeft = image.subarray(at, end).every((byte, index) => byte === damaged[at + index] || byte === whole[at + index]);
    assert.ok(isLeft, `${what}: ${at} was written over`);
  }
  const counter = values.has("head") ? Number(Buffer.from(values.get("head"), "latin1").readBigUInt64LE()) : 0;
  await storage.write(batch(counter, [["log/new", "new"]]), counter);
  values.set("log/new", "new").set("head", textOf(head(counter + 1)));
  const again = open(disk, durability);
  const later = await readAll(again);
  assert.deepEqual([later.values, later.told], [values, found.told], `${what}: later`);
  for (const opened of [storage, again]) await opened.close();
  return { disk, values, told: found.told, counter: counter + 1 };
}

for (const durability of ["strict", "relaxed"]) {
  for (const [name, make] of Object.entries(histories)) {
    test(`a bit of any byte, and any sector: ${name}, ${durability}`, async (context) => {
      const next = random(seed);
      const [whole] = (await make(durability)).images.map((bytes) => bytes.slice());
      const records = recordsOf(whole);
      assert.ok(records.filter(({ kind }) => kind === BATCH).length >= 4);
      let told = 0;
      let sectors = 0;
      const look = async (damaged, what) => {
        const { told: keys } = await judge(whole, damaged, durability, `${what} of ${whole.length}, seed ${seed}`);
        told += keys.length > 0;
      };
      await look(whole.slice(), "nothing");
      assert.equal(told, 0);
      // Both read alike.
      for (let at = 0; at < whole.length; at += durability === "strict" ? 1 : 7) {
        const bit = Math.floor(next() * 8);
        await look(changed(whole, (bytes) => (bytes[at] ^= 1 << bit)), `bit ${bit} of byte ${at}`);
      }
      for (let at = 0; at < whole.length; at += 512) {
        const zeroed = changed(whole, (bytes) => bytes.fill(0, at, at + 512));
        await look(zeroed, `sector ${at}`);
        sectors += 1;
      }
      // Any length of damage, anywhere.
      for (let round = 0; round < 200; round += 1) {
        const at = BEGINNING + Math.floor(next() * (whole.length - BEGINNING));
        const length = 1 + Math.floor(next() * 1200);
        await look(changed(whole, (bytes) => bytes.subarray(at, at + length).forEach((_, index) => (bytes[at + index] = Math.floor(next() * 256)))), `${length} bytes at ${at}`);
      }
      assert.ok(told > whole.length / 30, `${told}`);
      context.diagnostic(`${whole.length} bytes, ${sectors} sectors, ${told} times told`);
    });
  }
}

test("a batch of several records: whichever of them is damaged, the others are there", async () => {
  const disk = new Disk();
  const storage = open(disk);
  await storage.write(batch(0, [["log/0", "zero"]]), 0);
  const large = Array.from({ length: 12 }, (_, index) => [`segment/${index}`, new Uint8Array(1_000_000).fill(65 + index)]);
  await storage.write(batch(1, large, ["log/0"]), 1);
  await storage.write(batch(2, [["log/2", "two"]]), 2);
  await storage.close();
  const [whole] = disk.images;
  const parts = recordsOf(whole).filter(({ kind, puts }) => kind === BATCH && puts.some(({ key }) => key.startsWith("segment/")));
  assert.equal(parts.length, 3);
  for (const { at, data, last, end } of parts) {
    for (const [hurt, name] of [[[at + 30], "front"], [[last + 3], "end"], [[at + 30, last + 3], "both"], [[data - 2, end - 2], "both indexes"]]) {
      const damaged = changed(whole, (bytes) => hurt.forEach((place) => (bytes[place] ^= 4)));
      await judge(whole, damaged, "strict", `${name} of the record at ${at}`);
    }
  }
});

test("an end that was torn off at any length is dropped, and not told", async () => {
  for (const name of ["one batch after another", "values that hold the file"]) {
    const [whole] = (await histories[name]("relaxed")).images.map((bytes) => bytes.slice());
    const records = recordsOf(whole);
    const { at: last } = records.at(-1);
    const stateOf = (length) => expected(whole.subarray(0, records.findLast(({ end }) => end <= length).end), whole).values;
    for (let length = last; length < whole.length; length += 1) {
      // What was not written is missing, or zeros where a sector begins.
      for (const bytes of [whole.subarray(0, length), ...(length % 512 === 0 ? [changed(whole, (image) => image.fill(0, length))] : [])]) {
        const storage = open(Disk.of(bytes.slice()));
        assert.deepEqual(await readAll(storage), { values: stateOf(length), told: [] }, `${name}: ${length} of ${whole.length}`);
        await storage.write(batch(records.filter(({ kind }) => kind === BATCH).length - 1, [["log/new", "new"]]), records.length - 1);
        await storage.close();
      }
    }
  }
});

test("a sector of a last value that never came to the disk takes its batch away; a bit that was flipped does not", async () => {
  const disk = new Disk();
  const storage = open(disk, "relaxed");
  await storage.write(batch(0, [["log/0", "zero"]]), 0);
  await storage.write(batch(1, [["log/1", "one ".repeat(1000)]]), 1);
  await storage.close();
  const [whole] = disk.images;
  for (const [change, keys] of [
    [(bytes) => bytes.fill(0, 1024, 1536), ["head", "log/0"]],
    [(bytes) => (bytes[1200] ^= 1), ["head", "log/0", "log/1"]],
  ]) {
    const opened = open(Disk.of(changed(whole, change)));
    const { values, told } = await readAll(opened);
    assert.deepEqual([[...values.keys()], told], [keys, []]);
    await opened.close();
  }
});

test("a damaged file that is made anew keeps what is intact, and goes on telling; what is told is erased when it is deleted", async () => {
  const secret = "the secret recipe of Alice";
  const disk = new Disk();
  const storage = open(disk);
  for (let counter = 0; counter < 6; counter += 1) await storage.write(batch(counter, [[`log/${counter}`, counter === 2 ? secret : `text ${counter}`]]), counter);
  await storage.close();
  const [whole] = disk.images;
  const [, , hurt] = recordsOf(whole);
  const damaged = changed(whole, (bytes) => [hurt.at + 9, hurt.last + 9].forEach((place) => (bytes[place] ^= 1)));
  const holds = (image) => Buffer.from(image).includes(secret);
  for (const isMadeAnew of [false, true]) {
    const again = Disk.of(damaged.slice());
    const opened = open(again);
    const { told } = await readAll(opened);
    assert.equal(told.length, 1);
    let counter = 6;
    if (isMadeAnew) {
      const filler = Array.from({ length: 5 }, (_, index) => [`segment/${index}`, "z".repeat(500_000)]);
      await opened.write(batch(counter, filler), counter);
      await opened.write(batch(counter + 1, [], filler.map(([key]) => key)), counter + 1);
      counter += 2;
      for (let turn = 0; again.changes.filter(({ verb }) => verb === "rename").length < 2; turn += 1) {
        assert.ok(turn < 5000);
        await pause();
      }
    }
    const later = open(again);
    const found = await readAll(later);
    assert.deepEqual([[...found.values.keys()], found.told], [["head", "log/0", "log/1", "log/3", "log/4", "log/5"], told]);
    assert.ok(again.images.every(holds), "what was damaged is kept as it was found");
    await later.write(batch(counter, [], told), counter);
    assert.deepEqual((await readAll(opened)).told, []);
    assert.ok(!again.images.some(holds));
    for (const one of [opened, later]) await one.close();
    const last = open(again);
    assert.deepEqual((await readAll(last)).told, []);
    await last.close();
  }
});

test("files of earlier versions with damage are read as far as they can be, and none of their records is written over", async () => {
  const next = random(seed + 1);
  for (const version of ["v1", "v1-worn"]) {
    const whole = new Uint8Array(await readFile(join(import.meta.dirname, "../fixtures/journal", version, "journal")));
    const state = JSON.parse(await readFile(join(import.meta.dirname, "../fixtures/journal", version, "state.json"), "utf8"));
    for (let at = BEGINNING; at < whole.length; at += 1) {
      const storage = open(Disk.of(changed(whole, (bytes) => (bytes[at] ^= 1 << Math.floor(next() * 8)))));
      const { values, told } = await readAll(storage);
      const missing = Object.keys(state).filter((key) => !values.has(key));
      const counter = values.has("head") ? Number(Buffer.from(values.get("head"), "latin1").readBigUInt64LE()) : 0;
      // Each batch of these files has one value beside the head, or three.
      assert.ok(missing.length <= 3, `${version}, byte ${at}: ${missing}`);
      assert.ok(missing.length === 0 || told.length > 0 || counter < 4, `${version}, byte ${at}: ${missing} are missing, and nothing is told`);
      await storage.write(batch(counter, [["log/new", "new"]]), counter);
      await storage.close();
    }
  }
});

test("a file that holds a journal, but is none, is left alone, whatever its beginning", async () => {
  const disk = new Disk();
  const storage = open(disk);
  for (let counter = 0; counter < 2; counter += 1) await storage.write(batch(counter, [[`log/${counter}`, "text"]]), counter);
  await storage.close();
  const [large] = (await histories["one batch after another"]("strict")).images;
  for (const whole of [large, disk.images[0]]) {
    for (const length of [1, 24, 512]) {
      const other = new Uint8Array(length + whole.length);
      other.set(whole, length);
      const holding = Disk.of(other.slice());
      await assert.rejects(readAll(open(holding)), { code: "Corrupt", message: /the file on the disk is no journal/ });
      assert.deepEqual(holding.images, [other]);
    }
  }
  // The first batch is gone with the beginning.
  const [, second] = recordsOf(disk.images[0]);
  const hurt = changed(disk.images[0], (bytes) => bytes.fill(0, 0, second.at + 9));
  const { values, told } = await readAll(open(Disk.of(hurt)));
  assert.deepEqual([[...values.keys()], told.length > 0], [["head", "log/1"], true]);
});

test("after a power failure, whatever arrived of relaxed writes, what was flushed is there, and a state that never was is told", async (context) => {
  const next = random(seed + 2);
  const disk = new Disk();
  const states = [new Map()];
  const storage = open(disk, "relaxed");
  await storage.read("", "~");
  disk.sync();
  const begun = disk.changes.length;
  /** How many batches were on the disk for sure when so many changes were made. */
  const flushed = [];
  for (let counter = 0; counter < 40; counter += 1) {
    const isFold = counter % 13 === 12;
    const deletes = isFold ? [...states.at(-1).keys()].filter((key) => key.startsWith("log/")) : [];
    await storage.write(batch(counter, [[isFold ? `segment/${counter}` : `log/${counter}`, `text ${counter} ${"x".repeat(Math.floor(next() * 2000))}`]], deletes), counter);
    const state = new Map(states.at(-1));
    for (const key of deletes) state.delete(key);
    for (const [key, value] of (await readAll(storage)).values) state.set(key, value);
    states.push(state);
    if (isFold) flushed.push({ changes: disk.changes.length, counter: counter + 1 });
  }
  await storage.close();
  const counts = { told: 0, prefix: 0 };
  for (let count = begun; count <= disk.changes.length; count += 1) {
    for (const share of [0, 0.5, 0.9]) {
      const crashed = disk.afterPowerFailure(count, () => next() < share);
      const what = `${count} changes, share ${share}, seed ${seed}`;
      const opened = open(crashed, "relaxed");
      const { values, told } = await readAll(opened);
      const least = flushed.findLast(({ changes }) => changes <= count)?.counter ?? 0;
      const counter = values.size === 0 ? 0 : Number(Buffer.from(values.get("head"), "latin1").readBigUInt64LE());
      assert.ok(counter >= least, `${what}: ${counter} of ${least}`);
      if (told.length === 0) assert.deepEqual(values, states[counter], what);
      // Nothing is there that was never written.
      for (const [key, value] of values) assert.ok(states.some((state) => state.get(key) === value) || /^\0*$/.test(value), `${what}: ${key}`);
      counts[told.length > 0 ? "told" : "prefix"] += 1;
      await opened.write(batch(counter, [["log/new", "new"]]), counter);
      const again = open(crashed);
      assert.deepEqual((await readAll(again)).told, told, what);
      for (const one of [opened, again]) await one.close();
    }
  }
  assert.ok(counts.told > 10 && counts.prefix > 50, JSON.stringify(counts));
  context.diagnostic(JSON.stringify(counts));
});
