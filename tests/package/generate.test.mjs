/** Learning in the foreground, as an app sees it: what is asked, what changes, and what a failure leaves behind. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { mnemic } from "./support/installed.mjs";

const PROFILES = { developer: { type: "object", properties: { stack: { type: "string" } } } };

/** A memory whose model gives these answers in turn, and a user of it. */
async function open(answers, options) {
  const llm = () => answers.shift() ?? Promise.reject(new Error("offline"));
  const memory = await mnemic.openMemory({ name: "generate", storage: "memory", profiles: PROFILES, llm, ...options });
  return [memory, memory.scope({ userId: "alice" })];
}

const learns = (value, said) => ({ facts: [], profile: [{ schema: "developer", field: "stack", value, said, message: 1 }] });

test("what generate learns is told, kept with what the app gave, and can be looked back at", async () => {
  const [memory, user] = await open([learns("ADK"), learns("ADK, Python", "Python")]);
  const messages = { role: "user", content: "Can you help me build an ADK agent?", createdAt: new Date(0) };
  const first = await user.generate({ messages, threadId: "agent", labels: { run: "1" }, metadata: { by: "app" }, ttlMs: 60_000 });
  assert.equal(first.threadId, "agent");
  assert.equal(first.usage.calls, 1);
  const [{ action, record, previousRevision }] = first.changes;
  assert.deepEqual([action, record.kind, record.value, previousRevision], ["created", "field", "ADK", undefined]);
  assert.deepEqual(record.metadata, { by: "app" });
  assert.ok(record.expiresAt > Date.now());

  const second = await user.generate({ messages: [{ role: "user", content: "I specialize in Python." }] });
  assert.deepEqual(second.changes.map((change) => [change.record.value, change.previousRevision]), [["ADK, Python", 1]]);
  const [one, two] = await user.profiles.history("developer", "stack");
  assert.deepEqual([one.labels, two.labels, two.extracted], [{ run: "1" }, undefined, "Python"]);
  const { changes } = await user.profiles.diff("developer", "stack", 1, 2);
  assert.deepEqual(changes, [{ path: "", before: "ADK", after: "ADK, Python" }]);
  await memory.close();
});

test("messages wait for their trigger, and flush does not", async () => {
  const [memory, user] = await open([learns("Rust")]);
  await user.remember({ role: "user", content: "I write Rust." });
  assert.deepEqual(await memory.idle(), { pending: 1, failed: [] });
  assert.deepEqual((await user.flush({ threadId: "elsewhere" })).changes, []);
  const { changes, usage } = await user.flush();
  assert.deepEqual([changes[0].record.value, usage.calls], ["Rust", 1]);
  assert.equal((await memory.idle()).pending, 0);
  await memory.close();
});

test("a model that fails rejects the call, and what was handed over stays", async () => {
  const [memory, user] = await open([]);
  const error = await user.generate({ messages: { role: "user", content: "I write Rust." } }).catch((error) => error);
  assert.equal(error.code, "Model");
  assert.equal((await user.threads.messages("default")).length, 1);
  const { pending, failed } = await memory.idle();
  assert.deepEqual([pending, failed[0].attempts], [1, 1]);
  await assert.rejects(user.generate({}), { code: "InvalidInput" });
  await assert.rejects(user.generate({ facts: ["1", "2", "3", "4", "5", "6"] }), { code: "InvalidInput" });
  await assert.rejects(user.generate("I write Rust."), { code: "InvalidInput" });
  await memory.close();
});

test("given facts need no model, and what is not to be learned from is not", async () => {
  const memory = await mnemic.openMemory({ name: "generate", storage: "memory" });
  const user = memory.scope({ userId: "alice" });
  const { changes } = await user.generate({ facts: ["The user pays.", { text: "The user hates spam.", topic: "preferences" }] });
  assert.deepEqual(changes.map(({ record }) => record.text), ["The user pays.", "The user hates spam."]);
  await user.remember({ role: "user", content: "I live in Lisbon." }, { learn: false });
  assert.equal((await memory.idle()).pending, 0);
  assert.equal((await user.facts.list()).length, 2);
  await memory.close();
});
