/** Backups through the package: streams and passphrases, files for people, and backups by themselves. */
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { mnemic } from "./support/installed.mjs";

let memory, user;

const open = () => mnemic.openMemory({ name: "backup", storage: "memory", extraction: { auto: false } });
const bytesOf = async (stream) => new Uint8Array(await new Response(stream).arrayBuffer());

beforeEach(async () => {
  await memory?.close();
  memory = await open();
  user = memory.scope({ userId: "ana" });
});

/** Something of many kinds, with a past; more than one piece of an encrypted file. */
async function live() {
  const { id } = await user.facts.add("Ana plays the cello");
  await user.facts.update(id, { text: "Ana plays the viola" });
  await user.remember({ role: "user", content: "My name is Ana." }, { threadId: "first" });
  await user.documents.put(["notes", "work"], "plan", { text: "x".repeat(300_000) });
  await user.documents.put(["notes", "home"], "plan", { text: "y".repeat(300_000) });
  return id;
}

test("a memory goes out as a stream and comes back as it was, from any source of bytes", async () => {
  const id = await live();
  const bytes = await bytesOf(memory.export());
  const history = await user.history(id);
  for (const source of [bytes, bytes.buffer, new Blob([bytes]), new Blob([bytes]).stream()]) {
    const other = await open();
    const progress = [];
    const { mode, createdAt } = await other.import(source, { mode: "replace", onProgress: (told) => progress.push(told) });
    assert.deepEqual([mode, typeof createdAt, progress.at(-1).done], ["replace", "number", bytes.length]);
    assert.deepEqual(await other.scope({ userId: "ana" }).history(id), history);
    assert.equal((await other.verify()).ok, true);
    await other.close();
  }
});

test("a passphrase is needed, and every damage is told from a wrong one", async () => {
  await live();
  const passphrase = "pässword with a ü"; // composed here, decomposed below
  const bytes = await bytesOf(memory.export({ passphrase }));
  assert.equal(Buffer.from(bytes).includes("viola"), false);
  const other = await open();
  const restore = (source, options) => other.import(source, { mode: "replace", ...options });
  await assert.rejects(restore(bytes), { code: "Locked" });
  await assert.rejects(restore(bytes, { passphrase: "another" }), { code: "WrongKey" });
  // The header, each piece, the tag of the last.
  for (const place of [9, 12, 20, 33, 40, 55, 57, 262_200, 262_300, bytes.length - 1]) {
    const damaged = bytes.slice();
    damaged[place] ^= 1;
    await assert.rejects(restore(damaged, { passphrase }), { code: "Corrupt" }, `byte ${place}`);
  }
  // Cut anywhere, also where a piece ends; pieces swapped.
  const piece = 256 * 1024 + 16;
  for (const end of [8, 30, 57, 57 + piece, 57 + 2 * piece, bytes.length - 1]) {
    await assert.rejects(restore(bytes.slice(0, end), { passphrase }), { code: "Corrupt" }, `cut at ${end}`);
  }
  const swapped = bytes.slice();
  swapped.set(bytes.subarray(57, 57 + piece), 57 + piece);
  await assert.rejects(restore(swapped, { passphrase }), { code: "Corrupt" });
  assert.equal((await other.usage()).records, 0);
  await restore(bytes, { passphrase: passphrase.normalize("NFD") });
  assert.equal((await other.scope({ userId: "ana" }).facts.list())[0].text, "Ana plays the viola");
  await other.close();
});

test("what cannot be taken in says why and changes nothing", async () => {
  await user.facts.add("Ana sails");
  for (const source of [new Uint8Array(0), new Blob(["PK\u0003\u0004"]), new Blob(["mnemic\r\n"]), new Uint8Array(100)]) {
    await assert.rejects(memory.import(source, { mode: "replace" }), ({ code }) => ["InvalidInput", "Corrupt"].includes(code));
  }
  await assert.rejects(memory.import("text"), { code: "InvalidInput" });
  await assert.rejects(memory.import(new Uint8Array(0), { mode: "both" }), { code: "InvalidInput" });
  await assert.rejects(memory.import(new Uint8Array(0), { modus: "merge" }), { code: "InvalidInput" });
  await assert.rejects(memory.import(await bytesOf(user.export()), { mode: "replace" }), { code: "InvalidInput" });
  assert.throws(() => memory.export({ passphrase: "" }), { code: "InvalidInput" });
  const aborted = memory.import(await bytesOf(memory.export()), { signal: AbortSignal.abort() });
  await assert.rejects(aborted, { code: "Aborted" });
  assert.deepEqual((await user.facts.list()).map(({ text }) => text), ["Ana sails"]);
});

