/** The store for LangGraph: what the tests of LangGraph's own stores state, and what is promised beyond. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { langGraphProject } from "./support/langgraph.mjs";

let project, mnemic, adapter, checkpoint;
let memory, user, store;
let opened = 0;

before(async () => ({ project, mnemic, adapter, checkpoint } = await langGraphProject()));
after(() => project?.remove());
beforeEach(() => open());

async function open(options, storeOptions) {
  await memory?.close();
  memory = await mnemic.openMemory({ name: `store-${(opened += 1)}`, storage: "memory", ...options });
  user = memory.scope({ userId: "alice" });
  store = new adapter.MnemicStore(user, storeOptions);
}
after(() => memory?.close());

const keys = (items) => items.map(({ key }) => key);
const values = (items) => items.map(({ value }) => value);

/** A vector of how often each character occurs, as LangGraph's tests have it. */
const characters = {
  id: "characters-500",
  embed: (texts) =>
    texts.map((text) => {
      const vector = new Array(500).fill(0);
      for (const character of [...text].slice(0, 500)) vector[character.charCodeAt(0) % 500] += 1;
      return vector;
    }),
};

describe("as every store of LangGraph", () => {
  test("it is a BaseStore", () => assert.ok(store instanceof checkpoint.BaseStore));

  test("a value is put, got, replaced and deleted", async () => {
    assert.equal(await store.put(["crud"], "one", { foo: "bar", num: 42 }), undefined);
    const item = await store.get(["crud"], "one");
    assert.deepEqual(Object.keys(item).sort(), ["createdAt", "key", "namespace", "updatedAt", "value"]);
    assert.deepEqual([item.namespace, item.key, item.value], [["crud"], "one", { foo: "bar", num: 42 }]);
    assert.ok(item.createdAt instanceof Date && item.updatedAt instanceof Date);
    await store.put(["crud"], "one", { foo: "baz" });
    const later = await store.get(["crud"], "one");
    assert.deepEqual(later.value, { foo: "baz" });
    assert.deepEqual(later.createdAt, item.createdAt);
    assert.ok(later.updatedAt > item.updatedAt, "the time of the change is later, also in the same millisecond");
    assert.equal(await store.delete(["crud"], "one"), undefined);
    assert.equal(await store.get(["crud"], "one"), null);
    assert.equal(await store.get(["nothing"], "here"), null);
    assert.equal(await store.delete(["nothing"], "here"), undefined);
  });

  test("any JSON comes back as it was", async () => {
    const value = { text: "t", number: 1.5, yes: true, nothing: null, list: [1, [2], { a: "\0" }], nested: { deep: { value: "ü" } }, "a.b": 1, "": {} };
    await store.put(["crud", "complex"], "k.e:y/ \0", value);
    assert.deepEqual((await store.get(["crud", "complex"], "k.e:y/ \0")).value, value);
  });

  test("a batch answers in the order of its operations", async () => {
    const results = await store.batch([
      { namespace: ["batch"], key: "one", value: { data: "first" } },
      { namespace: ["batch"], key: "two", value: { data: "second" } },
      { namespace: ["batch"], key: "one" },
      { namespacePrefix: ["batch"] },
      { limit: 10, offset: 0 },
      { namespace: ["batch"], key: "one", value: null },
      { namespace: ["batch"], key: "one" },
    ]);
    assert.deepEqual(results.slice(0, 2), [undefined, undefined]);
    assert.deepEqual(results[2].value, { data: "first" });
    assert.deepEqual(keys(results[3]), ["one", "two"]);
    assert.deepEqual(results.slice(4), [[["batch"]], undefined, null]);
  });

  test("a batch with a wrong operation changes nothing", async () => {
    const wrong = [{ namespace: ["batch"], key: "one", value: { a: 1 } }, { namespace: [], key: "two", value: { a: 1 } }];
    await assert.rejects(store.batch(wrong), (error) => error instanceof checkpoint.InvalidNamespaceError && /Namespace cannot be empty/.test(error.message));
    await assert.rejects(store.batch([wrong[0], { namespace: ["batch"], key: "two", value: 5 }]), (error) => error instanceof mnemic.InvalidInputError);
    assert.deepEqual(await store.search([]), []);
  });

  test("a batch of more than a thousand operations is carried out", async () => {
    const puts = Array.from({ length: 2100 }, (_, number) => ({ namespace: ["many"], key: String(number), value: { number } }));
    const results = await store.batch([...puts, { namespace: ["many"], key: "2099" }]);
    assert.equal(results.length, 2101);
    assert.deepEqual(results.at(-1).value, { number: 2099 });
  });

  test("namespaces that are none are refused, and deeper labels may be anything", async () => {
    const { InvalidNamespaceError } = checkpoint;
    for (const [namespace, message] of [
      [[], /cannot be empty/],
      [["the", "thing.about"], /periods/],
      [["some", "fun", ""], /empty strings/],
      [["valid", 123], /must be strings/],
      [["langgraph", "foo"], /Root label/],
    ]) {
      await assert.rejects(store.put(namespace, "foo", { foo: "bar" }), (error) => error instanceof InvalidNamespaceError && message.test(error.message));
    }
    for (const namespace of [["foo", "langgraph", "foo"], ["valid", "namespace"], ["langgraph", "foo"]]) {
      await store.batch([{ namespace, key: "bar", value: { foo: "bar" } }]);
      assert.deepEqual((await store.get(namespace, "bar")).value, { foo: "bar" });
      assert.deepEqual(values(await store.search(namespace)), [{ foo: "bar" }]);
      await store.delete(namespace, "bar");
      assert.equal(await store.get(namespace, "bar"), null);
    }
  });
});

