/** The journal of files, on a disk of which every change is known: crashes, other processes, erasing, and files that are made anew. */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { random } from "../../scripts/random.mjs";
import { Disk } from "./support/disk.mjs";
import { holdTimers, mount } from "./support/private-files.mjs";
import { createProject } from "./support/project.mjs";

let project, JournalStorage, openOpfs, newBeginning, checksum;

before(async () => {
  project = await createProject();
  ({ JournalStorage, openOpfs, newBeginning, checksum } = await project.import(`
    export { JournalStorage } from "./node_modules/mnemic/files/storage.js";
    export { openOpfs } from "./node_modules/mnemic/files/opfs.js";
    export { checksum } from "./node_modules/mnemic/files/checksum.js";
    export { newBeginning } from "./node_modules/mnemic/files/record.js";
  `));
});

after(() => project?.remove());

const seed = Number(process.env.JOURNAL_SEED ?? Math.floor(Math.random() * 2 ** 32));
console.log(`JOURNAL_SEED=${seed}`);

const open = (disk, durability = "strict") => new JournalStorage(disk.place(newBeginning), durability);
/** The same in the origin's private file system. */
const openPrivate = (disk, durability = "strict") => {
  mount(disk);
  return openOpfs({ name: "chat", storage: "opfs", durability });
};
const bytesOf = (text) => new TextEncoder().encode(text);
const everything = async (storage) => new Map((await storage.read("", "~")).map(([key, value]) => [key, Buffer.from(value).toString("latin1")]));

function head(counter) {
  const bytes = new Uint8Array(20);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(counter), true);
  return bytes;
}

/** A batch whose head is one more than the one before. */
const batch = (counter, puts, deletes = []) => ({ puts: [...puts.map(([key, text]) => [key, bytesOf(text)]), ["head", head(counter + 1)]], deletes });

/** What a model of a storage holds after a batch. */
function applied(model, { puts, deletes }) {
  const next = new Map(model);
  for (const key of deletes) next.delete(key);
  for (const [key, value] of puts) next.set(key, Buffer.from(value).toString("latin1"));
  return next;
}

/** A random batch: keys of a log and of segments, as an engine has them, and now and then a fold that deletes many. */
function randomBatch(next, counter, model, large) {
  const puts = [];
  const deletes = [];
  const text = () => `text ${counter} ${Math.floor(next() * 1e9)} ${"abcdefgh"[Math.floor(next() * 8)].repeat(Math.floor(next() * (next() < 0.2 ? large : 60)))}`;
  for (let count = Math.floor(next() * 4); count > 0; count -= 1) puts.push([`log/${String(counter * 10 + count).padStart(8, "0")}`, text()]);
  if (next() < 0.15) {
    deletes.push(...[...model.keys()].filter((key) => key !== "head" && next() < 0.8));
    puts.push([`segment/${counter}`, text()]);
  } else if (next() < 0.1) {
    puts.push(["keys", text()]);
  }
  return batch(counter, puts, deletes);
}

const pause = () => new Promise((resolve) => setTimeout(resolve));

/** Waits until something is so. */
async function until(isSo) {
  for (let turn = 0; !isSo(); turn += 1) {
    assert.ok(turn < 5000, `${isSo} never was`);
    await pause();
  }
}

/** Closes it, and waits until nothing is being made anew. */
const settled = (storage) => storage.close();

test("what was written is read, after it was closed too", async () => {
  const disk = new Disk();
  const next = random(seed);
  let model = new Map();
  for (let opening = 0; opening < 5; opening += 1) {
    const storage = await open(disk, opening % 2 ? "strict" : "relaxed");
    assert.deepEqual(await everything(storage), model);
    for (let round = 0; round < 40; round += 1) {
      const counter = opening * 40 + round;
      const given = randomBatch(next, counter, model, 20_000);
      await storage.write(given, counter);
      model = applied(model, given);
      assert.deepEqual(await everything(storage), model);
    }
    for (const [key, value] of model) {
      assert.equal(Buffer.from(storage.readAt(key, 2, 5)).toString("latin1"), value.slice(2, 7));
    }
    assert.equal(storage.readAt("none", 0, 5), undefined);
    await settled(storage);
  }
});

