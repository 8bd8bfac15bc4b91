/** Memories in a file of Node: several processes at once, processes that are killed, words that are forgotten. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import fs from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, symlink, writeFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { broken } from "./support/contract.mjs";
import { forgotten, holds, NOTHING, options } from "./support/planting.mjs";
import { createProject } from "./support/project.mjs";

let project, mnemic, folder;

before(async () => {
  project = await createProject();
  mnemic = await project.import('export * from "mnemic"; export { fileStorage } from "mnemic/node";');
  folder = await mkdtemp(join(tmpdir(), "mnemic-files-"));
});

after(async () => {
  await project?.remove();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

/** Starts a process that counts; `confirmed` are the heads that it was told are stored. */
function counting(file, who, times) {
  const child = spawn(process.execPath, [join(import.meta.dirname, "support/incrementer.mjs"), project.folder, file, who, String(times)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const confirmed = [];
  let rest = "";
  child.stdout.on("data", (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop();
    confirmed.push(...lines.map(Number));
  });
  const ended = new Promise((resolve) => child.once("close", (code) => resolve(code)));
  return { child, confirmed, ended };
}

test("a file keeps the contract of storages", async () => {
  const open = (durability) => (name) => mnemic.fileStorage(join(folder, `contract-${durability}-${encodeURIComponent(name)}`), { durability });
  for (const durability of ["strict", "relaxed"]) assert.deepEqual(await broken(open(durability)), {});
});

test("a document of 16 MiB is whole in a file, also for another that is open", async () => {
  const open = async () => mnemic.openMemory({ name: "large", storage: mnemic.fileStorage(join(folder, "large.mnemic")), history: { bytes: 2 ** 26 } });
  const bytes = Uint8Array.from({ length: 16 * 2 ** 20 }, (_, place) => Math.imul(place, 2654435761) >>> 13);
  const text = "Petrel is a sloop. ".repeat(800_000);
  const [memory, other] = [await open(), await open()];
  const { documents } = memory.scope({ userId: "alice" });
  await documents.put(["large"], "bytes", bytes);
  const { commitId } = await documents.put(["large"], "text", { text });
  await documents.put(["large"], "text", { text: "A cello" });
  const whole = async (memory) => {
    const { documents } = memory.scope({ userId: "alice" });
    assert.deepEqual(Buffer.compare((await documents.get(["large"], "bytes")).data, bytes), 0);
    assert.equal((await documents.get(["large"], "text")).value.text, "A cello");
    assert.deepEqual((await documents.list(["large"])).map(({ bytes }) => bytes), [bytes.byteLength, 18]);
    assert.equal((await memory.verify()).ok, true);
  };
  await whole(memory);
  await other.refresh();
  await whole(other);
  await Promise.all([memory.close(), other.close()]);
  const again = await open();
  await whole(again);
  const user = again.scope({ userId: "alice" });
  const [put] = (await user.history((await user.documents.get(["large"], "text")).id)).filter((revision) => revision.commitId === commitId);
  assert.ok(put.value.text === text);
  await again.close();
});

test("a memory in a file is there when it is opened again, also for another that is open", async () => {
  const file = join(folder, "again.mnemic");
  const open = async () => mnemic.openMemory({ name: "again", storage: mnemic.fileStorage(file) });
  const memory = await open();
  await memory.scope({ userId: "alice" }).facts.add("Alice sails");
  const other = await open();
  await other.scope({ userId: "alice" }).facts.add("Alice cooks");
  await memory.scope({ userId: "alice" }).facts.add("Alice sings");
  await Promise.all([memory.close(), other.close()]);
  const again = await open();
  const facts = await again.scope({ userId: "alice" }).facts.list();
  assert.deepEqual(facts.map(({ text }) => text).sort(), ["Alice cooks", "Alice sails", "Alice sings"]);
  assert.deepEqual(await again.verify(), { ...(await again.verify()), ok: true });
  await again.close();
  assert.deepEqual((await readdir(folder)).filter((name) => name.startsWith("again")), ["again.mnemic"]);
});

/** What was confirmed was gone without a word, and the next call was confirmed on top of it. */
test("what another has written to the file is there after refresh", async () => {
  const file = join(folder, "refreshed.mnemic");
  const open = (name) => mnemic.openMemory({ name, storage: mnemic.fileStorage(file) });
  const [one, two] = [await open("one"), await open("two")];
  const [writer, reader] = [one, two].map((memory) => memory.scope({ userId: "alice" }));
  await writer.facts.add("Alice sails");
  assert.deepEqual(await reader.facts.list(), []);
  await two.refresh();
  assert.deepEqual((await reader.facts.list()).map(({ text }) => text), ["Alice sails"]);
  await Promise.all([one.close(), two.close()]);
  await assert.rejects(two.refresh(), mnemic.ClosedError);
});

test("a file that goes back under an open memory is told, and nothing is confirmed that is not stored", async () => {
  const ways = { cut: (file, half) => fs.truncateSync(file, half.length), deleted: (file) => fs.rmSync(file), replaced: (file, half) => (fs.rmSync(file), fs.writeFileSync(file, half)) };
  for (const [way, goBack] of Object.entries(ways)) {
    const file = join(folder, `back-${way}.mnemic`);
    const memory = await mnemic.openMemory({ name: "back", storage: mnemic.fileStorage(file) });
    const user = memory.scope({ userId: "alice" });
    await user.facts.add("Alice sails");
    const half = fs.readFileSync(file);
    await user.facts.add("Alice sings");
    goBack(file, half);
    for (let again = 0; again < 2; again += 1) await assert.rejects(user.facts.add("Alice cooks"), { code: "Corrupt", message: /while it was open/ }, way);
    await memory.close();
    const left = await mnemic.openMemory({ name: "back", storage: mnemic.fileStorage(file) });
    const facts = await left.scope({ userId: "alice" }).facts.list();
    assert.deepEqual(facts.map(({ text }) => text), way === "deleted" ? [] : ["Alice sails"]);
    await left.close();
  }
});

/** Opening it again and again never ended, and no timer of the process ran. */
test("a file that goes on in another, which is not there, is told and left as it is", async () => {
  const { NodePlace, Journal } = await project.import(`
    export { Journal } from "./node_modules/mnemic/files/journal.js";
    export { NodePlace } from "./node_modules/mnemic/node/place.js";
  `);
  const file = join(folder, "parted");
  const place = new NodePlace(file);
  const journal = await Journal.open(await place.open());
  const name = place.nextName();
  journal.announce(name);
  journal.end(name);
  await journal.flush();
  journal.close();
  const storage = mnemic.fileStorage(file);
  await assert.rejects(storage.read("", "~"), { code: "Storage", message: new RegExp(`ends in \\.${name} and is not there`) });
  storage.close();
});

const headOf = (counter) => new Uint8Array(new BigUint64Array([BigInt(counter), 0n]).buffer);
const filler = Array.from({ length: 5 }, (_, index) => [`segment/${index}`, new Uint8Array(500_000)]);

/** Writes until a file was made anew; how many batches there are then. `isOver` says whether it was. */
async function churned(storage, counter, isOver) {
  for (let round = 0; !(await isOver()); round += 1) {
    assert.ok(round < 400, "the file was not made anew");
    await storage.write({ puts: [...filler, ["log/1", Uint8Array.of(counter)], ["head", headOf(counter + 1)]], deletes: [] }, counter);
    await storage.write({ puts: [["head", headOf(counter + 2)]], deletes: filler.map(([key]) => key) }, counter + 1);
    counter += 2;
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }
  return counter;
}

const keysIn = async (storage) => (await storage.read("", "~")).map(([key]) => key);

/** It was put in the place of the link, or in the folder where the process was by then. */
test("a file that is made anew stays where it is, behind a link too, and after the process went elsewhere", async (context) => {
  const [real, links] = [join(folder, "real"), join(folder, "links")];
  for (const made of [real, links]) await mkdir(made);
  await symlink(join(real, "chat"), join(links, "chat"));
  const before = process.cwd();
  context.after(() => process.chdir(before));
  process.chdir(links);
  await assert.rejects(mnemic.fileStorage("chat").read("", "~"), { code: "Storage", message: /is a link to a file that is not there/ });
  await mnemic.fileStorage(join(real, "chat")).read("", "~");
  const storage = mnemic.fileStorage("chat");
  const { ino } = await stat(join(real, "chat"));
  await storage.read("", "~");
  process.chdir(folder);
  const counter = await churned(storage, 0, async () => (await stat(join(real, "chat"))).ino !== ino);
  await storage.close();
  assert.equal(await readlink(join(links, "chat")), join(real, "chat"));
  for (const path of [join(real, "chat"), join(links, "chat")]) {
    const again = mnemic.fileStorage(path);
    assert.deepEqual(await keysIn(again), ["head", "log/1"]);
    await again.write({ puts: [["head", headOf(counter + 1)]], deletes: [] }, counter);
    await again.write({ puts: [["head", headOf(counter)]], deletes: [] }, counter + 1);
    await again.close();
  }
  assert.deepEqual(await readdir(real), ["chat"]);
});

test("a file that is made anew keeps its permissions", async () => {
  const file = join(folder, "permitted");
  const storage = mnemic.fileStorage(file);
  await storage.read("", "~");
  await chmod(file, 0o600);
  const { ino, uid, gid } = await stat(file);
  await churned(storage, 0, async () => (await stat(file)).ino !== ino);
  storage.close();
  const after = await stat(file);
  assert.deepEqual([after.mode & 0o777, after.uid, after.gid], [0o600, uid, gid]);
});

/** All data was in a file beside it from then on, and every call failed. */
test("where the system does not let a file be replaced, it goes on as it is, for all who have it open", async (context) => {
  const file = join(folder, "mounted");
  const [storage, other] = [mnemic.fileStorage(file), mnemic.fileStorage(file)];
  let refused = 0;
  const { renameSync } = fs;
  const refusing = (from, to) => {
    if (to !== file) return renameSync(from, to);
    refused += 1;
    throw Object.assign(new Error("EBUSY: resource busy or locked"), { code: "EBUSY" });
  };
  const set = (rename) => (Object.assign(fs, { renameSync: rename }), syncBuiltinESMExports());
  set(refusing);
  context.after(() => set(renameSync));
  let counter = await churned(storage, 0, () => refused >= 2);
  assert.deepEqual([await keysIn(storage), await keysIn(other)], [["head", "log/1"], ["head", "log/1"]]);
  await other.write({ puts: [["log/2", Uint8Array.of(2)], ["head", headOf(counter + 1)]], deletes: [] }, counter);
  assert.deepEqual(await keysIn(storage), ["head", "log/1", "log/2"]);
  for (const opened of [storage, other]) await opened.close();
  const left = async () => (await readdir(folder)).filter((name) => name.startsWith("mounted"));
  assert.deepEqual(await left(), ["mounted"]);
  // One that died between two steps of that.
  set(renameSync);
  const { NodePlace, Journal } = await project.import(`
    export { Journal } from "./node_modules/mnemic/files/journal.js";
    export { NodePlace } from "./node_modules/mnemic/node/place.js";
  `);
  const place = new NodePlace(file);
  const journal = await Journal.open(await place.open());
  const name = place.nextName();
  journal.announce(name);
  (await place.create(name)).close();
  journal.end(name);
  journal.close();
  renameSync(`${file}.${name}`, `${file}.${name}.aside`);
  const again = mnemic.fileStorage(file);
  assert.deepEqual(await keysIn(again), ["head", "log/1", "log/2"]);
  await again.close();
  assert.deepEqual(await left(), ["mounted"]);
});

test("of several processes on one file, each batch of each counts exactly once", async () => {
  const file = join(folder, "several");
  const processes = ["a", "b", "c", "d"].map((who) => counting(file, who, 100));
  assert.deepEqual(await Promise.all(processes.map(({ ended }) => ended)), [0, 0, 0, 0]);
  const heads = processes.flatMap(({ confirmed }) => confirmed).sort((one, other) => one - other);
  assert.deepEqual(heads, Array.from({ length: 400 }, (_, index) => index + 1));
  const storage = mnemic.fileStorage(file);
  for (const [, value] of await storage.read("count/", "count0")) assert.equal(Buffer.from(value).toString(), "100");
  storage.close();
});

test("processes that are killed, one after another, lose nothing that was confirmed, and stop nobody", async () => {
  const file = join(folder, "killed");
  const steady = counting(file, "steady", 300);
  const confirmed = [];
  let isOver = false;
  void steady.ended.then(() => (isOver = true));
  for (let who = 0; !isOver; who += 1) {
    const victim = counting(file, `victim-${who}`, 1e9);
    const least = 1 + (who % 7);
    // Killed in the middle of whatever it does by then.
    await new Promise((resolve) => {
      victim.child.stdout.on("data", () => victim.confirmed.length >= least && resolve());
      void steady.ended.then(resolve);
    });
    victim.child.kill("SIGKILL");
    await victim.ended;
    confirmed.push([`victim-${who}`, victim.confirmed.length]);
  }
  assert.equal(await steady.ended, 0);
  const storage = mnemic.fileStorage(file);
  const counts = new Map((await storage.read("count/", "count0")).map(([key, value]) => [key.slice(6), Number(Buffer.from(value).toString())]));
  assert.equal(counts.get("steady"), 300);
  for (const [who, count] of confirmed) {
    const found = counts.get(who) ?? 0;
    assert.ok(found === count || found === count + 1, `${who}: ${found} of ${count}`);
  }
  const [[, head]] = await storage.read("head", "head!");
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  assert.equal(Number(new DataView(head.buffer, head.byteOffset).getBigUint64(0, true)), total);
  storage.close();
});

for (const whole of [false, true]) {
  for (const encrypted of [false, true]) {
    test(`what is forgotten is in no byte of the file${whole ? ", a scope" : ""}${encrypted ? ", encrypted" : ""}`, async () => {
      const name = `erased-${whole}-${encrypted}`;
      const key = await crypto.subtle.importKey("raw", new Uint8Array(32).fill(7), "AES-GCM", false, ["encrypt", "decrypt"]);
      const open = async () => {
        const storage = mnemic.fileStorage(join(folder, name));
        return mnemic.openMemory({ ...options, name: "erased", storage, ...(encrypted && { encryption: { key } }) });
      };
      const stored = async () => {
        const names = (await readdir(folder)).filter((file) => file.startsWith(name));
        const images = await Promise.all(names.map((file) => readFile(join(folder, file))));
        return names.filter((_, index) => holds(images[index]));
      };
      const { before, after } = await forgotten(open, stored, whole);
      assert.ok(before.told && before.kinds.length >= 7, `planted in ${before.kinds}`);
      assert.deepEqual(before.stored, encrypted ? [] : [name]);
      assert.deepEqual(after, NOTHING);
    });
  }
}

test("what cannot be opened is told and left as it is", async () => {
  // The last two names are one file.
  for (const path of ["", 7, "a\0b", "\ud800", "\udfff"]) assert.throws(() => mnemic.fileStorage(path), { code: "InvalidInput" });
  assert.throws(() => mnemic.fileStorage(join(folder, "a"), { durability: "sure" }), { code: "InvalidInput" });
  assert.throws(() => mnemic.fileStorage(join(folder, "a"), { durabilty: "strict" }), { code: "InvalidInput" });
  const open = (name) => mnemic.openMemory({ name: "refused", storage: mnemic.fileStorage(join(folder, name)) });
  await assert.rejects(open("no such folder/a"), { code: "Storage", message: /there is no folder .*no such folder for the file of the memory; make it first/ });
  for (const [name, content] of [["text", "a text of something else than mnemic"], ["short", "mne"], ["empty", ""]]) {
    await writeFile(join(folder, name), content);
    const told = { code: "Corrupt", message: new RegExp(`/${name} is no journal of mnemic`) };
    await assert.rejects(mnemic.fileStorage(join(folder, name)).read("", "~"), told);
    await assert.rejects(open(name), (error) => error instanceof mnemic.CorruptError && told.message.test(error.message));
    assert.equal(await readFile(join(folder, name), "utf8"), content);
  }
  const { checksum } = await project.import('export { checksum } from "./node_modules/mnemic/files/checksum.js";');
  const file = join(folder, "newer");
  await (await open("newer")).close();
  const bytes = await readFile(file);
  bytes[8] = 9;
  bytes.writeUInt32LE(checksum(bytes.subarray(0, 20)), 20);
  await writeFile(file, bytes);
  await assert.rejects(open("newer"), { code: "UnsupportedVersion", message: /newer was written by version 9/ });
  assert.deepEqual(await readFile(file), bytes);
});

/** Where a tag stands in a journal: at both ends of each record. */
function tagsIn(bytes) {
  const tag = bytes.subarray(12, 20);
  const found = [];
  for (let at = bytes.indexOf(tag, 24); at >= 0; at = bytes.indexOf(tag, at + 1)) found.push(at);
  return found;
}

/** What stood behind one flipped bit was dropped without a word, and overwritten by the next opening. */
for (const durability of ["strict", "relaxed"]) {
  for (const count of [60, 300]) {
    test(`a damaged file opens with what is intact, tells it, and goes on: ${count} facts, ${durability}`, async () => {
      const file = join(folder, `damaged-${durability}-${count}`);
      const open = () => mnemic.openMemory({ name: "damaged", storage: mnemic.fileStorage(file, { durability }) });
      const first = await open();
      for (let index = 0; index < count; index += 1) await first.scope({ userId: "alice" }).facts.add(`Alice has been to place ${index}`);
      assert.equal((await first.verify()).ok, true);
      await first.close();
      const whole = await readFile(file);
      const tags = tagsIn(whole);
      const middle = tags[2 * Math.floor(tags.length / 4)];
      const damages = [
        { of: "a header", least: count, damage: (bytes) => (bytes[middle + 16] ^= 1) },
        { of: "all headers but the first", least: count, damage: (bytes) => tags.slice(2).forEach((at, index) => index % 2 || (bytes[at + 40] ^= 1)) },
        // Of the commits in the log, each takes more than a third of a sector.
        { of: "a sector", least: count - 3, damage: (bytes) => bytes.fill(0, middle - (middle % 512), middle - (middle % 512) + 512) },
      ];
      for (const { of, least, damage } of damages) {
        const bytes = Buffer.from(whole);
        damage(bytes);
        await writeFile(file, bytes);
        const memory = await open();
        const user = memory.scope({ userId: "alice" });
        const facts = (await user.facts.list({ limit: 1000 })).length;
        assert.ok(facts >= least && facts <= count, `${of}: ${facts} facts`);
        const report = await memory.verify();
        const told = report.damage.filter(({ key }) => /^damaged\/f{16}\/journal\//.test(key));
        assert.ok(!report.ok && told.length > 0, `${of}: ${JSON.stringify(report)}`);
        assert.match(told[0].message, /bytes of the file were damaged/);
        assert.ok((await memory.health()).damage.some(({ key }) => key === told[0].key));
        const later = await readFile(file);
        assert.ok(later.subarray(0, bytes.length).every((byte, at) => byte === bytes[at] || bytes[at] !== whole[at]), `${of}: it was written over`);
        await user.facts.add("Alice goes on");
        await memory.close();
        const again = await open();
        assert.equal((await again.scope({ userId: "alice" }).facts.list({ limit: 1000 })).length, facts + 1, of);
        assert.equal((await again.verify()).ok, false);
        // What was damaged may hold what is forgotten.
        await again.scope({ userId: "alice" }).forget({ scope: true });
        await again.close();
        const last = await open();
        assert.deepEqual((await last.verify()).damage.filter(({ key }) => key.startsWith("damaged/")), [], of);
        await last.close();
      }
    });
  }
}
