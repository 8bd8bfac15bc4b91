/** Threads through the package: tokens as a tokenizer counts them, trimming, windows, summaries, and searches by speaker and time. */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { conversations } from "../../scripts/eval/set.mjs";
import { dataset } from "../support/locomo.mjs";
import { mnemic } from "./support/installed.mjs";

async function open(options) {
  const memory = await mnemic.openMemory({ name: "threads", storage: "memory", extraction: { auto: false }, ...options });
  return [memory, memory.scope({ userId: "alice" })];
}

/** Messages that take turns. */
function talk(count, start = 0) {
  const said = (_, place) => {
    const number = start + place;
    return { role: number % 2 === 0 ? "user" : "assistant", id: `m${number}`, content: `Sentence number ${number}.` };
  };
  return Array.from({ length: count }, said);
}

const FIXTURES = new URL("../fixtures/texts/", import.meta.url);
const SOURCES = ["src/memory/prompting/recall/mod.rs", "src/log/replay.rs", "pkg-template/src/graph.ts", "scripts/build.mjs", "tests/fixtures/format/v1/log/state.json", "README.md"];

/** The languages of TypeScript's messages: nobody here wrote those. */
const LANGUAGES = ["ko", "ja", "zh-cn", "zh-tw"];

/** Texts that the estimate was not fitted to beside those it was, by name. */
async function texts() {
  const texts = [];
  for (const name of (await readdir(FIXTURES)).filter((name) => name.endsWith(".txt"))) {
    texts.push([name, await readFile(new URL(name, FIXTURES), "utf8")]);
  }
  for (const name of SOURCES) texts.push([name, await readFile(new URL(`../../${name}`, import.meta.url), "utf8")]);
  for (const language of LANGUAGES) {
    const path = new URL(`../../node_modules/typescript/lib/${language}/diagnosticMessages.generated.json`, import.meta.url);
    texts.push([`messages of a compiler in ${language}`, Object.values(JSON.parse(await readFile(path, "utf8"))).join("\n")]);
  }
  return texts;
}

/** What people said to one another, where that is at hand. */
function spoken(t) {
  const { folder, missing } = dataset();
  if (missing) t.diagnostic(missing);
  return missing ? [] : conversations(folder).map(({ conv, sessions }) => [`conversation ${conv}`, [...sessions.values()].flat().map(({ text }) => text).join("\n")]);
}

test("the estimate is within 15 % of a real tokenizer", async (t) => {
  const [memory, user] = await open();
  for (const [name, text] of [...(await texts()), ...spoken(t)]) {
    const { tokens } = await user.threads.trim({ messages: [{ role: "user", content: text }], maxTokens: 10_000_000 });
    const counted = countTokens(text);
    const off = (tokens - 4 - counted) / counted;
    t.diagnostic(`${name}: ${counted} tokens, ${(100 * off).toFixed(1)} % off`);
    assert.ok(Math.abs(off) <= 0.15, `${name}: ${tokens - 4} for ${counted}`);
  }
  await memory.close();
});

test("a tokenizer of the app counts, and what it cannot count is estimated", async () => {
  const [memory, user] = await open({ countTokens: (text) => [...text].length });
  const messages = [{ role: "user", content: "Hello" }];
  assert.equal((await user.threads.trim({ messages, maxTokens: 100 })).tokens, 9);
  await memory.close();
  const answers = [-1, 1.5, Number.NaN, "7", undefined, Promise.resolve(7), { throws: true }];
  for (const answer of answers) {
    const countTokens = () => {
      if (answer?.throws) throw new Error("mine");
      return answer;
    };
    const [memory, user] = await open({ countTokens });
    const errors = [];
    memory.on("error", (error) => errors.push(error.message));
    for (let twice = 0; twice < 2; twice += 1) {
      assert.equal((await user.threads.trim({ messages, maxTokens: 100 })).tokens, 5);
    }
    assert.equal(errors.length, 1, String(answer));
    assert.match(errors[0], /countTokens callback/);
    await memory.close();
  }
  await assert.rejects(open({ countTokens: 4 }), { code: "InvalidInput" });
});