/** Lets what was begun come so far. */
const isCompacted = {
  files: (disk, _, times) => disk.changes.filter(({ verb }) => verb === "rename").length > times,
  // The former file is waiting to be emptied.
  "private files": (disk, timers) => timers.count > 0,
};

for (const kind of ["files", "private files"]) {
  test(`a crash after any change, and in the middle of any, leaves all that was confirmed, and no half of a batch: ${kind}`, async (context) => {
    const timers = holdTimers(context);
    const isPrivate = kind === "private files";
    const opening = isPrivate ? openPrivate : open;
    const disk = new Disk();
    const next = random(seed + 1);
    const states = [new Map()];
    /** How many changes there were when so many batches were confirmed. */
    const confirmed = [];
    // Three times the file is made anew: the first time, the next batch takes something away and so ends that.
    const filler = (count) => Array.from({ length: count }, (_, index) => [`segment/filler-${index}`, String(index).repeat(300_000)]);
    const names = (count) => filler(count).map(([key]) => key);
    const special = {
      20: batch(20, filler(7)),
      21: batch(21, [["log/kept", "k"]], names(4)),
      22: batch(22, [], names(7)),
      ...Object.fromEntries([23, 24, 39].map((counter) => [counter, batch(counter, [[`log/plain-${counter}`, "i"]])])),
      38: batch(38, filler(7)),
      40: batch(40, [], names(5)),
      41: batch(41, [["log/kept", "l"]]),
      50: batch(50, [["log/kept", "m"]], names(7)),
    };
    const storage = await opening(disk);
    await storage.read("", "~");
    // The first file has been there for a while.
    disk.sync();
    const begun = disk.changes.length;
    for (let counter = 0; counter < 60; counter += 1) {
      const given = special[counter] ?? randomBatch(next, counter, states.at(-1), 20_000);
      await storage.write(given, counter);
      states.push(applied(states.at(-1), given));
      confirmed.push(disk.changes.length);
      if (counter === 21) await pause();
      // Until it is noticed that it was ended.
      if (counter === 22) for (let turn = 0; turn < 10; turn += 1) await pause();
      if (counter === 24 || counter === 40) await until(() => isCompacted[kind](disk, timers, counter === 24 ? 1 : 2));
      if (counter % 9 === 8) {
        // A while later, all names are on the disk.
        disk.sync();
        timers.end();
        await pause();
      }
    }
    await settled(storage);
    assert.ok(disk.changes.some(({ verb }) => verb === "remove"));
    let refused = 0;
    for (let count = begun; count <= disk.changes.length; count += 1) {
      const { bytes } = disk.changes[count] ?? {};
      for (const part of new Set([0, 1, Math.floor(next() * (bytes?.length ?? 0)), (bytes?.length ?? 1) - 1])) {
        await check(disk.after(count, part), count);
      }
      for (const share of [0, 0.5]) await check(disk.afterPowerFailure(count, () => next() < share), count);
    }
    assert.ok(isPrivate || refused === 0);
    context.diagnostic(`${disk.changes.length} changes; ${refused} times refused`);

    async function check(crashed, count) {
      const least = confirmed.filter((changes) => changes <= count).length;
      const storage = await opening(crashed);
      let found;
      try {
        found = await everything(storage);
      } catch (error) {
        // Nobody can bring the names of private files to the disk: one of them can be lost, but not without a word.
        assert.ok(isPrivate && crashed.hasLostNames && error.code === "Corrupt", error);
        refused += 1;
        return settled(storage);
      }
      const counter = found.size === 0 ? 0 : Number(Buffer.from(found.get("head"), "latin1").readBigUInt64LE());
      const isRevived = isPrivate && crashed.hasLostNames && counter >= 22;
      assert.ok(counter >= least || isRevived, `after ${count} changes ${counter} of ${least} batches are there`);
      assert.deepEqual(found, states[counter]);
      const given = batch(counter, [["log/after", "more"]]);
      await storage.write(given, counter);
      const again = await opening(crashed);
      assert.deepEqual(await everything(again), applied(states[counter], given));
      // What was erased or cut off when it crashed is gone now.
      const texts = [...states[counter].values()].join();
      for (const image of crashed.images) {
        for (const [text] of Buffer.from(image).toString("latin1").matchAll(/text \d+ \d+/g)) assert.ok(texts.includes(text), text);
      }
      for (const opened of [storage, again]) await opened.close();
    }
  });
}

