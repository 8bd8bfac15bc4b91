/** Imports from other memories and chats, with the installed package and samples of each format. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, test } from "node:test";
import { mnemic } from "./support/installed.mjs";
import { root } from "./support/tarball.mjs";

const sample = (name) => readFile(join(root, "tests/fixtures/imports", name), "utf8");
const places = ({ failed }) => failed.map(({ place }) => place);
const counts = ({ done, skipped, failed }) => [done, skipped, failed.length];

let memory, user;
let opened = 0;

beforeEach(async () => {
  await memory?.close();
  memory = await mnemic.openMemory({ name: `imports-${(opened += 1)}`, storage: "memory" });
  user = memory.scope({ userId: "ana" });
});

/** What is kept, without what differs from run to run. */
async function kept() {
  const threads = await user.threads.list();
  const messages = await Promise.all(threads.map(({ threadId }) => user.threads.messages(threadId, { limit: 1000 })));
  return { messages: messages.flat(), facts: await user.facts.list({ limit: 1000 }), documents: await user.documents.search([], { limit: 1000 }) };
}

test("ChatGPT: the branch that was open last, word for word", async () => {
  const imported = await user.import(await sample("chatgpt.json"));
  assert.equal(imported.format, "chatgpt");
  assert.deepEqual(counts(imported), [5, 0, 2]);
  assert.deepEqual(places(imported), ['[1].mapping["b"]', "[2]"]);
  const messages = await user.threads.messages("6840f0a2-0001-4000-8000-000000000001");
  assert.deepEqual(
    messages.map(({ messageId, role, content, name, createdAt }) => [messageId, role, content, name, createdAt]),
    [
      ["m1", "user", "I'm vegetarian. What should I cook?", undefined, 1772359200500],
      ["m3", "tool", "Risotto with mushrooms", "browser", 1772359215000],
      ["m4", "assistant", "How about a mushroom risotto?", undefined, 1772359220000],
      ["m5", "user", "With these?", undefined, 1772359230000],
    ],
  );
  assert.deepEqual(messages[0].metadata, { source: "chatgpt", title: "Dinner ideas" });
});

test("ChatGPT: a message without a time has that of its conversation", async () => {
  const message = { author: { role: "user" }, create_time: null, content: { content_type: "text", parts: ["I bought a kayak yesterday."] } };
  const mapping = { root: { parent: null, message: null }, a: { parent: "root", message } };
  await user.import([{ id: "old", title: "Boats", create_time: 1600000000.25, current_node: "a", mapping }]);
  const [{ content, createdAt }] = await user.threads.messages("old");
  assert.deepEqual([content, createdAt], ["I bought a kayak yesterday.", 1600000000250]);
});

test("Claude: text parts, and what was read from attachments", async () => {
  const imported = await user.import(JSON.parse(await sample("claude.json")));
  assert.equal(imported.format, "claude");
  assert.deepEqual([counts(imported), places(imported)], [[3, 0, 1], ["[0].chat_messages[3]"]]);
  const messages = await user.threads.messages("0b5d8f1e-1111-4111-8111-111111111111");
  assert.deepEqual(
    messages.map(({ messageId, role, content }) => [messageId, role, content]),
    [
      ["c1", "user", "I have a lesson on Thursday.\nSuite no. 1, Prelude"],
      ["c2", "assistant", "Enjoy it!"],
      ["c5", "user", "Bye"],
    ],
  );
  assert.equal(messages[0].createdAt, Date.parse("2026-05-01T18:00:00Z"));
  // Found by words, and not learned from.
  assert.equal((await user.threads.search("prelude"))[0].messageId, "c1");
  assert.equal((await memory.idle()).pending, 0);
});

