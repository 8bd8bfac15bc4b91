/** Bad input: each call fails with its typed error, and nothing is changed. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { createProject } from "./support/project.mjs";

const PROFILES = { "user-profile": { type: "object", properties: { name: { type: "string" } } } };

const cyclic = { name: "loop" };
cyclic.self = cyclic;
const deep = JSON.parse(`${'{"a":'.repeat(80)}1${"}".repeat(80)}`);
const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};
const shared = { twice: true };
const huge = "x".repeat(25 * 1024 * 1024);
const NOBODY = "0191a0b0-0000-7000-8000-000000000000";
const message = (content) => ({ role: "user", content });

/** Each row: what is wrong, the call, the code, and what the message must name. */
const CALLS = [
  ["no messages", (user) => user.remember([]), "InvalidInput"],
  ["a string for a message", (user) => user.remember("hello"), "InvalidInput"],
  ["null for a message", (user) => user.remember(null), "InvalidInput"],
  ["a message with an unknown role", (user) => user.remember({ role: "wizard", content: "x" }), "InvalidInput", /wizard|role/],
  ["a message with no content", (user) => user.remember({ role: "user" }), "InvalidInput", /content/],
  ["a number for a content", (user) => user.remember(message(7)), "InvalidInput", /content/],
  ["one bad message among good ones", (user) => user.remember([message("good"), message(7)]), "InvalidInput", /content/],
  ["a message of 25 MB", (user) => user.remember(message(huge)), "InvalidInput", /25165824/],
  ["a message of 300 KB", (user) => user.remember(message(huge.slice(0, 300_000))), "InvalidInput", /messages\[0\]\.content has 300000 bytes.*262144/],
  ["a fact of 25 MB", (user) => user.facts.add(huge), "InvalidInput", /25165824/],
  ["a fact of 5 KB", (user) => user.facts.add(huge.slice(0, 5000)), "InvalidInput", /text has 5000 bytes.*4096/],
  ["a query of 25 MB", (user) => user.recall(huge), "InvalidInput", /25165824/],
  ["501 messages", (user) => user.remember(Array(501).fill(message("x"))), "InvalidInput", /501 items/],
  ["a getter that throws", (user) => user.facts.add({ text: "x", metadata: { get trap() { throw new Error("mine"); } } }), "InvalidInput", /cannot be read/],
  ["a proxy that was revoked", (user) => user.facts.add({ text: "x", metadata: { revoked: revoked() } }), "InvalidInput", /metadata\.revoked: cannot be read/],
  ["half of a surrogate pair", (user) => user.remember(message("\ud83c")), "InvalidInput", /messages\[0\]\.content.*toWellFormed/],
  ["half of a surrogate pair in a key", (user) => user.facts.add({ text: "x", metadata: { "\udfbb": 1 } }), "InvalidInput", /surrogate/],
  ["a cycle", (user) => user.facts.add({ text: "x", metadata: cyclic }), "InvalidInput", /metadata\.self.*contains itself/],
  ["80 levels", (user) => user.facts.add({ text: "x", metadata: deep }), "InvalidInput", /64 levels/],
  ["NaN", (user) => user.facts.add({ text: "x", metadata: { "a b": [NaN] } }), "InvalidInput", /metadata\["a b"\]\[0\]: NaN/],
  ["infinity", (user) => user.facts.add({ text: "x", significance: Infinity }), "InvalidInput", /significance: Infinity/],
  ["an invalid Date", (user) => user.facts.add({ text: "x", expiresAt: new Date("never") }), "InvalidInput", /expiresAt/],
  ["an invalid Date in metadata", (user) => user.facts.add({ text: "x", metadata: { at: new Date(NaN) } }), "InvalidInput", /invalid Date/],
  ["a BigInt", (user) => user.facts.add({ text: "x", metadata: { n: 1n } }), "InvalidInput", /a bigint.*Number\(value\)/],
  ["a function", (user) => user.facts.add({ text: "x", metadata: { f() {} } }), "InvalidInput", /a function/],
  ["a symbol", (user) => user.facts.add({ text: "x", metadata: { s: Symbol("s") } }), "InvalidInput", /a symbol/],
  ["a Map", (user) => user.facts.add({ text: "x", metadata: new Map() }), "InvalidInput", /a Map.*Object\.fromEntries/],
  ["a Set", (user) => user.facts.add({ text: "x", metadata: { s: new Set() } }), "InvalidInput", /a Set.*\[\.\.\.set\]/],
  ["an instance of a class", (user) => user.facts.add({ text: "x", metadata: { u: new URL("a:b") } }), "InvalidInput", /a URL/],
  ["a typed array", (user) => user.facts.add({ text: "x", metadata: { v: new Float32Array(2) } }), "InvalidInput", /Array\.from/],
  ["undefined in a list", (user) => user.facts.add({ text: "x", metadata: { l: [undefined] } }), "InvalidInput", /l\[0\]: undefined/],
  ["an empty fact", (user) => user.facts.add(""), "InvalidInput", /text/],
  ["a number for a fact", (user) => user.facts.add(7), "InvalidInput", /a number/],
  ["a significance of 11", (user) => user.facts.add({ text: "x", significance: 11 }), "InvalidInput", /significance/],
  ["a misspelt property of a fact", (user) => user.facts.add({ text: "x", categry: "goal" }), "InvalidInput", /categry/],
  ["a misspelt option", (user) => user.recall("x", { maxTokenz: 5 }), "InvalidInput", /maxTokenz/],
  ["options that are no object", (user) => user.recall("x", 5), "InvalidInput", /options/],
  ["a signal that is none", (user) => user.recall("x", { signal: "now" }), "InvalidInput", /signal/],
  ["a query that is no string", (user) => user.recall(undefined), "InvalidInput", /query/],
  ["a number for a query", (user) => user.facts.search(7), "InvalidInput", /query is 7; pass a string/],
  ["an empty query", (user) => user.recall("  "), "InvalidInput", /query/],
  ["no room at all", (user) => user.recall("x", { maxTokens: 0 }), "InvalidInput", /maxTokens is 0/],
  ["a threshold that is a text", (user) => user.recall("x", { threshold: "high" }), "InvalidInput", /threshold is "high"; pass a number/],
  ["an unknown order", (user) => user.threads.messages("default", { order: "newest" }), "InvalidInput", /order is "newest"; pass "asc" or "desc"/],
  ["an empty namespace", (user) => user.documents.put([], "k", {}), "InvalidInput", /namespace is empty/],
  ["a label without a name", (user) => user.documents.put(["a", ""], "k", {}), "InvalidInput", /label 1 .* is empty/],
  ["a label that is a number", (user) => user.documents.get(["a", 1], "k"), "InvalidInput", /namespace\[1\]/],
  ["a namespace that is a string", (user) => user.documents.search("a"), "InvalidInput", /prefix/],
  ["a reserved root", (user) => user.documents.batch([{ op: "put", namespace: ["langgraph"], key: "k", value: {} }]), "InvalidInput", /reserved/],
  ["a document that is a list", (user) => user.documents.put(["a"], "k", [1]), "InvalidInput", /wrap it/],
  ["a document that is left out", (user) => user.documents.put(["a"], "k"), "InvalidInput", /value/],
  ["a document with a Map", (user) => user.documents.put(["a"], "k", { m: new Map() }), "InvalidInput", /value\.m: a Map/],
  ["a document of 17 MB", (user) => user.documents.put(["a"], "k", { huge: huge.slice(0, 17_000_000) }), "InvalidInput", /16777216/],
  ["an index that is no path", (user) => user.documents.put(["a"], "k", {}, { index: ["a..b"] }), "InvalidInput", /a\.\.b/],
  ["a time to live of nothing", (user) => user.documents.put(["a"], "k", {}, { ttlMs: 0 }), "InvalidInput", /ttlMs/],
  ["an operation nobody knows", (user) => user.documents.batch([{ op: "upsert" }]), "InvalidInput", /op is "upsert"/],
  ["one bad operation among good ones", (user) => user.documents.batch([{ op: "put", namespace: ["a"], key: "k", value: {} }, { op: "get" }]), "InvalidInput", /operations\[1\]/],
  ["a negative limit", (user) => user.facts.list({ limit: -1 }), "InvalidInput", /limit is -1; pass a whole number from 1 to 1000/],
  ["a limit that is no whole number", (user) => user.facts.list({ limit: 1.5 }), "InvalidInput", /limit is 1.5; pass a whole number from 1 to 1000/],
  ["an unknown operator", (user) => user.facts.list({ filter: { $nope: [] } }), "InvalidFilter", /\$nope/],
  ["no id", (user) => user.facts.get(), "InvalidInput", /id/],
  ["an id that is none", (user) => user.facts.delete("nothing"), "InvalidInput", /id is "nothing"; pass an id/],
  ["the id of nothing", (user) => user.facts.delete(NOBODY), "NotFound", /0191a0b0/],
  ["the commit of nothing", (user) => user.undo(NOBODY), "NotFound", /0191a0b0/],
  ["the history of nothing", (user) => user.history(NOBODY), "NotFound", /0191a0b0/],
  ["the explanation of nothing", (user) => user.explain(NOBODY), "NotFound", /0191a0b0/],
  ["an unknown schema", (user) => user.profiles.set("no-such", "name", "x"), "NotFound", /no-such/],
  ["a value of the wrong type", (user) => user.profiles.set("user-profile", "name", 7), "SchemaViolation"],
  ["no value", (user) => user.profiles.set("user-profile", "name", undefined), "InvalidInput", /value/],
];

