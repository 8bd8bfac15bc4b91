/** The copy of a storage, against storages in maps that fail and are written to by others. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createProject } from "./support/project.mjs";

let project, Mirror;

before(async () => {
  project = await createProject();
  ({ Mirror } = await project.import('export { Mirror } from "./node_modules/mnemic/safekeeping/mirror.js";'));
});

after(() => project?.remove());

/** A head of a lineage, as `docs/format.md` lays it out as far as a mirror reads it. */
function head(counter, lineage = 1) {
  const bytes = new Uint8Array(64).fill(lineage, 32, 48);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(counter), true);
  bytes[11] = 2;
  return bytes;
}

const counterOf = (bytes) => (bytes === undefined ? 0 : Number(new DataView(bytes.buffer).getBigUint64(0, true)));

/** A storage in a map. What `fail` answers for the name of a call is thrown. */
class MapStorage {
  constructor(pairs = []) {
    this.pairs = new Map(pairs);
    this.writes = 0;
    this.fail = () => undefined;
  }
  async read(start, end) {
    const error = this.fail("read");
    if (error) throw error;
    return [...this.pairs].filter(([key]) => start <= key && key < end).sort(([a], [b]) => (a < b ? -1 : 1));
  }
  async write({ puts, deletes }, expectedHead) {
    const error = this.fail("write");
    if (error) throw error;
    if (counterOf(this.pairs.get("head")) !== expectedHead) throw Object.assign(new Error("moved"), { code: "Conflict" });
    this.writes += 1;
    for (const [key, value] of puts) this.pairs.set(key, value);
    for (const key of deletes) this.pairs.delete(key);
  }
  async clear() {
    this.pairs.clear();
  }
  async tidy() {}
  close() {}
}

const value = (text) => new TextEncoder().encode(text);
const same = (copy, original) => assert.deepEqual([...copy.pairs].sort(), [...original.pairs].sort());

async function mirrored(original = new MapStorage(), copy = new MapStorage()) {
  const { mirror, filledFrom } = await Mirror.open(original, copy, "test");
  mirror.begin();
  const write = (counter, key, text, deletes = []) => {
    return mirror.write({ puts: [[key, value(text)], ["head", head(counter)]], deletes }, counter === 1 ? 0 : counter - 1);
  };
  return { mirror, original, copy, filledFrom, write };
}

test("writes are copied together, later, and in order", async () => {
  const { mirror, original, copy, write } = await mirrored();
  for (let counter = 1; counter <= 20; counter += 1) await write(counter, `log/${counter}`, `text ${counter}`);
  assert.equal(copy.writes, 0);
  assert.ok(mirror.state().behindSince !== undefined);
  await mirror.settle();
  assert.equal(copy.writes, 1);
  assert.deepEqual(mirror.state(), { behindSince: undefined, error: undefined });
  same(copy, original);
  mirror.close();
});

test("a write that deletes is in the copy when it resolves", async () => {
  const { mirror, original, copy, write } = await mirrored();
  await write(1, "log/1", "what is forgotten later");
  await write(2, "segment/1", "what stays", ["log/1"]);
  same(copy, original);
  assert.ok(!copy.pairs.has("log/1"));
  mirror.close();
});

test("a copy that cannot follow a deletion is emptied, and made anew when it can", async () => {
  const { mirror, original, copy, write } = await mirrored();
  await write(1, "log/1", "what is forgotten later");
  await mirror.settle();
  assert.ok(copy.pairs.has("log/1"));
  copy.fail = (call) => (call === "write" ? Object.assign(new Error("full"), { code: "QuotaExceeded" }) : undefined);
  await write(2, "segment/1", "what stays", ["log/1"]);
  assert.equal(copy.pairs.size, 0);
  assert.match(mirror.state().error.message, /full/);
  copy.fail = () => undefined;
  await mirror.settle();
  same(copy, original);
  assert.equal(mirror.state().error, undefined);
  mirror.close();
});

test("what another tab wrote in between is taken from the storage", async () => {
  const { mirror, original, copy, write } = await mirrored();
  await write(1, "log/1", "one");
  await original.write({ puts: [["log/2", value("of another tab")], ["head", head(2)]], deletes: [] }, 1);
  await write(3, "log/3", "three");
  await mirror.settle();
  same(copy, original);
  mirror.close();
});