/** A private memory whose file was just made anew, in a batch that others wrote too. */
async function compacted(disk, timers, planted = () => {}) {
  const storage = await openPrivate(disk);
  const filler = Array.from({ length: 5 }, (_, index) => [`segment/${index}`, "z".repeat(500_000)]);
  await storage.write(batch(0, [["log/1", "one"], ...filler]), 0);
  planted();
  await storage.write(batch(1, [["log/2", "two"]], filler.map(([key]) => key)), 1);
  await until(() => timers.count > 0);
  return storage;
}

const privateFiles = (disk) => [...disk.names].filter(([name]) => name.includes("/")).map(([, inode]) => disk.bytesOf(inode));

test("a private file is emptied a while after another took its place, or when something is erased", async (context) => {
  const timers = holdTimers(context);
  for (const isErasing of [false, true]) {
    const disk = new Disk();
    const storage = await compacted(disk, timers);
    await storage.write(batch(2, [["log/3", "three"]]), 2);
    const holding = () => privateFiles(disk).filter((bytes) => Buffer.from(bytes).includes("two")).length;
    assert.equal(holding(), 2, "what took its place may have no name after a power failure");
    if (isErasing) await storage.write(batch(3, [], ["log/2"]), 3);
    else timers.end();
    await until(() => holding() === (isErasing ? 0 : 1));
    assert.equal(timers.count, 0);
    await settled(storage);
    const again = await openPrivate(disk);
    assert.deepEqual([...(await everything(again)).keys()], ["head", "log/1", ...(isErasing ? [] : ["log/2"]), "log/3"]);
    await settled(again);
  }
});

test("a private file whose successor is lost goes on; one that was emptied is told as damage, and no new memory begins", async (context) => {
  const timers = holdTimers(context);
  const disk = new Disk();
  await settled(await compacted(disk, timers));
  const lose = () => disk.names.delete([...disk.names.keys()].filter((name) => name.includes("/")).sort().at(-1));
  lose();
  const revived = await openPrivate(disk);
  assert.deepEqual([...(await everything(revived)).keys()], ["head", "log/1", "log/2"]);
  await revived.write(batch(2, [["log/3", "three"]]), 2);
  await until(() => timers.count > 0);
  timers.end();
  await settled(revived);
  assert.equal(privateFiles(disk).length, 2);
  lose();
  const damaged = await openPrivate(disk);
  for (let again = 0; again < 2; again += 1) await assert.rejects(damaged.read("", "~"), { code: "Corrupt" });
  await settled(damaged);
});

/** It counted as the memory once the first file was emptied. */
test("a private file that a crash left does not take the place of the memory, and what is none of its files is left alone", async (context) => {
  const timers = holdTimers(context);
  const disk = new Disk();
  const strange = "mnemic/chat.files/notes.txt";
  const storage = await compacted(disk, timers, () => {
    for (const name of ["mnemic/chat.files/0000000002-0101010101010101", strange]) disk.append(disk.create(name), newBeginning());
  });
  await storage.write(batch(2, [["log/3", "three"]]), 2);
  timers.end();
  await until(() => privateFiles(disk).some((bytes) => Buffer.from(bytes).toString("latin1").startsWith("mnemicR")));
  await settled(storage);
  const again = await openPrivate(disk);
  assert.deepEqual([...(await everything(again)).keys()], ["head", "log/1", "log/2", "log/3"]);
  await settled(again);
  assert.ok(disk.names.has(strange));
  assert.ok(![...disk.names.keys()].some((name) => name.endsWith("0101010101010101")));
});

