/** Memories in a file of Node: several processes at once, processes that are killed, words that are forgotten. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
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
  assert.throws(() => mnemic.fileStorage(""), { code: "InvalidInput" });
  assert.throws(() => mnemic.fileStorage(join(folder, "a"), { durability: "sure" }), { code: "InvalidInput" });
  assert.throws(() => mnemic.fileStorage(join(folder, "a"), { durabilty: "strict" }), { code: "InvalidInput" });
  const open = (name) => mnemic.openMemory({ name: "refused", storage: mnemic.fileStorage(join(folder, name)) });
  await assert.rejects(open("no such folder/a"), { code: "Storage", message: /there is no folder .*no such folder for the file of the memory; make it first/ });
  for (const [name, content, code] of [["text", "a text of something else than mnemic", "Corrupt"], ["short", "mne", "Storage"]]) {
    await writeFile(join(folder, name), content);
    await assert.rejects(mnemic.fileStorage(join(folder, name)).read("", "~"), { code });
    await assert.rejects(open(name));
    assert.equal(await readFile(join(folder, name), "utf8"), content);
  }
});