describe("searches", () => {
  const DOCUMENTS = {
    doc1: { title: "JavaScript Guide", category: "programming", difficulty: "beginner", tags: ["javascript", "web"], pages: 100, "by.whom": "Ana" },
    doc2: { title: "TypeScript Handbook", category: "programming", difficulty: "intermediate", tags: ["typescript"], pages: 250 },
    doc3: { title: "Python Basics", category: "programming", difficulty: "beginner", tags: ["python"], pages: 80 },
  };
  beforeEach(async () => {
    for (const [key, value] of Object.entries(DOCUMENTS)) await store.put(["docs"], key, value);
    await store.put(["docs-archive"], "old", { title: "JavaScript of old", category: "programming" });
    await store.put(["docs", "deep"], "doc4", { title: "Chocolate cake", category: "dessert" });
  });

  test("without a query, what lies below a namespace comes in the order in which it was first put, without scores", async () => {
    const found = await store.search(["docs"]);
    assert.deepEqual(keys(found), ["doc1", "doc2", "doc3", "doc4"], "a namespace beside it with the same beginning is another");
    assert.deepEqual(found.map(({ score }) => score), [undefined, undefined, undefined, undefined]);
    assert.deepEqual(found.at(-1).namespace, ["docs", "deep"]);
    assert.equal((await store.search([])).length, 5);
    assert.deepEqual(await store.search(["nonexistent"]), []);
  });

  test("a filter compares, and several conditions must all hold", async () => {
    for (const [filter, expected] of [
      [{ category: "programming" }, ["doc1", "doc2", "doc3"]],
      [{ difficulty: { $eq: "beginner" } }, ["doc1", "doc3"]],
      [{ category: "programming", difficulty: { $ne: "beginner" } }, ["doc2"]],
      [{ difficulty: { $in: ["beginner", "intermediate"] } }, ["doc1", "doc2", "doc3"]],
      [{ difficulty: { $nin: ["beginner"] } }, ["doc2", "doc4"]],
      [{ pages: { $gt: 80, $lte: 250 } }, ["doc1", "doc2"]],
      [{ pages: { $gte: 100 } }, ["doc1", "doc2"]],
      [{ pages: { $lt: 100 } }, ["doc3"]],
      [{}, ["doc1", "doc2", "doc3", "doc4"]],
      [{ missing: "x" }, []],
      // What was undefined was left out, and all were found.
      [{ pages: undefined }, ["doc4"]],
      [{ missing: undefined, pages: { $gt: 0 } }, keys(await store.search(["docs"], { filter: { pages: { $gt: 0 } } }))],
      [{ "by.whom": "Ana" }, ["doc1"]],
    ]) {
      assert.deepEqual(keys(await store.search(["docs"], { filter })), expected, JSON.stringify(filter));
    }
    await assert.rejects(store.search(["docs"], { filter: { pages: { $near: 5 } } }), (error) => error instanceof mnemic.InvalidFilterError);
  });

  test("pages follow one another", async () => {
    assert.deepEqual(keys(await store.search(["docs"], { limit: 2 })), ["doc1", "doc2"]);
    assert.deepEqual(keys(await store.search(["docs"], { limit: 2, offset: 2 })), ["doc3", "doc4"]);
  });

  test("any limit is taken", async () => {
    const many = Array.from({ length: 1203 }, (_, place) => ({ namespace: ["many", `n${place}`], key: `k${place}`, value: { place }, index: false }));
    await store.batch(many);
    const wanted = [
      { namespacePrefix: ["many"], limit: 5000 },
      { namespacePrefix: ["many"], limit: 1101, offset: 100 },
      { namespacePrefix: ["many"], limit: 0 },
      { matchConditions: [{ matchType: "prefix", path: ["many"] }], limit: 2000, offset: 0 },
    ];
    const [all, some, none, namespaces] = await store.batch(wanted);
    assert.deepEqual(keys(all), many.map(({ key }) => key));
    assert.deepEqual(keys(some), many.slice(100, 1201).map(({ key }) => key));
    assert.deepEqual([none, new Set(namespaces.map(([, label]) => label)).size], [[], many.length]);
    await assert.rejects(store.search(["many"], { limit: -1 }), mnemic.InvalidInputError);
  });

  test("a query ranks, with a filter too", async () => {
    const found = await store.search(["docs"], { query: "javascript" });
    assert.equal(found[0].key, "doc1");
    assert.ok(found[0].score > found[1].score);
    assert.ok(found.every(({ score }) => score >= 0 && score <= found[0].score));
    const filtered = await store.search(["docs"], { query: "programming guide", filter: { difficulty: "beginner" } });
    assert.deepEqual(filtered[0].key, "doc1");
    assert.ok(filtered.every(({ value }) => value.difficulty === "beginner"));
  });

  test("what is put without an index comes last, without a score", async () => {
    await store.put(["plain"], "indexed", { text: "about dogs" });
    await store.put(["plain"], "not", { text: "about dogs" }, false);
    const found = await store.search(["plain"], { query: "dogs" });
    assert.deepEqual(keys(found), ["indexed", "not"]);
    assert.equal(found[1].score, undefined);
  });
});