/** A power failure took the note and left the file, in which words may stand that were forgotten since. */
for (const kind of ["files", "private files"]) {
  test(`a file beside is announced on the disk before it is made: ${kind}`, async (context) => {
    const timers = holdTimers(context);
    const disk = new Disk();
    if (kind === "files") {
      const storage = await open(disk);
      await storage.write(batch(0, Array.from({ length: 5 }, (_, index) => [`segment/${index}`, "z".repeat(500_000)])), 0);
      await storage.write(batch(1, [], [0, 1, 2, 3].map((index) => `segment/${index}`)), 1);
      await until(() => disk.changes.filter(({ verb }) => verb === "rename").length > 1);
      await settled(storage);
    } else {
      await settled(await compacted(disk, timers));
    }
    const isMade = ({ verb, name }) => verb === "create" && (kind === "files" || name.includes("/"));
    const [first, second] = disk.changes.filter(isMade).map(({ inode }) => inode);
    const before = disk.changes.slice(0, disk.changes.findIndex((change) => isMade(change) && change.inode === second));
    assert.equal(before.filter(({ inode, verb }) => inode === first && verb !== "rename").at(-1).verb, "flush");
  });
}

/** What had been written stood in the file beside, which took the place of the other when it was opened next, or was left there. */
test("closed at any moment, a file that is being made anew is whole and alone", async () => {
  for (const isUrgent of [false, true]) {
    for (let turn = 0; turn < 40; turn += 1) {
      const disk = new Disk();
      const storage = await open(disk);
      const filler = Array.from({ length: isUrgent ? 8 : 5 }, (_, index) => [`segment/${index}`, "z".repeat(900_000)]);
      await storage.write(batch(0, [["log/1", "one"], ...filler]), 0);
      await storage.write(batch(1, [["log/2", "two"]], filler.slice(0, isUrgent ? 8 : 3).map(([key]) => key)), 1);
      for (let wait = 0; wait < turn; wait += 1) await (wait % 3 === 0 ? pause() : new Promise((resolve) => setImmediate(resolve)));
      await storage.close();
      assert.deepEqual([...disk.names.keys()], ["current"], `after ${turn} turns`);
      const again = await open(disk);
      assert.deepEqual([...(await everything(again)).keys()].filter((key) => !key.startsWith("segment/")), ["head", "log/1", "log/2"]);
      await settled(again);
    }
  }
});

/** A move that was cut off leaves such a file, and the next call was told that it is damaged. */
test("a private file that was made anew and then emptied is empty, and is not made anew once more", async (context) => {
  const timers = holdTimers(context);
  const disk = new Disk();
  const storage = await compacted(disk, timers);
  const keys = [...(await everything(storage)).keys()];
  await storage.write({ puts: [], deletes: keys }, 2);
  await settled(storage);
  const files = privateFiles(disk).length;
  const again = await openPrivate(disk);
  assert.deepEqual([...(await everything(again)).keys()], []);
  await settled(again);
  assert.equal(privateFiles(disk).length, files);
});

test("a part of a value is answered whole or not at all when another made the file anew", async (context) => {
  const timers = holdTimers(context);
  for (const isEmptied of [false, true]) {
    const disk = new Disk();
    const other = await openPrivate(disk);
    await other.read("", "~");
    const storage = await compacted(disk, timers);
    await storage.write(batch(2, [["log/3", "three"]]), 2);
    if (isEmptied) {
      timers.end();
      await until(() => privateFiles(disk).some(({ length }) => length === 24));
    }
    assert.throws(() => other.readAt("log/3", 0, 5), { code: "Storage" });
    await pause();
    await until(() => {
      try {
        return Buffer.from(other.readAt("log/3", 0, 5)).toString() === "three";
      } catch ({ code }) {
        assert.equal(code, "Storage");
      }
    });
    for (const opened of [storage, other]) await settled(opened);
  }
});

