/** Models that an app supplies: sync, async, slow, failing, talking nonsense, hostile. Nothing they do loses a message. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { mnemic } from "./support/installed.mjs";

const PROFILES = { person: { type: "object", properties: { instrument: { enum: ["cello", "viola"] } } } };
const SAID = { role: "user", content: "I play the cello in an orchestra." };
const ANSWER = {
  facts: [{ action: "add", text: "The user plays the cello.", category: "personal info", significance: 7, message: 1, quote: "play the cello" }],
  profile: [{ schema: "person", field: "instrument", value: "cello", message: 1, quote: "the cello" }],
};

/** Says one thing to a memory with this model, waits until nothing goes on, and answers what came of it. */
async function tell(llm, { extraction, ...options } = {}) {
  const memory = await mnemic.openMemory({
    name: "models",
    storage: "memory",
    profiles: PROFILES,
    llm,
    extraction: { trigger: { messages: 1 }, ...extraction },
    ...options,
  });
  const events = [];
  memory.on("extraction", (event) => events.push(event));
  const user = memory.scope({ userId: "alice" });
  await user.remember(SAID);
  const idle = await memory.idle();
  const result = {
    events,
    idle,
    facts: (await user.facts.list()).map(({ text }) => text),
    profile: (await user.profiles.get()).person.profile,
    messages: (await user.threads.search("cello")).length,
    usage: await memory.usage(),
  };
  await memory.close();
  return result;
}

const states = ({ events }) => events.map(({ state }) => state);

/** That the model was of no use, why, and that nothing was lost. */
function isPostponed(result, code, named) {
  assert.deepEqual(states(result), ["started", "failed"]);
  assert.equal(result.idle.pending, 1);
  const [{ threadId, scope, attempts, retryAt, error }] = result.idle.failed;
  assert.deepEqual([threadId, scope, attempts], ["default", { userId: "alice" }, 1]);
  assert.ok(retryAt > Date.now() - 60_000);
  assert.equal(error.code, code, error.message);
  assert.match(error.message, named);
  assert.deepEqual([result.facts, result.profile, result.messages], [[], {}, 1]);
}

describe("a model that answers", () => {
  const json = JSON.stringify(ANSWER);
  const answers = {
    "an object, at once": () => ANSWER,
    "an object, later": async () => ANSWER,
    "a thenable": () => ({ then: (done) => queueMicrotask(() => done(ANSWER)) }),
    "a text": async () => json,
    "a text in a fence, with small talk and a comma too many": () => `Sure!\n\`\`\`json\n${json.replace(/\}$/, ",}")}\n\`\`\``,
    "an object of no prototype": () => Object.assign(Object.create(null), ANSWER),
  };
  for (const [name, llm] of Object.entries(answers)) {
    test(`${name} is understood`, async () => {
      const result = await tell(llm);
      assert.deepEqual(result.idle, { pending: 0, failed: [] });
      assert.deepEqual(states(result), ["started", "done"]);
      assert.deepEqual(result.facts, ["The user plays the cello."]);
      assert.deepEqual(result.profile, { instrument: "cello" });
      assert.equal(result.usage.calls, 1);
      assert.equal(result.usage.failures, 0);
    });
  }
});

describe("a model that", () => {
  const cyclic = {};
  cyclic.self = cyclic;
  const deep = JSON.parse(`${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`);
  const failures = {
    "throws": [() => { throw new Error("no key"); }, "Model", /threw: no key/],
    "rejects": [() => Promise.reject(new TypeError("fetch failed")), "Model", /TypeError: fetch failed/],
    "rejects with nothing": [() => Promise.reject(), "Model", /threw: undefined/],
    "throws something odd": [() => { throw { get message() { throw new Error("mine"); } }; }, "Model", /threw/],
    "answers nothing": [() => undefined, "Model", /returned undefined/],
    "answers a number": [() => 7, "Model", /returned a number/],
    "answers a Map": [() => new Map(), "Model", /returned a Map/],
    "answers a cycle": [() => cyclic, "Model", /not JSON/],
    "answers 5000 levels": [() => deep, "Model", /cannot be read|not JSON/],
    "answers a getter that throws": [() => ({ get facts() { throw new Error("mine"); } }), "Model", /mine/],
    "chats, also when asked again": [() => "How nice!", "Model", /no complete JSON/],
    "answers 10 MB of nonsense": [() => "{".repeat(10_000_000), "Model", /no complete JSON/],
    "names a fact that was never shown": [() => ({ facts: [{ action: "end", target: 99 }] }), "Model", /99/],
    "breaks the profile's schema": [
      () => ({ facts: [], profile: [{ schema: "person", field: "instrument", value: "kazoo" }] }), "Model", /instrument/,
    ],
    "writes into a schema that does not exist": [
      () => ({ facts: [], profile: [{ schema: "__proto__", field: "instrument", value: "cello" }] }), "Model", /schema/,
    ],
  };
  for (const [name, [llm, code, named]] of Object.entries(failures)) {
    test(`${name}: is reported, and its task waits`, async () => isPostponed(await tell(llm), code, named));
  }

  test("never answers: its time ends, and its signal fires", async () => {
    let aborted = 0;
    const llm = ({ signal }) => new Promise(() => signal.addEventListener("abort", () => (aborted += 1)));
    isPostponed(await tell(llm, { extraction: { timeoutMs: 20 } }), "Timeout", /20 ms/);
    assert.equal(aborted, 1);
  });

  test("changes what it was given changes nothing else", async () => {
    const result = await tell((request) => {
      request.messages.length = 0;
      request.schema = null;
      return ANSWER;
    });
    assert.deepEqual(result.facts, ["The user plays the cello."]);
  });
});

