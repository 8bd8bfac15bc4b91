/** Taking in what others exported, and the memory's own backup: memories per second, and how long the thread is held at a stretch. */
import { text } from "./corpus.mjs";
import { expect, longestHold } from "./timing.mjs";

const scope = { userId: "alice" };
const MESSAGES_PER_CONVERSATION = 200;
/** What an import is to reach. */
const PER_SECOND = 5000;

/** `conversations.json` of a ChatGPT export, with so many messages. */
export function conversations(count) {
  const nodes = (conversation) =>
    Array.from({ length: MESSAGES_PER_CONVERSATION }, (_, place) => {
      const number = conversation * MESSAGES_PER_CONVERSATION + place;
      const message = {
        id: `m${number}`,
        author: { role: place % 2 === 0 ? "user" : "assistant" },
        create_time: 1.7e9 + number,
        content: { content_type: "text", parts: [text(number)] },
      };
      return [`n${place}`, { id: `n${place}`, parent: place === 0 ? null : `n${place - 1}`, message }];
    });
  return Array.from({ length: count / MESSAGES_PER_CONVERSATION }, (_, conversation) => ({
    id: `c${conversation}`,
    title: `About ${conversation}`,
    current_node: `n${MESSAGES_PER_CONVERSATION - 1}`,
    mapping: Object.fromEntries(nodes(conversation)),
  }));
}

/** What mem0's `get_all` answers, with so many memories. */
export const memories = (count) => ({
  results: Array.from({ length: count }, (_, number) => ({ id: `m${number}`, memory: text(number), created_at: "2024-05-01T10:00:00Z" })),
});

/** How long `work` takes and holds the thread, as a row of so many memories a second. */
async function rate(name, count, work) {
  const { time, longest } = await longestHold(work);
  return [
    { name, value: (1000 * count) / time, unit: "memories/s", target: PER_SECOND },
    { name: `${name}: the longest hold of the thread`, value: longest, unit: "ms" },
  ];
}

/**
 * Imports `count` messages and as many facts, exports all that, and takes it in again in both modes.
 *
 * @param openMemory of the package
 * @param options of a memory whose storage forgets nothing between the two that are opened; `name` is continued
 */
export async function transferring(openMemory, options, count) {
  const kept = `${options.storage}, ${options.durability}`;
  const rows = [];
  const memory = await openMemory({ ...options, name: `${options.name}-from` });
  const user = memory.scope(scope);
  for (const [what, data] of [["messages of ChatGPT", conversations(count)], ["facts of mem0", memories(count)]]) {
    const json = JSON.stringify(data);
    const taken = async () => {
      const { done, failed } = await user.import(json);
      expect(done === count && failed.length === 0, `${done} of ${count} ${what} were imported`);
    };
    rows.push(...(await rate(`import of ${count / 1000}k ${what}, ${kept}`, count, taken)));
  }
  await memory.idle();
  const { records } = await memory.usage();
  expect(records >= 2 * count, `${records} records are there`);
  let file;
  const written = async () => {
    file = new Uint8Array(await new Response(memory.export()).arrayBuffer());
  };
  rows.push(...(await rate(`export of ${records / 1000}k records, ${kept}`, records, written)));
  await memory.close();
  for (const mode of ["replace", "merge"]) {
    const other = await openMemory({ ...options, name: `${options.name}-${mode}` });
    const restored = async () => {
      await other.import(file, { mode });
    };
    rows.push(...(await rate(`import of a backup of ${records / 1000}k records, ${mode}, ${kept}`, records, restored)));
    const there = (await other.usage()).records;
    expect(there === records, `${there} of ${records} records came back`);
    await other.close();
  }
  return rows;
}