test("mem0: facts with what they came with", async () => {
  const imported = await user.import(new Blob([await sample("mem0.json")]));
  assert.equal(imported.format, "mem0");
  assert.deepEqual([counts(imported), places(imported)], [[3, 0, 1], ["results[2]"]]);
  const facts = (await user.facts.list()).reverse();
  assert.deepEqual(facts.map(({ text }) => text), ["Is allergic to nuts", "Prefers trains to planes", "Learns the cello since 2019"]);
  const { metadata, validFrom } = facts[0];
  assert.equal(validFrom, Date.parse("2026-03-01T17:00:00Z"));
  assert.deepEqual(Object.keys(metadata).sort(), ["__proto__", "app", "categories", "source", "sourceId"]);
  assert.deepEqual([metadata.source, metadata.sourceId], ["mem0", "892db2ae-06d9-49e5-8b3e-585ef9b85b8e"]);
  assert.equal({}.polluted, undefined);
});

test("mem0: a thousand facts are a few commits, which are undone together", async () => {
  const memories = Array.from({ length: 1000 }, (_, number) => ({ id: `${number}`, memory: `Fact number ${number}` }));
  const imported = await user.import(memories, { format: "mem0" });
  assert.deepEqual([counts(imported), imported.commitIds.length], [[1000, 0, 0], 4]);
  assert.equal((await user.undo(imported.commitIds)).length, 4);
  assert.deepEqual(await user.facts.list(), []);
});

test("LangGraph: documents under their namespaces", async () => {
  const imported = await user.import(await sample("langgraph.json"), { format: "langgraph" });
  assert.deepEqual([counts(imported), places(imported).sort()], [[3, 0, 2], ["items[3]", "items[4]"]]);
  assert.equal((await user.documents.get(["users", "a.b"], "bad")).key, "bad");
  const { value } = await user.documents.get(["users", "ana", "notes"], "n1");
  assert.deepEqual(Object.keys(value), ["text", "constructor", "__proto__"]);
  assert.equal({}.polluted, undefined);
});

test("a knowledge graph: entities before relations, bad lines by their numbers", async (context) => {
  if (!("graph" in user)) return context.skip("this build has no graph");
  const imported = await user.import(await sample("memory.jsonl"));
  assert.equal(imported.format, "memory.jsonl");
  assert.deepEqual([counts(imported), places(imported).sort()], [[3, 0, 2], ["line 4", "line 5"]]);
  assert.deepEqual(counts(await user.import(await sample("memory.jsonl"))), [0, 3, 2]);
});

test("nothing is imported twice", async () => {
  for (const name of ["chatgpt.json", "claude.json", "mem0.json", "langgraph.json"]) {
    const first = await user.import(await sample(name));
    const before = await kept();
    const { commits } = await memory.usage();
    const second = await user.import(await sample(name));
    assert.deepEqual(counts(second), [0, first.done, first.failed.length], name);
    assert.deepEqual(places(second).sort(), places(first).sort());
    assert.deepEqual(await kept(), before);
    assert.equal((await memory.usage()).commits, commits, `${name} made a commit`);
  }
});

test("what the user deleted does not come back, and imports at once count each item once", async () => {
  const memories = [{ id: "gone-1", memory: "I lived on a boat once." }, { id: "kept-1", memory: "I have a green boat." }];
  assert.deepEqual(counts(await user.import(memories)), [2, 0, 0]);
  const { id } = (await user.facts.list()).find(({ text }) => text === memories[0].memory);
  await user.facts.delete(id);
  assert.deepEqual(counts(await user.import(memories)), [0, 2, 0]);
  assert.equal((await user.facts.list()).some(({ text }) => text === memories[0].memory), false);
  const over = { id: "over-1", memory: "I rent a bicycle.", expiration_date: "2020-01-01" };
  for (let twice = 0; twice < 2; twice += 1) assert.deepEqual(counts(await user.import([over])), [0, 0, 1]);

  const chat = [{ uuid: "at-once", name: "", chat_messages: Array.from({ length: 250 }, (_, n) => ({ uuid: `m${n}`, sender: "human", text: `message ${n}` })) }];
  const imports = await Promise.all([1, 2, 3].map(() => user.import(chat)));
  assert.equal(imports.reduce((sum, { done }) => sum + done, 0), 250);
  assert.equal(imports.reduce((sum, { skipped }) => sum + skipped, 0), 500);
});