test("a backup that is too large is refused before the engine holds it", async () => {
  const limit = 512 * 1024 * 1024;
  const large = Object.defineProperty(new Blob(["mnemic\r\n"]), "size", { value: limit + 1 });
  const endless = new ReadableStream({
    pull(controller) {
      controller.enqueue(new TextEncoder().encode("mnemic\r\n"));
      // Pages that nobody touches take no room.
      controller.enqueue(new Uint8Array(limit));
    },
  });
  for (const source of [large, endless]) {
    await assert.rejects(memory.import(source), ({ code, message, details }) => {
      assert.deepEqual([code, details.limit], ["InvalidInput", limit]);
      return message.includes(String(limit));
    });
  }
  await user.facts.add("Ana sails");
});

test("a scope is taken into another one, twice as once, and back out by one call", async () => {
  await live();
  const file = new Blob([await bytesOf(user.export())]);
  const phone = memory.scope({ userId: "ana", device: "phone" });
  const first = await phone.import(file);
  assert.deepEqual([first.format, first.failed, first.commitIds.length], ["mnemic", [], 1]);
  assert.equal((await phone.facts.list())[0].text, "Ana plays the viola");
  assert.deepEqual((await phone.import(file)).commitIds, []);
  await phone.undo(first.commitIds);
  assert.deepEqual(await phone.items.list(), []);
});

test("an import of others' data is few commits, and taken back by one call", async () => {
  const memories = Array.from({ length: 2500 }, (_, number) => ({ id: `m${number}`, memory: `Ana knows the number ${number}` }));
  const imported = await user.import(memories);
  assert.deepEqual([imported.done, imported.commitIds.length], [2500, 10]);
  assert.equal((await user.undo(imported.commitIds)).length, 10);
  assert.equal((await memory.usage()).records, 0);
});

test("several commits are undone together, or none of them", async () => {
  const tea = await user.facts.add("Ana drinks tea");
  const milk = await user.facts.add("Ana drinks milk");
  await user.facts.update(tea.id, { text: "Ana drinks green tea" });
  await assert.rejects(user.undo([tea.commitId, milk.commitId]), (error) => {
    assert.deepEqual([error.code, error.details.commitId, error.details.undone], ["Conflict", tea.commitId, undefined]);
    return true;
  });
  const texts = (await user.facts.list()).map(({ text }) => text).sort();
  assert.deepEqual(texts, ["Ana drinks green tea", "Ana drinks milk"]);
});

test("files for people have safe places, and what was written is nothing but text in them", async () => {
  await user.facts.add("<script>alert(1)</script> [x](javascript:y) **b** # h `c`");
  await user.facts.add("left \u202eto right\u200b");
  await user.remember({ role: "user", content: "# Title\n- item\n> quote" }, { threadId: "quoted", learn: false });
  for (const threadId of ["../../etc/passwd", "CON", "A", "con", " . ", "x".repeat(200), "tab\there"]) {
    await user.remember({ role: "user", content: "hi" }, { threadId, learn: false }).catch(() => {});
  }
  await user.documents.put(["notes"], "../x/..\\y:z*", { n: 1 });
  const files = [];
  for await (const file of memory.exportFiles()) files.push(file);
  const places = files.map(({ path }) => path);
  assert.equal(new Set(places.map((path) => path.toLowerCase())).size, places.length);
  for (const path of places) {
    assert.match(path, /^userId=ana\/([\p{L}\p{N}\p{M}\-_.,=@+ ~]+\/)*[\p{L}\p{N}\p{M}\-_.,=@+ ~]+\.(md|json|jsonl)$/u);
    for (const name of path.split("/")) {
      assert.ok(name !== "." && name !== ".." && name.length <= 80 && !/^(con|prn|aux|nul)(\.|$)/i.test(name), path);
    }
  }
  const text = (name) => files.find(({ path }) => path === `userId=ana/${name}`).text;
  assert.ok(text("facts.md").includes("\\<script\\>") && text("facts.md").includes("\\[U+202E\\]"));
  assert.ok(!/[\u202e\u200b]/.test(text("facts.md")));
  assert.ok(text("threads/quoted.md").includes("> \\# Title\n> \\- item\n> \\> quote"));
  const items = text("items.jsonl").trim().split("\n").map((line) => JSON.parse(line));
  assert.ok(items.some(({ kind }) => kind === "document"));
});

