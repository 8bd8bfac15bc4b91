/** The virtual context as an app uses it: a model of a small window, blocks, an archive, steps. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { mnemic } from "./support/installed.mjs";

const call = (name, args) => ({ toolCalls: [{ name, arguments: args }] });
const says = (message) => call("send_message", { message });

/** A user whose memory has this model. */
async function open(llm, context) {
  const memory = await mnemic.openMemory({ name: "context", storage: "memory", llm, extraction: { auto: false }, context });
  return [memory, memory.scope({ userId: "ada" })];
}

test("a step calls functions until something is said, natively or as JSON", async () => {
  const asked = [];
  const answers = [
    call("core_memory_append", { label: "human", content: "Name: Ada" }),
    JSON.stringify(says("Hello Ada!")),
    "Just words.",
  ];
  const [memory, user] = await open((request) => (asked.push(request), answers.shift()), { instructions: "You are Mina." });
  const { sent, calls, stopped, usage } = await user.context.step("I am Ada.");
  assert.deepEqual([sent, stopped, usage.calls], [["Hello Ada!"], "sent", 2]);
  assert.deepEqual(calls.map(({ name, ok }) => [name, ok]), [["core_memory_append", true], ["send_message", true]]);
  assert.equal(asked[0].tools.length, 10);
  assert.equal(asked[0].tools[0].parameters.type, "object");
  assert.ok(asked[0].schema.properties.toolCalls && asked[0].signal instanceof AbortSignal);
  assert.ok(asked[1].messages[0].content.includes("Name: Ada"));
  assert.equal((await user.context.step([{ role: "user", content: "Bye", createdAt: new Date() }])).stopped, "reply");
  assert.deepEqual((await user.threads.messages("default")).map(({ role }) => role), ["user", "assistant", "tool", "assistant", "user", "assistant"]);
  assert.equal((await user.items.list({ kinds: ["block"] }))[0].text, "human: Name: Ada");
  await memory.close();
});

test("a bad call says what is wrong, and changes nothing", async () => {
  const [memory, user] = await open(undefined, { blocks: [{ label: "rules", value: "Be kind.", readOnly: true }, { label: "human", limit: 10 }] });
  const told = async (name, args) => {
    const { ok, result } = await user.context.call(name, args);
    assert.equal(ok, false);
    return result;
  };
  assert.match(await told("core_memory_append", { label: "human", content: "x".repeat(11) }), /^Value exceeds 10 character limit \(requested 11\)\./);
  assert.equal(await told("core_memory_append", { label: "rules", content: "x" }), "This block is read-only and cannot be edited.");
  assert.match(await told("nothing", {}), /^There is no tool "nothing"/);
  assert.match(await told("send_message", "{"), /not a complete JSON object/);
  assert.equal((await memory.usage()).records, 0);
  await assert.rejects(user.context.blocks.set({ label: "human", value: "x".repeat(11) }), mnemic.InvalidInputError);
  await assert.rejects(user.context.blocks.delete("nobody"), mnemic.NotFoundError);
  await assert.rejects(user.context.step("Hi"), mnemic.ModelError);
  await memory.close();
});

test("an abort ends a step where it is, and the model's work", async () => {
  const controller = new AbortController();
  let ended = false;
  const llm = ({ signal }) =>
    new Promise((_, reject) => {
      signal.addEventListener("abort", () => ((ended = true), reject(signal.reason)));
      setImmediate(() => controller.abort());
    });
  const [memory, user] = await open(llm);
  const { sent, stopped } = await user.context.step("Hello?", { signal: controller.signal });
  assert.deepEqual([sent, stopped, ended], [[], "aborted", true]);
  assert.equal((await user.threads.messages("default")).length, 1);
  await assert.rejects(user.context.step("Again", { signal: controller.signal }), mnemic.AbortedError);
  await assert.rejects(user.context.step("Again", { signal: 5 }), mnemic.InvalidInputError);
  await memory.close();
});

test("a text larger than the window is loaded, and found by the model", async () => {
  const text = Array.from({ length: 2000 }, (_, number) => `Rock ${number} has a keeper called Keeper${number}.`).join("\n");
  const answers = [call("archival_memory_search", { query: "keeper of rock 1234" })];
  const llm = ({ messages }) => answers.shift() ?? says(/Keeper1234/.exec(messages.at(-1).content)?.[0] ?? "?");
  const [memory, user] = await open(llm, { window: 4000 });
  const { passages, ids } = await user.context.load(text, { name: "rocks.txt", passageTokens: 60 });
  assert.equal(ids.length, passages);
  assert.deepEqual((await user.context.step("Who keeps rock 1234?")).sent, ["Keeper1234"]);
  const { window, reserve, system, blocks, summary, recent, free } = await user.context.status();
  assert.equal(system + blocks + summary + recent + free, window - reserve);
  await memory.close();
});

test("options that cannot be are refused", async () => {
  for (const context of [{ window: 5 }, { reserve: 7000 }, { warning: 2 }, { blocks: [{ label: "<a>" }] }, { size: 5 }]) {
    await assert.rejects(open(undefined, context), mnemic.InvalidInputError);
  }
});