test("what was changed here stays, unless it was changed there later", async () => {
  const item = (text, updated_at) => [{ namespace: ["n"], key: "k", value: { text }, updated_at }];
  await user.import(item("first", "2026-01-01T00:00:00Z"));
  await user.documents.put(["n"], "k", { text: "own" });
  assert.deepEqual(counts(await user.import(item("older", "2026-01-02T00:00:00Z"))), [0, 1, 0]);
  assert.deepEqual((await user.documents.get(["n"], "k")).value, { text: "own" });
  assert.deepEqual(counts(await user.import(item("newer", "2999-01-02T00:00:00Z"))), [1, 0, 0]);
  assert.deepEqual((await user.documents.get(["n"], "k")).value, { text: "newer" });
});

test("a conversation that went on is gone on with", async () => {
  const conversation = (count) => [
    { uuid: "t", name: "", chat_messages: Array.from({ length: count }, (_, n) => ({ uuid: `m${n}`, sender: "human", text: `message ${n}` })) },
  ];
  assert.deepEqual(counts(await user.import(conversation(150))), [150, 0, 0]);
  assert.deepEqual(counts(await user.import(conversation(160))), [10, 150, 0]);
  assert.equal((await user.threads.list())[0].messages, 160);
});

test("an import that was aborted keeps what it did, and goes on when it is run again", async () => {
  const data = Array.from({ length: 20 }, (_, c) => ({
    uuid: `conversation-${c}`,
    chat_messages: Array.from({ length: 30 }, (_, n) => ({ uuid: `m${n}`, sender: n % 2 ? "assistant" : "human", text: `${c}: message ${n}` })),
  }));
  const controller = new AbortController();
  const told = [];
  const onProgress = (progress) => {
    told.push(progress);
    if (progress.done >= 200) controller.abort(new Error("enough"));
  };
  await assert.rejects(user.import(data, { onProgress, signal: controller.signal }), (error) => {
    assert.equal(error.code, "Aborted");
    assert.equal(error.cause.message, "enough");
    return true;
  });
  const done = told.at(-1).done;
  assert.ok(done >= 200 && done < 600, `${done}`);
  assert.equal((await kept()).messages.length, done);
  assert.ok(told.every(({ format, total }) => format === "claude" && total === 600));
  const rest = await user.import(data);
  assert.deepEqual(counts(rest), [600 - done, done, 0]);
  assert.equal((await kept()).messages.length, 600);
  await assert.rejects(user.import(data, { signal: AbortSignal.abort() }), { code: "Aborted" });
});

test("one bad item keeps none of its batch away", async () => {
  const long = "x".repeat(300_000);
  const texts = ["a", "half of a pair \ud83c", "b", long, "c"];
  const data = [{ uuid: "t", chat_messages: texts.map((text, n) => ({ uuid: `m${n}`, sender: "human", text })) }];
  const imported = await user.import(data);
  assert.deepEqual([counts(imported), places(imported)], [[3, 0, 2], ["[0].chat_messages[1]", "[0].chat_messages[3]"]]);
  assert.match(imported.failed[0].reason, /surrogate/);
  assert.match(imported.failed[1].reason, /262144/);
  const facts = [{ id: "1", memory: "good" }, { id: "2", memory: "x".repeat(5000) }, { id: "3", memory: "fine" }];
  assert.deepEqual(counts(await user.import(facts)), [2, 0, 1]);
  const ids = [{ uuid: "i".repeat(200), chat_messages: [{ uuid: "m", sender: "human", text: "x" }] }];
  assert.deepEqual(counts(await user.import(ids)), [0, 0, 1]);
});