test("no two scopes have one folder, however alike their names are", async () => {
  // The files of "a/b" took the places of those of "a_b", and so did those of any two long names with one beginning.
  const many = await mnemic.openMemory({ name: "alike", storage: "memory" });
  const long = "x".repeat(100);
  const userIds = ["a/b", "a_b", "A?B", `${long}1`, `${long}2`, "COM\u00b9"];
  for (const userId of userIds) await many.scope({ userId }).facts.add(`This is ${encodeURIComponent(userId)}`);
  const files = new Map();
  for await (const { path, text } of many.exportFiles()) files.set(path.normalize("NFKC").toLowerCase(), text);
  const facts = [...files].filter(([path]) => path.endsWith("/facts.md"));
  assert.equal(facts.length, userIds.length);
  assert.equal(new Set(facts.map(([, text]) => text)).size, userIds.length);
  const threads = many.scope({ userId: "threads" });
  await threads.remember({ role: "user", content: "hi" }, { threadId: "com\u00b9", learn: false });
  const places = [];
  for await (const { path } of threads.exportFiles()) places.push(path);
  assert.ok(places.includes("threads/_com\u00b9.md"), places.join());
  await many.close();
});

/** A file as the File System Access API has it: what is written is seen when it is closed. */
function fileHandle(name = "memory.mnemic") {
  const handle = { kind: "file", name, bytes: undefined, writes: 0, broken: false, held: undefined };
  return Object.assign(handle, {
    async getFile() {
      if (handle.bytes === undefined) throw new DOMException("there is none", "NotFoundError");
      return new File([handle.bytes], handle.name);
    },
    async createWritable() {
      const chunks = [];
      return new WritableStream({
        async write(chunk) {
          handle.held?.reach();
          await handle.held?.released;
          if (handle.broken) throw new DOMException("the disk is full", "QuotaExceededError");
          chunks.push(chunk);
        },
        close() {
          handle.bytes = Buffer.concat(chunks);
          handle.writes += 1;
        },
      });
    },
  });
}

/** Lets nothing be written to a file until it is released; `reached` when something is to be. */
function hold(handle) {
  const held = {};
  held.released = new Promise((resolve) => (held.release = resolve));
  held.reached = new Promise((resolve) => (held.reach = resolve));
  return (handle.held = held);
}