test("of several at once on one file, each sees all, and of two writes upon one head one counts", async () => {
  const disk = new Disk();
  const next = random(seed + 2);
  const storages = await Promise.all([open(disk), open(disk, "relaxed"), open(disk)]);
  let model = new Map();
  let refused = 0;
  for (let counter = 0; counter < 200; counter += 1) {
    const [one, other] = [0, 1].map(() => storages[Math.floor(next() * 3)]);
    const given = [one, other].map(() => randomBatch(next, counter, model, 100_000));
    const outcomes = await Promise.allSettled([one.write(given[0], counter), other.write(given[1], counter)]);
    const stored = outcomes.filter(({ status }) => status === "fulfilled").length;
    assert.equal(stored, 1);
    refused += outcomes.filter(({ reason }) => reason?.code === "Conflict").length;
    model = applied(model, given[outcomes[0].status === "fulfilled" ? 0 : 1]);
    for (const storage of storages) assert.deepEqual(await everything(storage), model);
  }
  assert.equal(refused, 200);
  for (const storage of storages) await settled(storage);
});

test("what a batch takes away is in no byte of any file when it resolves", async () => {
  const disk = new Disk();
  const storages = [await open(disk), await open(disk)];
  const secret = "the secret recipe of Alice";
  await storages[0].write(batch(0, [["log/1", secret], ["keys", secret], ["log/2", "x".repeat(3_000_000)]]), 0);
  // One that lost, and one for which there was no room.
  await assert.rejects(storages[1].write(batch(0, [["log/1", secret]]), 0), { code: "Conflict" });
  disk.limit = disk.images.reduce((sum, { length }) => sum + length, 0) + 400;
  await assert.rejects(storages[1].write(batch(1, [["log/3", `${secret}${"y".repeat(1000)}`]]), 1), { code: "QuotaExceeded" });
  disk.limit = Infinity;
  const holds = () => disk.images.filter((bytes) => Buffer.from(bytes).includes(secret)).length;
  assert.equal(holds(), 1);
  const other = await open(disk);
  await storages[1].write(batch(1, [["keys", "another"]], ["log/1"]), 1);
  assert.equal(holds(), 0);
  assert.deepEqual([...(await everything(other)).keys()], ["head", "keys", "log/2"]);
  for (const storage of [...storages, other]) await settled(storage);
});

test("what is erased while the file is made anew is not in the new one either", async () => {
  for (let turn = 0; turn < 40; turn += 1) {
    const disk = new Disk();
    const [storage, other] = [await open(disk), await open(disk)];
    const secret = "the secret recipe of Bob";
    const filler = Array.from({ length: 6 }, (_, index) => [`segment/${index}`, "z".repeat(900_000)]);
    await storage.write(batch(0, [["log/1", secret], ...filler]), 0);
    let counter = 1;
    // Half of the file is worthless after that.
    await storage.write(batch(counter++, [["segment/6", "new"]], filler.slice(0, 4).map(([key]) => key)), 1);
    for (let wait = 0; wait < turn; wait += 1) await new Promise((resolve) => setImmediate(resolve));
    await other.write(batch(counter, [], ["log/1"]), counter);
    const seen = disk.images.filter((bytes) => Buffer.from(bytes).includes(secret)).length;
    assert.equal(seen, 0, `after ${turn} turns`);
    await settled(storage);
    assert.equal(disk.images.filter((bytes) => Buffer.from(bytes).includes(secret)).length, 0);
    assert.deepEqual([...(await everything(other)).keys()], ["head", "segment/4", "segment/5", "segment/6"]);
    await settled(other);
  }
});

test("a file stays in proportion to what it holds, even if every batch takes something away", async () => {
  const disk = new Disk();
  const storage = await open(disk);
  for (let counter = 0; counter < 300; counter += 1) {
    await storage.write(batch(counter, [[`segment/${counter}`, "w".repeat(100_000)]], counter < 10 ? [] : [`segment/${counter - 10}`]), counter);
    await pause();
  }
  await settled(storage);
  const [image, ...others] = disk.images;
  assert.deepEqual(others, []);
  assert.ok(image.length < 7_000_000, `${image.length} bytes for 1 000 000`);
});