test("what is trimmed can go to a chat API, and what was passed is not changed", async () => {
  const [memory, user] = await open();
  const messages = Object.freeze([
    { role: "system", content: "Be brief." },
    { role: "user", content: "How is the weather in Busan and in Seoul today, and what shall I wear?" },
    { role: "assistant", content: null, tool_calls: [{ id: "a", type: "function", function: { name: "weather" } }] },
    { role: "tool", tool_call_id: "a", content: "17 degrees" },
    { role: "assistant", content: "It is 17 degrees." },
    { role: "user", content: "Thanks!" },
  ].map(Object.freeze));
  const roles = async (options) => (await user.threads.trim({ messages, ...options })).messages.map(({ role }) => role);
  assert.deepEqual(await roles({ maxTokens: 500 }), messages.map(({ role }) => role));
  for (let maxTokens = 7; maxTokens < 80; maxTokens += 1) {
    const [system, first, ...rest] = await roles({ maxTokens });
    assert.equal(system, "system");
    assert.ok(first === undefined || first === "user", `${first} comes first with ${maxTokens} tokens`);
    assert.ok(!rest.includes("tool") || rest.includes("assistant"));
  }
  const { messages: kept } = await user.threads.trim({ messages, maxTokens: 500, endOn: "tool" });
  assert.deepEqual(kept.at(-1), messages[3]);
  await assert.rejects(roles({ maxTokens: 3 }), (error) => {
    assert.ok(error instanceof mnemic.BudgetExceededError);
    assert.deepEqual(error.details, { maxTokens: 3, tokens: 7 });
    return true;
  });
  await memory.close();
});

test("a window is the summary and the last messages, across a reload", async () => {
  const pairs = new Map();
  const storage = {
    read: (start, end) => [...pairs].filter(([key]) => start <= key && key < end).sort(([a], [b]) => (a < b ? -1 : 1)),
    write({ puts, deletes }) {
      for (const key of deletes) pairs.delete(key);
      for (const [key, value] of puts) pairs.set(key, value.slice());
    },
  };
  const asked = [];
  const llm = (request) => {
    asked.push(request);
    return JSON.stringify({ summary: `Summary ${asked.length}.` });
  };
  let [memory, user] = await open({ storage });
  await user.threads.append(talk(25), { threadId: "monday" });
  assert.equal(await user.threads.summary("monday"), null);
  assert.equal((await user.threads.window("monday")).messages.length, 10);
  await memory.close();
  [memory, user] = await open({ storage, llm, summaries: { auto: true } });
  await memory.idle();
  assert.deepEqual(asked.map(({ purpose, prompt }) => [purpose, prompt]), [["summarise", "summarise-1"]]);
  const { summary, messages } = await user.threads.window("monday");
  assert.deepEqual([summary.text, summary.messages, messages.length, messages[0].messageId], ["Summary 1.", 15, 10, "m15"]);
  const now = await user.threads.summarise("monday");
  assert.deepEqual([now.text, now.messages, now.revision], ["Summary 2.", 25, 2]);
  assert.equal((await user.history(now.id)).length, 2);
  const { items, text } = await user.recall("anything", { currentThreadId: "tuesday" });
  assert.deepEqual(items.filter(({ kind }) => kind === "summary").map(({ id }) => id), [now.id]);
  assert.match(text, /Summaries of past conversations:\n- .*Summary 2\./);
  assert.equal((await memory.usage()).byPurpose.summarise.calls, 2);
  const { removed, commitIds } = await user.threads.removeAll("monday");
  assert.deepEqual([removed, commitIds.length], [25, 1]);
  assert.deepEqual(await user.threads.summaries(), []);
  await memory.close();
});

test("messages are found by speaker and time", async () => {
  const [memory, user] = await open();
  await user.threads.append(talk(6).map((message, day) => ({ ...message, createdAt: new Date(2026, 0, day + 1) })), { threadId: "t" });
  const found = async (options) => (await user.threads.search("sentence", options)).map(({ messageId }) => messageId).sort();
  assert.deepEqual(await found({ role: "user" }), ["m0", "m2", "m4"]);
  assert.deepEqual(await found({ role: ["user", "assistant"], from: new Date(2026, 0, 5) }), ["m4", "m5"]);
  assert.deepEqual(await found({ to: new Date(2026, 0, 2).getTime() }), ["m0"]);
  await assert.rejects(user.threads.remove("t", ["m1", "nobody"]), { code: "NotFound" });
  assert.equal((await user.threads.remove("t", ["m1"])).length, 1);
  await memory.close();
});