/** Each row: what is wrong, the pairs. */
const SCOPES = [
  ["no pairs", {}],
  ["undefined", undefined],
  ["null", null],
  ["a string", "alice"],
  ["a list", ["alice"]],
  ["a Map", new Map([["userId", "alice"]])],
  ["an empty value", { userId: "" }],
  ["an empty key", { "": "alice" }],
  ["a number", { userId: 7 }],
  ["a star", { userId: "*" }],
  ["six pairs", { a: "1", b: "2", c: "3", d: "4", e: "5", f: "6" }],
  ["half of a surrogate pair", { userId: "\ud83c" }],
  ["a value of 257 characters", { userId: "x".repeat(257) }],
];

/** Each row: what is wrong, the options of openMemory, the code, and what the message must name. */
const OPTIONS = [
  ["no options", undefined, "InvalidInput", /options/],
  ["no name", { storage: "memory" }, "InvalidInput", /name/],
  ["a name with a slash", { name: "a/b", storage: "memory" }, "InvalidInput", /a\/b/],
  ["a name of 65 characters", { name: "x".repeat(65), storage: "memory" }, "InvalidInput", /64/],
  ["no storage", { name: "x" }, "InvalidInput", /StorageObject|"memory"/],
  ["an unknown storage", { name: "x", storage: "disk" }, "InvalidInput", /disk/],
  ["a storage object that lacks write", { name: "x", storage: { read() {} } }, "InvalidInput", /write/],
  ["an unknown durability", { name: "x", storage: "memory", durability: "maybe" }, "InvalidInput", /maybe/],
  ["an unknown option of extraction", { name: "x", storage: "memory", extraction: { speed: 1 } }, "InvalidInput", /speed/],
  ["a trigger that is a text", { name: "x", storage: "memory", extraction: { trigger: { idleMs: "1" } } }, "InvalidInput", /extraction\.trigger\.idleMs/],
  ["no time for the model", { name: "x", storage: "memory", extraction: { timeoutMs: 0 } }, "InvalidInput", /timeoutMs is 0/],
  ["an unknown option", { name: "x", storage: "memory", model: "gpt" }, "InvalidInput", /options\.model/],
  ["an llm that is no function", { name: "x", storage: "memory", llm: {} }, "InvalidInput", /llm/],
  ["an embedder with no id", { name: "x", storage: "memory", embed: { embed() {} } }, "InvalidInput", /id/],
  ["a function for an embedder", { name: "x", storage: "memory", embed() {} }, "InvalidInput", /embed/],
  ["profiles that are a list", { name: "x", storage: "memory", profiles: [] }, "InvalidInput", /profiles/],
  ["a schema that is a string", { name: "x", storage: "memory", profiles: { p: "object" } }, "InvalidSchema", /profiles\.p/],
  [
    "a Standard Schema that cannot print itself",
    { name: "x", storage: "memory", profiles: { p: { "~standard": { version: 1, vendor: "toy", validate() {} } } } },
    "InvalidSchema",
    /toy/,
  ],
];