test("an empty storage, one that is behind, and one that is ahead of its copy end up the same", async () => {
  const pairs = (counter) => [...Array.from({ length: counter }, (_, at) => [`log/${at}`, value(`${at}`)]), ["head", head(counter)]];
  for (const [stored, copied, filledFrom, left] of [[0, 5, 0, 5], [3, 5, 3, 5], [5, 3, undefined, 5], [5, 5, undefined, 5], [5, 0, undefined, 5]]) {
    const original = new MapStorage(stored ? pairs(stored) : []);
    const opened = await mirrored(original, new MapStorage(copied ? pairs(copied) : []));
    assert.equal(opened.filledFrom, filledFrom, `${stored} of ${copied}`);
    await opened.mirror.settle();
    same(opened.copy, original);
    assert.equal(counterOf(original.pairs.get("head")), left);
    opened.mirror.close();
  }
});

test("values of a copy without a head are put into an empty storage, and those that a storage without a head lacks are added", async () => {
  const headless = () => new MapStorage([["log/1", value("one")], ["log/2", value("two")]]);
  const empty = await mirrored(new MapStorage(), headless());
  assert.deepEqual([empty.filledFrom, [...empty.original.pairs.keys()]], [0, ["log/1", "log/2"]]);
  const part = await mirrored(new MapStorage([["log/1", value("own")]]), headless());
  assert.deepEqual([part.filledFrom, part.original.pairs.get("log/1"), part.original.pairs.size], [undefined, value("own"), 2]);
  for (const { mirror } of [empty, part]) mirror.close();
});

test("a new memory has nothing to copy, which is no failure", async () => {
  const { mirror, copy } = await mirrored();
  await mirror.settle();
  assert.deepEqual([mirror.state(), copy.writes], [{ behindSince: undefined, error: undefined }, 0]);
  mirror.close();
});

test("a copy of another memory is left as it is, and said to be", async () => {
  const copy = new MapStorage([["log/1", value("of before")], ["head", head(9, 7)]]);
  const { mirror, write } = await mirrored(new MapStorage([["log/1", value("of now")], ["head", head(1)]]), copy);
  await write(2, "log/2", "more", ["log/1"]);
  await mirror.settle();
  assert.equal(counterOf(copy.pairs.get("head")), 9);
  assert.match(mirror.state().error.message, /of another memory.*keep: "copy"/);
  mirror.close();
});

test("a copy of before the memory was encrypted is replaced", async () => {
  const sealed = head(9);
  sealed[11] = 9;
  const original = new MapStorage([["keys", value("x".repeat(40))], ["log/1", value("sealed")], ["head", sealed]]);
  const { mirror, copy } = await mirrored(original, new MapStorage([["log/1", value("in clear")], ["head", head(8)]]));
  await mirror.settle();
  same(copy, original);
  mirror.close();
});

test("a storage that is emptied while it is open is filled from the copy, by a read and by a write", async () => {
  for (const act of ["read", "write"]) {
    const { mirror, original, write } = await mirrored();
    let restored = 0;
    mirror.onRestored = () => (restored += 1);
    await write(1, "log/1", "one");
    await write(2, "log/2", "two");
    original.pairs.clear();
    if (act === "read") assert.equal((await mirror.read("head", "log0")).length, 3);
    else await assert.rejects(write(3, "log/3", "three"), { code: "Conflict" });
    assert.equal(original.pairs.size, 3, act);
    assert.equal(restored, 1);
    await write(3, "log/3", "three");
    mirror.close();
  }
});

test("an emptied storage never empties its copy", async () => {
  const { mirror, original, copy, write } = await mirrored();
  await write(1, "log/1", "one");
  await mirror.settle();
  await original.write({ puts: [["log/2", value("of another tab")], ["head", head(2)]], deletes: [] }, 1);
  await write(3, "log/3", "three");
  original.pairs.clear();
  await mirror.settle();
  assert.equal(counterOf(copy.pairs.get("head")), 1);
  mirror.close();
});