test("a bad answer is sent back once with what is wrong with it, and both calls are counted", async () => {
  const asked = [];
  const result = await tell((request) => {
    asked.push(request);
    return asked.length === 1 ? { facts: [{ action: "add", text: 7 }] } : ANSWER;
  });
  assert.deepEqual(result.facts, ["The user plays the cello."]);
  assert.equal(asked.length, 2);
  const [first, second] = asked;
  assert.equal(first.purpose, "extract");
  assert.ok(first.maxTokens > 0 && first.schema.properties.facts && first.signal instanceof AbortSignal);
  assert.deepEqual(second.messages.slice(0, 2), first.messages);
  assert.deepEqual(second.messages.slice(2).map(({ role }) => role), ["assistant", "user"]);
  assert.match(second.messages[3].content, /\/facts\/0\/text/);
  const { calls, failures, inputTokens, outputTokens, byPurpose } = result.usage;
  assert.deepEqual([calls, failures], [2, 1]);
  assert.ok(inputTokens > 0 && outputTokens > 0);
  assert.deepEqual(byPurpose.extract, { calls, failures, inputTokens, outputTokens });
});

test("a model that works again catches up with what it missed", async () => {
  let works = false;
  const llm = () => {
    if (!works) throw new Error("offline");
    return ANSWER;
  };
  const memory = await mnemic.openMemory({ name: "models", storage: "memory", profiles: PROFILES, llm, extraction: { trigger: { messages: 1 } } });
  const user = memory.scope({ userId: "alice" });
  await user.remember(SAID);
  assert.equal((await memory.idle()).pending, 1);
  works = true;
  await user.remember({ role: "user", content: "And I like it." });
  assert.deepEqual(await memory.idle(), { pending: 0, failed: [] });
  assert.deepEqual((await user.facts.list()).map(({ text }) => text), ["The user plays the cello."]);
  await memory.close();
});

test("closing does not wait for a model, and tells it to stop", async () => {
  let asked, stopped;
  const isAsked = new Promise((resolve) => (asked = resolve));
  const isStopped = new Promise((resolve) => (stopped = resolve));
  const llm = ({ signal }) => {
    signal.addEventListener("abort", stopped);
    asked();
    return new Promise(() => {});
  };
  const memory = await mnemic.openMemory({ name: "models", storage: "memory", llm, extraction: { trigger: { messages: 1 } } });
  await memory.scope({ userId: "alice" }).remember(SAID);
  await isAsked;
  await memory.close();
  await isStopped;
});

describe("an embedder that answers", () => {
  const vectors = {
    "lists": (texts) => texts.map(() => [1, 2, 3]),
    "Float32Array, later": async (texts) => texts.map(() => new Float32Array([1, 2, 3])),
    "Float64Array": (texts) => texts.map(() => new Float64Array([1, 2, 3])),
  };
  for (const [name, embed] of Object.entries(vectors)) {
    test(`${name} is understood and counted`, async () => {
      const { usage, messages } = await tell(undefined, { embed: { id: "toy", embed } });
      assert.equal(usage.unembedded, 0);
      assert.ok(usage.vectors > 0 && usage.byPurpose.embed.calls > 0 && usage.byPurpose.embed.inputTokens > 0);
      assert.equal(messages, 1);
    });
  }

  test("zeros is told once, and words still find", async () => {
    const embed = (texts) => texts.map(() => [0, 0]);
    const memory = await mnemic.openMemory({ name: "models", storage: "memory", embed: { id: "toy", embed } });
    const errors = [];
    memory.on("error", (error) => errors.push(error));
    const user = memory.scope({ userId: "alice" });
    const { id } = await user.facts.add("The user plays the cello.");
    await memory.idle();
    await user.facts.add("The user has a boat.");
    await memory.idle();
    assert.deepEqual(errors.map(({ code, message }) => [code, /nothing but zeros/.test(message)]), [["Embedder", true]]);
    assert.equal((await memory.usage()).vectors, 0);
    assert.deepEqual((await user.recall("which cello?")).items.map((item) => item.id), [id]);
    await memory.close();
  });

  const nonsense = {
    "nothing": [() => undefined, /returned undefined/],
    "too few": [() => [], /an array of 0 for 1/],
    "texts": [(texts) => texts, /a string as vector 0/],
    "NaN": [(texts) => texts.map(() => [1, NaN]), /NaN/],
    "vectors of no length": [(texts) => texts.map(() => []), /0 values/],
    "vectors of 100 000": [(texts) => texts.map(() => new Float32Array(100_000)), /100000 values/],
    "an error": [() => Promise.reject(new Error("no key")), /no key/],
  };
  for (const [name, [embed, named]] of Object.entries(nonsense)) {
    test(`${name}: is reported, and words still find`, async () => {
      const memory = await mnemic.openMemory({ name: "models", storage: "memory", embed: { id: "toy", embed } });
      const errors = [];
      memory.on("error", (error) => errors.push(error));
      const user = memory.scope({ userId: "alice" });
      const { id } = await user.facts.add("The user plays the cello.");
      await memory.idle();
      assert.deepEqual(errors.map(({ code }) => code), ["Embedder"]);
      assert.match(errors[0].message, named);
      assert.equal((await memory.usage()).vectors, 0);
      const { items, warnings } = await user.recall("which cello?");
      assert.deepEqual(items.map((item) => item.id), [id]);
      assert.equal(warnings[0].code, "Embedder");
      await memory.close();
    });
  }
});