let project, mnemic, memory, user;

before(async () => {
  project = await createProject();
  mnemic = await project.import('export * from "mnemic";');
  memory = await mnemic.openMemory({ name: "input", storage: "memory", profiles: PROFILES });
  user = memory.scope({ userId: "alice" });
  await user.facts.add("Alice was here before");
  await user.remember(message("hello"));
  await user.profiles.set("user-profile", "name", "Alice");
});

after(async () => {
  await memory?.close();
  await project?.remove();
});

/** Checks that the error is of the class of its code, and that its message says what it must. */
function isTyped(code, named) {
  return (error) => {
    assert.ok(error instanceof mnemic.MnemicError, `not a MnemicError: ${error?.stack ?? error}`);
    assert.equal(error.code, code, error.message);
    assert.ok(error instanceof mnemic[`${code}Error`]);
    assert.equal(error.name, `${code}Error`);
    assert.ok(error.message.length > 0 && error.message.length < 500, error.message.slice(0, 600));
    if (named) assert.match(error.message, named);
    return true;
  };
}

const state = async () => ({
  facts: await user.facts.list(),
  messages: await user.threads.messages("default"),
  documents: await user.documents.search([]),
  profiles: await user.profiles.get(),
  commits: (await memory.usage()).commits,
});

describe("a call with", () => {
  for (const [name, call, code, named] of CALLS) {
    test(`${name}: ${code}, nothing changed`, async () => {
      await memory.idle();
      const before = await state();
      await assert.rejects(call(user), isTyped(code, named));
      assert.deepEqual(await state(), before);
    });
  }
});