test("hostile data is data", async () => {
  const chat = JSON.parse(`[{ "id": "t", "current_node": "constructor", "mapping": {
    "__proto__": { "parent": null, "message": { "id": "p", "author": { "role": "user" }, "content": { "parts": ["from a prototype's name"] } } },
    "constructor": { "parent": "__proto__", "message": { "id": "c", "author": { "role": "user" }, "content": { "parts": ["from a constructor"] } } }
  } }, null, 7, [], { "id": {}, "mapping": [] }, { "id": "u", "current_node": "toString", "mapping": {} }]`);
  const imported = await user.import(chat);
  assert.deepEqual([counts(imported), places(imported)], [[2, 0, 4], ["[1]", "[2]", "[3]", "[4]"]]);
  const deep = JSON.parse(`[{ "namespace": ["n"], "key": "deep", "value": ${'{"a":'.repeat(200)}1${"}".repeat(200)} }, { "namespace": ["n"], "key": "flat", "value": {} }]`);
  assert.deepEqual(counts(await user.import(deep)), [1, 0, 1]);
  const cyclic = { namespace: ["n"], key: "cyclic", value: {} };
  cyclic.value.self = cyclic.value;
  assert.deepEqual(counts(await user.import([cyclic])), [0, 0, 1]);
});

/** They came out as they were, without a code, where no worker stood between. */
test("data of which something throws is refused, and nothing of it is imported", async () => {
  const mine = new Error("mine");
  const trap = (name) => Object.defineProperty({}, name, { enumerable: true, get: () => { throw mine; } });
  const fact = { memory: "Ana sails", created_at: "2024-05-01T10:00:00Z" };
  const sources = [
    trap("results"),
    [trap("memory")],
    [fact, Object.assign(trap("created_at"), { memory: "Ana dives" })],
    { results: [fact, { memory: "Ana dives", metadata: trap("depth") }] },
    [fact, new Proxy({}, { getPrototypeOf: () => { throw mine; } })],
  ];
  for (const source of sources) {
    await assert.rejects(user.import(source), { name: "InvalidInputError", code: "InvalidInput", message: /^data: it cannot be read: something in it throws/, cause: mine });
  }
  assert.deepEqual(await user.facts.list(), []);
});

test("10 MB of text in pieces", async () => {
  const words = "The quick brown fox jumps over the lazy dog. ".repeat(220);
  const data = Array.from({ length: 20 }, (_, c) => ({
    uuid: `conversation-${c}`,
    chat_messages: Array.from({ length: 55 }, (_, n) => ({ uuid: `m${n}`, sender: "human", text: `${c}/${n} ${words}` })),
  }));
  const text = `\ufeff${JSON.stringify(data)}`;
  assert.ok(text.length > 10_000_000);
  async function* pieces() {
    for (let at = 0; at < text.length; at += 65_536) yield text.slice(at, at + 65_536);
  }
  assert.deepEqual(counts(await user.import(pieces())), [1100, 0, 0]);
  assert.equal((await user.threads.messages("conversation-19", { limit: 1000 })).length, 55);
});

test("what is imported can be learned from, when asked to", async () => {
  const data = [{ uuid: "t", chat_messages: [{ uuid: "m", sender: "human", text: "My name is Ana and I live in Lisbon." }] }];
  await user.import(data, { learn: true });
  await memory.idle();
  assert.ok((await user.facts.list()).length > 0);
});

test("data of no known format, and bad options, are named", async () => {
  for (const [data, options, named] of [
    ["", undefined, /memory\.jsonl, mem0, langgraph, chatgpt, claude/],
    ["hello", undefined, /no known format/],
    ["[]", undefined, /no known format/],
    [{ results: [{ id: 1 }] }, undefined, /no known format/],
    ["[{}]", { format: "claude" }, /does not look like claude/],
    ["[]", { format: "gemini" }, /"gemini" is not a format/],
    ["[]", { formt: "claude" }, /options\.formt/],
    ["[]", { onProgress: 1 }, /onProgress/],
    ["[]", { learn: "yes" }, /learn/],
    ["[]", { signal: {} }, /signal/],
    [7, undefined, /cannot be imported/],
    [null, undefined, /cannot be imported/],
    [(async function* () { yield new Uint8Array(2); })(), undefined, /TextDecoderStream/],
  ]) {
    await assert.rejects(user.import(data, options), (error) => {
      assert.equal(error.code, "InvalidInput", error.stack);
      assert.match(error.message, named);
      return true;
    });
  }
  assert.deepEqual(counts(await user.import("[]", { format: "claude" })), [0, 0, 0]);
  assert.deepEqual(await kept(), { messages: [], facts: [], documents: [] });
});
