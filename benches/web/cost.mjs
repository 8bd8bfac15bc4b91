/** What learning costs: model calls, tokens, and the engine's own time, with a model that counts and answers like a careful one. */
import { at } from "../../scripts/project.mjs";
import { text } from "./support/corpus.mjs";
import { expect, timed } from "./support/timing.mjs";

const entry = at("pkg/entry/node.js");
const TURNS = 100;
const STORED = [100, 1_000, 10_000];
const GENERATIONS = 20;

const profiles = {
  user: {
    type: "object",
    properties: {
      name: { type: "string", description: "What the user is called." },
      place: { type: "string", description: "Where the user lives." },
      job: { type: "string", description: "What the user works as." },
      likes: { type: "array", items: { type: "string" } },
    },
  },
};

/** A model that finds two facts, an entity and a relation in every piece of conversation. */
function model() {
  const asked = [];
  let time = 0;
  const llm = ({ messages }) => {
    const start = performance.now();
    const number = asked.push(messages.map(({ content }) => content).join("\n"));
    const fact = (place) => ({
      action: "add", target: null, text: `The user said ${text(1e6 + 10 * number + place)}.`,
      category: "other", significance: 5, message: 1, quote: null, since: null,
    });
    const name = `Entity ${number}`;
    const answer = {
      facts: [fact(0), fact(1)],
      profile: [],
      entities: [{ name, type: "thing", observations: [], same_as: null, message: 1, quote: null }],
      relations: [{ from: "User", relation: "knows", to: name, ended: false, since: null, message: 1, quote: null }],
    };
    time += performance.now() - start;
    return answer;
  };
  return { llm, asked, time: () => time };
}

const turn = (number) => [
  { role: "user", content: `I told you about ${text(2 * number)}, and then ${text(2 * number + 1)}.` },
  { role: "assistant", content: `Tell me more about ${text(2 * number)}.` },
];

/** 100 turns with the default settings: facts, profile and graph all on. */
async function spending(openMemory) {
  const { llm } = model();
  const memory = await openMemory({ name: "cost", storage: "memory", llm, profiles });
  const user = memory.scope({ user: "one" });
  for (let number = 0; number < TURNS; number += 1) {
    await user.remember(turn(number), { threadId: "chat" });
    await memory.idle();
  }
  await user.flush();
  const { calls, inputTokens, outputTokens, failures, pending } = await memory.usage();
  expect(failures === 0 && pending === 0, `${failures} calls failed, ${pending} tasks wait`);
  await memory.close();
  return [
    { name: "model calls per turn, default settings", value: calls / TURNS, unit: "calls", target: 0.35 },
    { name: `tokens sent in ${TURNS} turns`, value: inputTokens, unit: "tokens" },
    { name: `tokens received in ${TURNS} turns`, value: outputTokens, unit: "tokens" },
  ];
}

/** How long prompts are, and how long the engine itself takes to learn from 20 messages, over so many stored facts. */
async function learning(openMemory, stored) {
  const { llm, asked, time } = model();
  const memory = await openMemory({ name: "cost", storage: "memory", llm, profiles });
  const user = memory.scope({ user: "one" });
  for (let start = 0; start < stored; start += 1000) {
    const count = Math.min(1000, stored - start);
    await user.facts.import(Array.from({ length: count }, (_, place) => ({ text: `The user knows ${text(start + place)}.` })));
  }
  const own = await timed(
    GENERATIONS,
    (number) => user.generate({
      messages: Array.from({ length: 10 }, (_, place) => turn(10 * number + place)).flat(),
      threadId: `thread-${number}`,
    }),
    ({ changes }) => expect(changes.length >= 3, `${changes.length} changes`),
    time,
  );
  const characters = asked.reduce((sum, prompt) => sum + prompt.length, 0) / asked.length;
  await memory.close();
  const many = stored < 1000 ? stored : `${stored / 1000}k`;
  return [
    { name: `prompt for 20 messages over ${many} facts`, value: characters, unit: "characters" },
    { name: `generate of 20 messages over ${many} facts, without the model`, ...own, unit: "ms", ...(stored === 10_000 && { target: 15 }) },
  ];
}

export async function measure() {
  const { openMemory } = await import(entry);
  const rows = await spending(openMemory);
  for (const stored of STORED) rows.push(...(await learning(openMemory, stored)));
  return rows;
}