describe("a scope of", () => {
  for (const [name, pairs] of SCOPES) {
    test(`${name}: InvalidScope`, () => assert.throws(() => memory.scope(pairs), isTyped("InvalidScope")));
  }
});

describe("opening with", () => {
  for (const [name, options, code, named] of OPTIONS) {
    test(`${name}: ${code}`, () => assert.rejects(mnemic.openMemory(options), isTyped(code, named)));
  }
});

test("an error about one of a list says which, whoever refuses it", async () => {
  const vector = [0.5, Number.NaN];
  for (const [call, path] of [
    [() => user.remember([message("good"), message(7)])],
    [() => user.remember([message("good"), message(7n)], { threadId: "t" }), "messages[1].content"],
    [() => user.facts.import([{ text: "good" }, { text: "bad", significance: 11 }]), "facts[1].significance"],
    [() => user.facts.import([{ text: "good" }, { text: "bad", embedding: vector }]), "facts[1].embedding[1]"],
    [() => user.facts.import([{ text: "good" }, "bad"]), "facts[1]"],
  ]) {
    await assert.rejects(call, ({ code, details }) => {
      assert.deepEqual([code, details.index, details.path], ["InvalidInput", 1, path]);
      return true;
    });
  }
});

test("listening to an unknown event, or with no function, is refused", () => {
  assert.throws(() => memory.on("chnge", () => {}), isTyped("InvalidInput", /chnge/));
  assert.throws(() => memory.on(1n, () => {}), isTyped("InvalidInput", /a bigint/));
  assert.throws(() => memory.on("change"), isTyped("InvalidInput", /listener/));
});

test("a past that is no time is refused", () => {
  for (const time of [NaN, Infinity, "yesterday", null, undefined, new Date("never")]) {
    assert.throws(() => user.asOf(time), isTyped("InvalidInput", /asOf/));
  }
});

test("an embedder that answers another dimension than before is reported, and words still find", async () => {
  let dimension = 4;
  const embed = { id: "toy", embed: (texts) => texts.map(() => new Array(dimension).fill(0.5)) };
  const other = await mnemic.openMemory({ name: "dimension", storage: "memory", embed });
  const errors = [];
  other.on("error", (error) => errors.push(error));
  const bob = other.scope({ userId: "bob" });
  const first = await bob.facts.add("Bob bakes bread");
  await other.idle();
  dimension = 3;
  const second = await bob.facts.add("Bob brews beer");
  const { failed } = await other.idle();
  assert.ok(errors.length > 0, "nobody was told");
  for (const { code, message } of [...errors, ...failed.map(({ error }) => error)]) {
    assert.equal(code, "Embedder");
    assert.match(message, /3.*4|4.*3/);
  }
  const before = errors.length;
  assert.equal((await bob.facts.search("bread"))[0].id, first.id);
  assert.ok(errors.length > before, "nobody was told that words alone were used");
  const ids = (await bob.facts.list()).map(({ id }) => id);
  assert.deepEqual(ids.sort(), [first.id, second.id].sort());
  await other.close();
});

test("arguments are written as JSON.stringify writes them", async () => {
  const { plain } = await import(pathToFileURL(project.path("node_modules/mnemic/plain.js")).href);
  const values = [
    {},
    { a: [], b: {}, c: null, d: -0, e: 1e21, f: "\u0000\"\\\u2028" },
    { "": { "__proto__": 1, ["__proto__"]: { own: true } } },
    { undefined, one: shared, two: shared, date: new Date(0) },
    Object.assign(Object.create(null), { bare: true }),
    { long: "ä".repeat(1_000_000) },
  ];
  for (const value of values) assert.equal(plain(value), JSON.stringify(value));
  assert.throws(() => plain({ long: "漢".repeat(8_400_000) }), isTyped("InvalidInput", /25165824/));
});
