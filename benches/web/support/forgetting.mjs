/** Forgetting one fact, a thread and a scope: how long it takes, and how long it holds the thread at a stretch. */
import { text } from "./corpus.mjs";
import { expect, longestHold } from "./timing.mjs";

const alice = { userId: "alice" };
const bob = { userId: "bob" };
const THREAD = 1000;
const PER_CALL = 500;

/** So many messages. */
const said = (first, count) => Array.from({ length: count }, (_, place) => ({ role: "user", content: text(first + place) }));

/** Fills half of a memory for each of two people: threads of a thousand messages, and as many facts as one import takes. */
async function fill(memory, records) {
  let number = 0;
  for (const pairs of [alice, bob]) {
    const user = memory.scope(pairs);
    const facts = Array.from({ length: 1000 }, () => ({ text: text(number++) }));
    await user.facts.import(facts);
    for (let thread = 0; thread < records / 2 / THREAD - 1; thread += 1) {
      for (let place = 0; place < THREAD; place += PER_CALL, number += PER_CALL) {
        await user.remember(said(number, PER_CALL), { threadId: `thread-${thread}`, learn: false });
      }
    }
  }
  await memory.idle();
}

/** Forgets one fact, one thread and one scope of a memory with so many records. */
export async function forgetting(openMemory, options, records) {
  const memory = await openMemory({ ...options, extraction: { auto: false } });
  await fill(memory, records);
  const there = (await memory.usage()).records;
  expect(there === records, `${there} of ${records} records are there`);
  const user = memory.scope(alice);
  const kept = `${options.storage}, ${options.durability}`;
  const rows = [];
  const forget = async (what, selector, kind, count) => {
    const { time, longest, answer } = await longestHold(() => user.forget(selector));
    expect(answer.forgotten[kind] === count, `${JSON.stringify(answer.forgotten)} were forgotten, not ${count} of ${kind}`);
    const name = `forget ${what} among ${records / 1000}k records, ${kept}`;
    rows.push({ name, value: time, unit: "ms" }, { name: `${name}: the longest hold of the thread`, value: longest, unit: "ms" });
  };
  const [fact] = await user.facts.list({ limit: 1 });
  await forget("a fact", { ids: [fact.id] }, "fact", 1);
  await forget("a thread of 1000 messages", { threadId: "thread-1" }, "message", THREAD);
  await forget("a scope of half of them", { scope: true }, "fact", 999);
  expect((await memory.usage()).records === records / 2, "more or less than a scope was forgotten");
  await memory.close();
  return rows;
}
