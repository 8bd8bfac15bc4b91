/** Documents as an app keeps them, with the installed package. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { mnemic } from "./support/installed.mjs";

let memory, user;
let opened = 0;

beforeEach(async () => {
  await memory?.close();
  memory = await mnemic.openMemory({ name: `documents-${(opened += 1)}`, storage: "memory" });
  user = memory.scope({ userId: "alice" });
});

const keys = (documents) => documents.map(({ key }) => key);

test("a document is kept, changed and deleted, and its past stays", async () => {
  const at = new Date("2026-05-01T09:00:00Z");
  const put = await user.documents.put(["notes", "work"], "one", { at, list: [1, null], "": "", gone: undefined });
  assert.equal(put.action, "created");
  const { value, namespace, key, createdAt, updatedAt, expiresAt, id } = await user.documents.get(["notes", "work"], "one");
  assert.deepEqual(value, { at: "2026-05-01T09:00:00.000Z", list: [1, null], "": "" });
  assert.deepEqual([namespace, key, expiresAt, id], [["notes", "work"], "one", undefined, put.id]);
  assert.ok(createdAt <= updatedAt && updatedAt <= Date.now());
  assert.equal((await user.documents.put(["notes", "work"], "one", value)).action, "unchanged");
  const changed = await user.documents.put(["notes", "work"], "one", { n: 2 });
  assert.equal(changed.revision, 2);
  assert.deepEqual((await user.history(put.id)).map(({ value }) => value), [value, { n: 2 }]);
  await user.undo(changed.commitId);
  assert.deepEqual((await user.documents.get(["notes", "work"], "one")).value, value);
  assert.equal((await user.documents.delete(["notes", "work"], "one")).action, "deleted");
  assert.equal(await user.documents.delete(["notes", "work"], "one"), null);
  assert.equal(await user.documents.get(["notes", "work"], "one"), null);
  assert.deepEqual(await user.documents.listNamespaces(), []);
});

test("what is returned is a copy", async () => {
  const value = { tags: ["a"] };
  await user.documents.put(["n"], "k", value);
  value.tags.push("b");
  const got = await user.documents.get(["n"], "k");
  got.value.tags.push("c");
  const [found] = await user.documents.search(["n"]);
  found.value.tags.push("d");
  found.namespace.push("e");
  assert.deepEqual(await user.documents.get(["n"], "k"), { ...got, value: { tags: ["a"] } });
});

test("a namespace is matched by whole labels", async () => {
  for (const namespace of [["tenant", "acme"], ["tenant", "acme-corp"], ["tenant", "acme", "x"]]) {
    await user.documents.put(namespace, namespace.at(-1), { words: "shared" });
  }
  assert.deepEqual(keys(await user.documents.search(["tenant", "acme"])), ["acme", "x"]);
  assert.deepEqual(keys(await user.documents.search(["tenant", "acme"], { query: "shared" })).sort(), ["acme", "x"]);
  assert.deepEqual(await memory.scope({ userId: "bob" }).documents.search([]), []);
});

test("chosen fields are searched, and what is not indexed follows", async () => {
  await user.documents.put(["n"], "title", { title: "violin", body: "passport" }, { index: ["title"] });
  await user.documents.put(["n"], "none", { title: "violin" }, { index: false });
  const found = await user.documents.search(["n"], { query: "violin" });
  assert.deepEqual(found.map(({ key, score }) => [key, score !== undefined]), [["title", true], ["none", false]]);
  const [other] = await user.documents.search(["n"], { query: "passport" });
  assert.deepEqual([other.key, other.score], ["none", undefined]);
});

test("dates in filters are dates", async () => {
  await user.documents.put(["n"], "old", { at: new Date("2025-06-01") });
  await user.documents.put(["n"], "new", { at: new Date("2026-06-01"), by: { name: "Ana" } });
  assert.deepEqual(keys(await user.documents.search([], { filter: { at: { $gt: "2026-01-01" } } })), ["new"]);
  assert.deepEqual(keys(await user.documents.search([], { filter: { $not: { "by.name": "Ana" } } })), ["old"]);
});

test("a batch sees what it did, is one commit, or nothing", async () => {
  const commits = [];
  memory.on("change", ({ commitId, changes }) => commits.push([commitId, changes.length]));
  const [put, got, found, names, gone] = await user.documents.batch([
    { op: "put", namespace: ["a"], key: "k", value: { v: 1 } },
    { op: "get", namespace: ["a"], key: "k" },
    { op: "search", prefix: ["a"], filter: { v: 1 } },
    { op: "listNamespaces" },
    { op: "delete", namespace: ["b"], key: "k" },
    { op: "put", namespace: ["c"], key: "k", value: {} },
  ]);
  assert.equal(put.action, "created");
  assert.deepEqual([got.value, keys(found), names, gone], [{ v: 1 }, ["k"], [["a"]], null]);
  assert.deepEqual(commits, [[put.commitId, 2]]);
  const bad = [{ op: "delete", namespace: ["a"], key: "k" }, { op: "put", namespace: ["a", ""], key: "k", value: {} }];
  await assert.rejects(user.documents.batch(bad), { code: "InvalidInput" });
  assert.notEqual(await user.documents.get(["a"], "k"), null);
});

test("a time to live is kept, refreshed by reads, and over when it is over", async () => {
  const short = await mnemic.openMemory({ name: "short", storage: "memory", documents: { ttlMs: 3_600_000, index: ["title"] } });
  const { documents } = short.scope({ userId: "alice" });
  await documents.put(["n"], "hour", { title: "a" });
  await documents.put(["n"], "ever", { title: "b" }, { ttlMs: false });
  const before = Date.now();
  const { expiresAt } = await documents.get(["n"], "hour");
  assert.ok(Math.abs(expiresAt - before - 3_600_000) < 60_000);
  assert.equal((await documents.get(["n"], "ever")).expiresAt, undefined);
  await documents.put(["n"], "gone", { title: "c" }, { ttlMs: 1 });
  const { updatedAt } = (await documents.list(["n"], { keyPrefix: "gone" }))[0] ?? { updatedAt: Date.now() };
  while (Date.now() <= updatedAt + 1);
  assert.equal(await documents.get(["n"], "gone"), null);
  assert.deepEqual(keys(await documents.search([])), ["hour", "ever"]);
  await short.close();
});

test("bad options of opening are named", async () => {
  for (const [documents, named] of [
    [{ index: ["a["] }, /a\[/],
    [{ ttlMs: -1 }, /ttlMs/],
    [{ indx: [] }, /indx/],
  ]) {
    await assert.rejects(mnemic.openMemory({ name: "bad", storage: "memory", documents }), (error) => {
      assert.equal(error.code, "InvalidInput");
      assert.match(error.message, named);
      return true;
    });
  }
});

test("a batch holds as much as a commit may: 5 MB, which was refused as the arguments of one call, and no more than 24 MiB", async () => {
  const big = await mnemic.openMemory({ name: "big", storage: "memory" });
  const { documents } = big.scope({ userId: "alice" });
  const puts = (count, length) =>
    Array.from({ length: count }, (_, key) => ({ op: "put", namespace: ["n"], key: `${key}`, value: { text: "x".repeat(length) }, index: false }));
  const actions = await documents.batch(puts(13, 400_000));
  assert.deepEqual(actions.map(({ action }) => action), Array(13).fill("created"));
  assert.equal(new Set(actions.map(({ commitId }) => commitId)).size, 1);
  assert.equal((await documents.batch(puts(1000, 5_000))).length, 1000);
  await assert.rejects(documents.batch(puts(64, 400_000)), (error) => error.code === "InvalidInput" && error.details.limit === 24 * 1024 * 1024);
  await big.close();
});

test("checkpoints of a thread: written once, the latest listed, pruned, and gone with the thread", async () => {
  const { documents } = user;
  const thread = ["checkpoints", "t1"];
  const operations = Array.from({ length: 20 }, (_, n) => ({
    op: "put", namespace: thread, key: `1f0-${String(n).padStart(4, "0")}`, value: { n }, index: false, ifAbsent: true,
  }));
  await documents.batch(operations);
  await assert.rejects(documents.put(thread, "1f0-0003", { n: -1 }, { ifAbsent: true }), (error) => {
    assert.ok(error instanceof mnemic.ConflictError);
    assert.equal(error.details.revision, 1);
    return true;
  });
  const latest = { depth: 0, orderBy: "key", order: "desc", limit: 3 };
  assert.deepEqual((await documents.search(thread, latest)).map(({ value }) => value.n), [19, 18, 17]);
  assert.deepEqual(keys(await documents.list(thread, { ...latest, after: "1f0-0011" })), ["1f0-0010", "1f0-0009", "1f0-0008"]);
  assert.deepEqual(await documents.deleteAll(thread, { orderBy: "key", order: "desc", offset: 3 }).then(({ deleted }) => deleted), 17);
  const { deleted, commitId } = await documents.deleteAll(thread);
  assert.equal(deleted, 3);
  assert.deepEqual(await documents.list([]), []);
  await user.undo(commitId);
  assert.equal((await documents.list([])).length, 3);
});

test("a write that was based on something else is refused", async () => {
  const { documents } = user;
  const { revision } = await documents.put(["n"], "k", { v: 1 });
  await documents.put(["n"], "k", { v: 2 });
  await assert.rejects(documents.put(["n"], "k", { v: 3 }, { ifRevision: revision }), { code: "Conflict" });
  await assert.rejects(documents.delete(["n"], "k", { ifRevision: revision }), { code: "Conflict" });
  const { revision: now, value } = await documents.get(["n"], "k");
  assert.deepEqual(value, { v: 2 });
  assert.equal((await documents.put(["n"], "k", { v: 3 }, { ifRevision: now })).action, "updated");
});

test("a document moves with its past, as a file in a folder does", async () => {
  const { documents } = user;
  const { id } = await documents.put(["memories"], "draft.md", { text: "one" });
  await documents.put(["memories"], "draft.md", { text: "two" });
  await documents.put(["memories", "v1.2"], "taken.md", { text: "three" });
  await assert.rejects(documents.move(["memories"], "draft.md", { toNamespace: ["memories", "v1.2"], toKey: "taken.md" }), mnemic.ConflictError);
  await documents.move(["memories"], "draft.md", { toNamespace: ["memories", "v1.2"], toKey: "final.md" });
  assert.deepEqual(keys(await documents.list(["memories", "v1.2"], { orderBy: "key" })), ["final.md", "taken.md"]);
  assert.deepEqual((await user.history(id)).map(({ value }) => value.text), ["one", "two", "two"]);
  assert.deepEqual(await documents.listNamespaces(), [["memories", "v1.2"]]);
  assert.equal(await documents.move(["memories"], "draft.md", { toKey: "x" }), null);
});

test("a full stop in a name is written with a backslash", async () => {
  await user.documents.put(["n"], "k", { "a.b": { c: "cello" }, d: "drum" }, { index: ["a\\.b.c"] });
  assert.deepEqual(keys(await user.documents.search(["n"], { filter: { "a\\.b.c": "cello" } })), ["k"]);
  assert.deepEqual(keys(await user.documents.search(["n"], { filter: { "a.b.c": "cello" } })), []);
  const score = async (query) => (await user.documents.search(["n"], { query }))[0]?.score;
  assert.ok((await score("cello")) > 0);
  assert.equal(await score("drum"), undefined);
});

test("bytes are kept as bytes, also in a batch", async () => {
  const bytes = Uint8Array.from({ length: 100_000 }, (_, n) => (n * 7) % 256);
  await user.documents.put(["n"], "k", bytes.subarray(1));
  const got = await user.documents.get(["n"], "k");
  assert.deepEqual([got.data, got.value, got.bytes], [bytes.subarray(1), {}, 99_999]);
  const [put, found, list] = await user.documents.batch([
    { op: "put", namespace: ["n"], key: "l", value: new Uint8Array() },
    { op: "search", prefix: ["n"], orderBy: "key" },
    { op: "list", prefix: ["n"], orderBy: "key" },
  ]);
  assert.equal(put.action, "created");
  assert.deepEqual(found.map(({ data }) => data), [bytes.subarray(1), new Uint8Array()]);
  assert.deepEqual(list.map((entry) => [entry.bytes, "data" in entry]), [[99_999, false], [0, false]]);
  await user.documents.put(["n"], "k", { data: "AA==" });
  assert.deepEqual((await user.documents.get(["n"], "k")).value, { data: "AA==" });
  await assert.rejects(user.documents.put(["n"], "k", new Uint8Array(16 * 1024 * 1024 + 1)), { code: "InvalidInput" });
});

/** A view of bytes that are gone says that it has none: a document without any was stored. */
test("bytes that were transferred or cut off are refused, and what is stored stays", async () => {
  const user = memory.scope({ userId: "gone" });
  await user.documents.put(["n"], "k", new Uint8Array([1, 2, 3]));
  const transferred = new Uint8Array(8);
  structuredClone(transferred, { transfer: [transferred.buffer] });
  const resizable = new ArrayBuffer(8, { maxByteLength: 8 });
  const cut = new Uint8Array(resizable, 4, 4);
  resizable.resize(6);
  for (const value of [transferred, cut]) {
    const refused = { code: "InvalidInput", message: /transferred or shrunk buffer.*; put a copy/ };
    await assert.rejects(user.documents.put(["n"], "k", value), { ...refused, details: { path: "value" } });
    const operations = [{ op: "delete", namespace: ["n"], key: "k" }, { op: "put", namespace: ["n"], key: "l", value }];
    await assert.rejects(user.documents.batch(operations), { ...refused, details: { path: "operations[1].value", index: 1 } });
  }
  assert.deepEqual((await user.documents.get(["n"], "k")).data, new Uint8Array([1, 2, 3]));
});
