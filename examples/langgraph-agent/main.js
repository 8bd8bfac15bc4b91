/** The agent in a terminal. `/history` shows the turns of the thread, `/back 2` goes back to the second, `/thread name` begins another. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Command } from "@langchain/langgraph";
import { openMemory } from "mnemic";
import { fileStorage } from "mnemic/node";
import { createAgent } from "./agent.js";
import { model } from "./model.js";

const folder = process.env.MEMORIES ?? "memories";
mkdirSync(folder, { recursive: true });
const memory = await openMemory({ name: "agent", storage: fileStorage(join(folder, "agent.mnemic")) });
const agent = createAgent(memory.scope({ userId: "you" }), model);

/** What the agent goes on from: the latest checkpoint of a thread, or an earlier one. */
let config = { configurable: { thread_id: "today" } };

/** The checkpoints at which a turn ended, the earliest first, with what was said in it. */
async function turns() {
  const found = [];
  for await (const state of agent.getStateHistory({ configurable: { thread_id: config.configurable.thread_id } })) {
    if (state.next.length === 0 && state.values.messages?.length > 0) found.unshift(state);
  }
  return found;
}

const question = async () => (await agent.getState(config)).tasks.flatMap(({ interrupts }) => interrupts)[0]?.value;

async function say(words) {
  const isAnswer = (await question()) !== undefined;
  const { messages } = await agent.invoke(isAnswer ? new Command({ resume: words }) : { messages: [{ role: "user", content: words }] }, config);
  config = { configurable: { thread_id: config.configurable.thread_id } };
  return (await question()) ?? messages.at(-1).content;
}

const commands = {
  async history() {
    return (await turns()).map(({ values }, place) => `${place + 1}. ${values.messages.at(-1).content}`).join("\n");
  },
  async back(number) {
    const turn = (await turns())[Number(number) - 1];
    if (turn === undefined) return "There is no such turn.";
    config = turn.config;
    return `Back after: ${turn.values.messages.at(-1).content}`;
  },
  async thread(name) {
    config = { configurable: { thread_id: name } };
    return `This is ${name}.`;
  },
};

const pending = await question();
if (pending !== undefined) console.log(pending);
for await (const line of createInterface({ input: process.stdin })) {
  const [, command, argument = ""] = /^\/(\w+) ?(.*)/.exec(line) ?? [];
  console.log(await (command in commands ? commands[command](argument) : say(line)));
}
await memory.close();