describe("searches by meaning", () => {
  beforeEach(() => open({ embed: characters }));

  test("a changed value is found by what it says now", async () => {
    await store.put(["test"], "doc1", { text: "zany zebra Xerxes" });
    await store.put(["test"], "doc2", { text: "something about dogs" });
    await store.put(["test"], "doc3", { text: "text about birds" });
    await memory.idle();
    const [first] = await store.search(["test"], { query: "Zany Xerxes" });
    assert.equal(first.key, "doc1");
    await store.put(["test"], "doc1", { text: "new text about dogs" });
    await memory.idle();
    const scoreOf = async (query) => (await store.search(["test"], { query })).find(({ key }) => key === "doc1")?.score ?? 0;
    assert.ok((await scoreOf("Zany Xerxes")) < first.score);
    assert.ok((await scoreOf("new text about dogs")) > (await scoreOf("Zany Xerxes")));
  });

  test("all that is indexed is ranked, however little it fits", async () => {
    for (const [key, text] of [["a", "red apple"], ["b", "red car"], ["c", "green apple"], ["d", "blue car"]]) {
      await store.put(["test"], key, { text, color: text.split(" ")[0], score: { a: 4.5, b: 3, c: 4, d: 3.5 }[key] });
    }
    await memory.idle();
    for (const [query, filter, count, first] of [
      ["apple", { color: "red" }, 2, "a"],
      ["car", { color: "red" }, 2, "b"],
      ["bbbbluuu", { score: { $gt: 3.2 } }, 3, "d"],
      ["apple", { score: { $gte: 4 }, color: "green" }, 1, "c"],
    ]) {
      const found = await store.search(["test"], { query, filter });
      assert.deepEqual([found.length, found[0].key], [count, first], query);
    }
  });

  test("the fields of a store, and those of a value, say what is searched", async () => {
    await open({ embed: characters }, { index: { fields: ["key0", "key1", "key3"] } });
    await store.put(["test"], "doc1", { key1: "xxx", key2: "yyy", key3: "zzz" });
    await store.put(["test"], "doc2", { key0: "uuu", key1: "vvv", key2: "www", key3: "xxx" });
    await store.put(["test"], "doc5", { key1: "hhh" }, false);
    await memory.idle();
    const found = async (query) => (await store.search(["test"], { query })).map(({ key, score }) => [key, score]);
    const same = await found("xxx");
    assert.deepEqual(same.map(([key]) => key).sort(), ["doc1", "doc2", "doc5"]);
    assert.equal(same.at(-1)[1], undefined);
    assert.equal(same[0][1], same[1][1], "each field counts by itself, so both fit as well");
    const [first, second] = await found("uuu");
    assert.equal(first[0], "doc2");
    assert.ok(first[1] > second[1]);
    assert.ok(Math.abs(first[1] - same[0][1]) < 5e-6, "what is the same as the query fits as well, however many others do");
    assert.ok((await found("www")).slice(0, 2).every(([, score]) => score < first[1]), "what no field leads to is not searched");
    await store.put(["test"], "doc6", { key1: "hidden", key9: "qqq" }, ["key9"]);
    await memory.idle();
    assert.equal((await found("qqq"))[0][0], "doc6");
  });
});