/** Waits for something that timers bring about, which are mocked meanwhile. */
async function untilTimers(isDone) {
  while (!(await isDone())) {
    mock.timers.tick(1000);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** What a backup holds of Ana. */
async function factsIn(handle) {
  const other = await open();
  await other.backup.restore(handle);
  const texts = (await other.scope({ userId: "ana" }).facts.list()).map(({ text }) => text);
  await other.close();
  return texts.sort();
}

test("what is decided while a backup is made holds: another file, none, and a backup of what is there now", async () => {
  await user.facts.add("Ana sails");
  const [first, second] = [fileHandle("first"), fileHandle("second")];
  await memory.backup.to(first);
  let held = hold(first);
  const early = memory.backup.now();
  await held.reached;
  await user.facts.add("Ana dives");
  const late = memory.backup.now();
  held.release();
  await Promise.all([early, late]);
  // The second call was answered by the backup that the first had begun.
  assert.deepEqual(await factsIn(first), ["Ana dives", "Ana sails"]);
  held = hold(first);
  const running = memory.backup.now();
  await held.reached;
  const moved = memory.backup.to(second);
  held.release();
  await running;
  assert.deepEqual([(await moved).target.name, second.writes], ["second", 1]);
  assert.equal((await memory.backup.state()).target.name, "second");
  held = hold(second);
  const last = memory.backup.now();
  await held.reached;
  const stopped = memory.backup.stop();
  held.release();
  await last;
  await stopped;
  assert.deepEqual(await memory.backup.state(), { isDue: false, isRunning: false });
});

test("a backup that fails is made again, also when something was forgotten while it was made", async () => {
  await live();
  const handle = fileHandle();
  await memory.backup.to(handle);
  const told = [];
  memory.on("error", ({ code }) => told.push(code));
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const held = hold(handle);
    const running = memory.backup.now();
    await held.reached;
    await user.forget({ scope: true });
    held.release();
    await assert.rejects(running, { code: "Conflict" });
    await untilTimers(() => handle.writes === 2);
    assert.equal(handle.bytes.includes("viola"), false);
    await untilTimers(async () => (await memory.backup.state()).error === undefined);
    // The disk is full for a while, and nothing more is written to the memory.
    handle.broken = true;
    await user.facts.add("Ana swims");
    await untilTimers(() => told.length > 0);
    await untilTimers(async () => (await memory.backup.state()).isRunning === false);
    await untilTimers(async () => (await memory.backup.state()).isRunning === true);
    handle.broken = false;
    await untilTimers(() => handle.writes === 3);
    await untilTimers(async () => (await memory.backup.state()).error === undefined);
    assert.deepEqual(told, ["Storage"], "the same failure is told once");
  } finally {
    mock.timers.reset();
  }
  assert.deepEqual(await factsIn(handle), ["Ana swims"]);
});

test("a backup goes to the file that was chosen, whole or not at all, and comes back", async () => {
  assert.deepEqual(await memory.backup.state(), { isDue: false, isRunning: false });
  await assert.rejects(memory.backup.now(), { code: "NotFound" });
  await user.facts.add("Ana sails");
  const handle = fileHandle();
  const state = await memory.backup.to(handle, { passphrase: "secret" });
  assert.deepEqual([state.target, state.permission, state.isDue, state.lastBytes], [
    { kind: "file", name: "memory.mnemic" }, "granted", false, handle.bytes.length,
  ]);
  await user.facts.add("Ana runs");
  assert.equal((await memory.backup.state()).isDue, true);
  const before = handle.bytes;
  handle.broken = true;
  await assert.rejects(memory.backup.now(), { code: "Storage" });
  assert.equal((await memory.backup.state()).error.code, "Storage");
  assert.equal(handle.bytes, before, "the last backup is still there");
  handle.broken = false;
  await memory.backup.now();
  assert.equal((await memory.backup.state()).error, undefined);
  // A backup that nobody asked for failed without a word to anybody.
  handle.broken = true;
  const failed = new Promise((resolve) => memory.on("error", resolve));
  mock.timers.enable({ apis: ["setTimeout"] });
  await user.facts.add("Ana swims");
  mock.timers.tick(300_000);
  mock.timers.reset();
  const failure = await failed;
  assert.deepEqual([failure.code, (await memory.backup.state()).error], ["Storage", failure]);
  await user.facts.delete((await user.facts.search("Ana swims", { limit: 1 }))[0].id);
  handle.broken = false;
  await memory.backup.now();
  const other = await open();
  await assert.rejects(other.backup.restore(handle), { code: "Locked" });
  await other.backup.restore(handle, { passphrase: "secret" });
  assert.equal((await other.scope({ userId: "ana" }).facts.list()).length, 2);
  await assert.rejects(other.backup.restore(fileHandle()), { code: "NotFound" });
  await other.close();
  await memory.backup.stop();
  assert.deepEqual(await memory.backup.state(), { isDue: false, isRunning: false });
});