/** Each fold ended what was being copied, and the file grew to three times its values. */
test("a file that is written to without a pause has at most twice the bytes of its values, and a little", async () => {
  const disk = new Disk();
  const storage = await open(disk, "relaxed");
  const KB = 1000;
  let [most, segment, bytes] = [0, 0, 0];
  let model = new Map();
  for (let counter = 0; counter < 1200; counter += 1) {
    const puts = [[`log/${String(counter).padStart(8, "0")}`, "x".repeat(10 * KB)]];
    const deletes = [];
    if (counter % 5 === 4) {
      deletes.push(...[...model.keys()].filter((key) => key.startsWith("log/")));
      bytes += 50 * KB;
      puts.splice(0, 1, [`segment/${segment}`, "y".repeat(bytes)]);
      if (bytes > 400 * KB) [segment, bytes] = [segment + 1, 0];
    }
    const given = batch(counter, puts, deletes);
    await storage.write(given, counter);
    await new Promise((resolve) => setImmediate(resolve));
    model = applied(model, given);
    const values = [...model.values()].reduce((sum, { length }) => sum + length, 0);
    most = Math.max(most, (disk.images[0].length - 1_500_000) / values);
  }
  assert.ok(most < 2.1, `${most}`);
  assert.deepEqual(await everything(storage), model);
  await settled(storage);
  assert.equal(disk.images.length, 1);
  assert.deepEqual(await everything(await open(disk)), model);
});

test("a full disk changes nothing, and there is room again", async () => {
  const disk = new Disk();
  const storage = await open(disk);
  await storage.write(batch(0, [["a", "1"]]), 0);
  const before = await everything(storage);
  for (const room of [0, 1, 30, 100, 900]) {
    disk.limit = disk.images[0].length + room;
    await assert.rejects(storage.write(batch(1, [["a", "2"], ["b", "y".repeat(1000)]]), 1), { code: "QuotaExceeded", message: /make room on the disk/ });
    assert.deepEqual(await everything(storage), before);
  }
  disk.limit = Infinity;
  await storage.write(batch(1, [["b", "2"]]), 1);
  assert.deepEqual([...(await everything(await open(disk))).keys()], ["a", "b", "head"]);
  await settled(storage);
});

test("files of earlier versions are read", async () => {
  const fixtures = join(import.meta.dirname, "../fixtures/journal");
  for (const version of await readdir(fixtures)) {
    const disk = new Disk();
    disk.begin(await readFile(join(fixtures, version, "journal")));
    const state = JSON.parse(await readFile(join(fixtures, version, "state.json"), "utf8"));
    const storage = await open(disk);
    assert.deepEqual(await everything(storage), new Map(Object.entries(state)));
    await storage.write(batch(4, [["log/7", "more"]], ["keys"]), 4);
    const { keys, ...others } = state;
    assert.deepEqual([...(await everything(await open(disk))).keys()].sort(), [...Object.keys(others), "log/7"].sort());
    assert.equal(Buffer.from(disk.images[0]).includes(keys), false);
    // It is made anew, in the version that is written now.
    await until(() => disk.images.length === 1 && disk.images[0][8] === 2);
    assert.deepEqual([...(await everything(await open(disk))).keys()].sort(), [...Object.keys(others), "log/7"].sort());
  }
});

test("what is no journal, or one of a newer version, is told and left as it is", async () => {
  const disk = new Disk();
  await (await open(disk)).write(batch(0, [["a", "1"]]), 0);
  const [image] = disk.images;
  const whole = image.slice();
  image.fill(65);
  await assert.rejects(everything(open(disk)), { code: "Corrupt" });
  image.set(whole);
  image[8] = 9;
  new DataView(image.buffer).setUint32(20, checksum(image.subarray(0, 20)), true);
  await assert.rejects(everything(open(disk)), { code: "UnsupportedVersion" });
  assert.deepEqual(disk.images, [image]);
});