describe("namespaces", () => {
  const fill = async (...namespaces) => {
    for (const [place, namespace] of namespaces.entries()) await store.put(namespace, `id_${place}`, { data: place });
  };

  test("are listed by how they begin and end, cut and in pages", async () => {
    const ALL = ["a/b/c", "a/b/d/e", "a/b/d/i", "a/b/f", "a/c/f", "b/a/f", "users/123", "users/456/settings", "admin/users/789"];
    await fill(...ALL.map((path) => path.split("/")));
    for (const [options, expected] of [
      [{ prefix: ["a", "b"] }, "a/b/c a/b/d/e a/b/d/i a/b/f"],
      [{ suffix: ["f"] }, "a/b/f a/c/f b/a/f"],
      [{ prefix: ["a"], suffix: ["f"] }, "a/b/f a/c/f"],
      [{ prefix: ["a", "b"], maxDepth: 3 }, "a/b/c a/b/d a/b/f"],
      [{ prefix: ["a", "b"], limit: 2 }, "a/b/c a/b/d/e"],
      [{ prefix: ["a", "b"], offset: 2 }, "a/b/d/i a/b/f"],
      [{ maxDepth: 1 }, "a admin b users"],
      [{ prefix: ["users", "*"] }, "users/123 users/456/settings"],
      [{ suffix: ["*", "settings"] }, "users/456/settings"],
      [{ suffix: ["*", "*", "*", "e"] }, "a/b/d/e"],
      [{ prefix: ["*", "users"], suffix: ["*", "settings"] }, ""],
      [{ prefix: ["*", "users"] }, "admin/users/789"],
    ]) {
      const found = (await store.listNamespaces(options)).map((labels) => labels.join("/")).join(" ");
      assert.equal(found, expected, JSON.stringify(options));
    }
    const both = [{ matchType: "prefix", path: ["a"] }, { matchType: "prefix", path: ["*", "b"] }, { matchType: "suffix", path: ["d", "*"] }];
    assert.deepEqual(await store.batch([{ matchConditions: both, limit: 10, offset: 0 }]), [[["a", "b", "d", "e"], ["a", "b", "d", "i"]]]);
  });

  test("that hold nothing are not listed", async () => {
    assert.deepEqual(await store.listNamespaces(), []);
    await fill(["a"], ["b"]);
    await store.delete(["a"], "id_0");
    assert.deepEqual(await store.listNamespaces(), [["b"]]);
  });
});

describe("beside other data", () => {
  test("a store, a checkpointer and the app's own documents do not see one another", async () => {
    const saver = new adapter.MnemicSaver(user);
    await saver.put({ configurable: { thread_id: "t" } }, checkpoint.emptyCheckpoint(), { source: "input", step: -1, parents: {} }, {});
    await user.documents.put(["notes"], "own", { text: "mine" });
    await store.put(["notes"], "theirs", { text: "the agent's" });
    assert.deepEqual(keys(await store.search([])), ["theirs"]);
    assert.deepEqual(await store.listNamespaces(), [["notes"]]);
    const shared = new adapter.MnemicStore(user, { namespace: [] });
    assert.deepEqual(keys(await shared.search(["notes"])), ["own"]);
    await shared.put(["notes"], "both", { text: "ours" });
    assert.deepEqual((await user.documents.get(["notes"], "both")).value, { text: "ours" });
    const other = new adapter.MnemicStore(memory.scope({ userId: "bob" }));
    assert.deepEqual(await other.search([]), []);
  });

  test("what is no user or no option is refused by name", async () => {
    assert.throws(() => new adapter.MnemicStore(memory), (error) => error instanceof mnemic.InvalidInputError && /memory\.scope/.test(error.message));
    assert.throws(() => new adapter.MnemicSaver(), (error) => error instanceof mnemic.InvalidInputError);
    assert.throws(() => new adapter.MnemicStore(user, 5), (error) => error instanceof mnemic.InvalidInputError);
    assert.throws(() => new adapter.MnemicStore(user, { namespace: "notes" }), (error) => error instanceof mnemic.InvalidInputError);
    for (const [options, told] of [
      [{ namespaces: ["notes"] }, /options\.namespaces/],
      [{ index: { dims: 3, embeddings: {} } }, /options\.index\.dims.* fields/],
      [{ ttl: { default: 5 } }, /options\.ttl\.default: .* defaultTtl/],
    ]) assert.throws(() => new adapter.MnemicStore(user, options), (error) => error instanceof mnemic.InvalidInputError && told.test(error.message));
    await assert.rejects(store.put(["notes"], "own", undefined), (error) => error instanceof mnemic.InvalidInputError && /value/.test(error.message));
  });

  test("a lifetime in minutes is that of the documents", async () => {
    await open({}, { ttl: { defaultTtl: 60 } });
    await store.put(["session"], "draft", { text: "Dear" });
    const { expiresAt } = await user.documents.get(["langgraph-store", "session"], "draft");
    const { updatedAt } = await store.get(["session"], "draft");
    assert.equal(Math.round((expiresAt - updatedAt.getTime()) / 60_000), 60);
  });
});
