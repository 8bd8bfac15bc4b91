/** Looking inside an open memory: what it consists of, and spans of calls and requests in the shape of OTLP's JSON. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { mnemic } from "./support/installed.mjs";

const learned = { facts: [{ action: "add", target: null, text: "Alice sails.", significance: 6, message: 1 }], profile: [] };
const embed = { id: "toy", embed: (texts) => texts.map(({ length }) => [1, length]) };

/** Opens a memory with a model that answers once and fails afterwards. */
async function open(options = {}) {
  const answers = [{ content: JSON.stringify(learned), usage: { inputTokens: 70, outputTokens: 11 } }];
  const llm = () => answers.shift() ?? Promise.reject(new Error("Alice's secret"));
  const memory = await mnemic.openMemory({ name: "inside", storage: "memory", llm, embed, extraction: { trigger: { messages: 1 } }, ...options });
  return [memory, memory.scope({ userId: "alice" })];
}

const attribute = (span, name) => span.attributes.find(({ key }) => key === name)?.value;

test("what a memory consists of is told, with its storage, and prompts only where they are kept", async () => {
  for (const keepPrompts of [undefined, false, true]) {
    const [memory, user] = await open({ keepPrompts });
    await user.generate({ messages: { role: "user", content: "I sail." } });
    await memory.idle();
    const { storage, records, log, indexes, memory: taken, requests } = await memory.inspect();
    assert.deepEqual([storage, records.fact, records.message], [{ kind: "memory" }, 1, 1]);
    const { commits } = await memory.usage();
    assert.deepEqual([log.commits, log.tail.commits, log.segments], [commits, commits, []]);
    assert.deepEqual([indexes.vectors.embedder, indexes.vectors.dimensions, indexes.vectors.waiting], ["toy", 2, 0]);
    assert.ok(taken.memoryBytes > 0 && taken.memoryBytes < taken.maxMemoryBytes);
    const asked = requests.find(({ purpose }) => purpose === "extract");
    assert.deepEqual([asked.inputTokens, asked.outputTokens, asked.estimated], [70, 11, false]);
    assert.equal(JSON.stringify(requests).includes("I sail."), keepPrompts === true);
    assert.equal(asked.reply?.includes("Alice sails."), keepPrompts || undefined);
    await memory.close();
    await assert.rejects(memory.inspect(), mnemic.ClosedError);
  }
  await assert.rejects(open({ keepPrompts: "yes" }), mnemic.InvalidInputError);
});

test("spans tell of calls and of the requests they make, as OTLP has it in JSON", async () => {
  const [memory, user] = await open();
  const spans = [];
  const stop = memory.on("span", (span) => spans.push(span));
  const before = Date.now();
  await user.generate({ messages: { role: "user", content: "I sail." } });
  await user.recall("who sails?");
  await assert.rejects(user.facts.add(""), mnemic.InvalidInputError);
  await memory.idle();
  const of = (name) => spans.find((span) => span.name === name);
  for (const span of spans) {
    assert.match(span.traceId, /^(?!0{32})[0-9a-f]{32}$/);
    assert.match(span.spanId, /^(?!0{16})[0-9a-f]{16}$/);
    assert.match(span.startTimeUnixNano, /^\d{19}$/);
    assert.ok(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano), JSON.stringify(span));
    assert.ok(BigInt(span.endTimeUnixNano) < BigInt(before + 600_000) * 1_000_000n);
    assert.deepEqual(JSON.parse(JSON.stringify(span)), span);
  }
  assert.equal(new Set(spans.map(({ spanId }) => spanId)).size, spans.length);
  const [opened, generated, chat] = [of("open"), of("generate"), of("chat")];
  // Beginnings are whole milliseconds of the calendar, and what was measured from there on has a fraction.
  assert.ok(BigInt(opened.endTimeUnixNano) < BigInt(generated.startTimeUnixNano) + 1_000_000n);
  assert.deepEqual([generated.kind, generated.parentSpanId, generated.status], [1, undefined, { code: 0 }]);
  assert.deepEqual(attribute(generated, "db.operation.name"), { stringValue: "generate" });
  assert.deepEqual([chat.kind, chat.traceId, chat.parentSpanId], [3, generated.traceId, generated.spanId]);
  assert.deepEqual(attribute(chat, "gen_ai.usage.input_tokens"), { intValue: "70" });
  assert.deepEqual(attribute(chat, "gen_ai.usage.output_tokens"), { intValue: "11" });
  assert.deepEqual(attribute(chat, "gen_ai.operation.name"), { stringValue: "chat" });
  assert.deepEqual(attribute(chat, "mnemic.purpose"), { stringValue: "extract" });
  const query = spans.find(({ name, parentSpanId }) => name === "embeddings" && parentSpanId === of("recall").spanId);
  assert.deepEqual([query.traceId, attribute(query, "gen_ai.usage.output_tokens")], [of("recall").traceId, undefined]);
  // The vector of what was learned is made in the background.
  assert.ok(spans.some(({ name, parentSpanId }) => name === "embeddings" && parentSpanId === undefined));
  const failed = of("facts.add");
  assert.deepEqual([failed.status, attribute(failed, "error.type")], [{ code: 2 }, { stringValue: "InvalidInput" }]);
  const count = spans.length;
  stop();
  await user.recall("who sails?");
  assert.equal(spans.length, count);
  await memory.close();
});

test("nothing that is remembered or went wrong is in a span, and looking inside is none", async () => {
  const [memory, user] = await open();
  const spans = [];
  memory.on("span", (span) => spans.push(span));
  await user.facts.add("a secret fact", { metadata: { note: "a secret note" } });
  await user.remember({ role: "user", content: "a secret message" }, { threadId: "secret thread" });
  await memory.idle();
  await user.remember({ role: "user", content: "another secret" });
  const { failed } = await memory.idle();
  assert.match(failed[0].error.message, /Alice's secret/);
  await memory.inspect();
  await user.readOnly().recall("secret");
  const told = JSON.stringify(spans);
  assert.doesNotMatch(told, /secret|alice/i);
  assert.ok(spans.some(({ name, status }) => name === "chat" && status.code === 2), told);
  assert.deepEqual(spans.filter(({ name }) => name === "inspect" || name.includes(":")), []);
  await memory.close();
});
