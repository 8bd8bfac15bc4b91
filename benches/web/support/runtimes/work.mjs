/**
 * What is measured in every runtime, the same everywhere. It names nothing of any; each step runs on a page, in a process or in an
 * object that is fresh, and answers numbers: milliseconds, and mebibytes of WebAssembly memory.
 */
import { embedder, query, text, vector } from "../corpus.mjs";
import { expect } from "../timing.mjs";
import { messages } from "./messages.mjs";

const scope = { userId: "alice" };
const FACTS_PER_IMPORT = 1000;
const RECALLS = 30;
const REMEMBERS = 30;
const READS = 200;
const FIELDS = 20;

const names = Array.from({ length: FIELDS }, (_, number) => `field_${number}`);
const person = { type: "object", properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])) };

/** The memories of all instances that are made from now on. */
function watchMemory() {
  const memories = [];
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = async (...values) => {
    const made = await instantiate(...values);
    const { memory } = (made.instance ?? made).exports;
    if (memory) memories.push(memory);
    return made;
  };
  return () => memories.reduce((bytes, { buffer }) => bytes + buffer.byteLength, 0) / 2 ** 20;
}

/**
 * Runs one step.
 *
 * @param {{import: () => Promise<{openMemory: Function}>, storage: (name: string) => object, tick?: () => Promise<void>}} runtime
 *   `storage` answers the options that choose where a memory is kept; `tick` is awaited before the clock is read, in a runtime whose
 *   clock stands still while it computes
 * @param {{name: "start" | "fill" | "use" | "messages", count?: number}} step
 */
export async function run(runtime, step) {
  const { name, count } = step;
  const mebibytes = watchMemory();
  const now = async () => {
    await runtime.tick?.();
    return performance.now();
  };
  /** The mean time of a call. */
  const timed = async (repetitions, work) => {
    const start = await now();
    for (let number = 0; number < repetitions; number += 1) await work(number);
    return ((await now()) - start) / repetitions;
  };

  if (name === "start") {
    let memory;
    const time = await timed(1, async () => {
      const { openMemory } = await runtime.import();
      memory = await openMemory({ name: "start", storage: "memory" });
    });
    await memory.close();
    return { start: time, empty: mebibytes() };
  }

  const { openMemory } = await runtime.import();
  if (name === "messages") return messages({ openMemory, storage: runtime.storage, mebibytes, timed, embedder: embedder() }, step);
  const { id, embed } = embedder();
  // The engine is there: what follows is about the memory.
  await (await openMemory({ name: "start", storage: "memory" })).close();
  const options = { name: `facts-${count}`, ...runtime.storage(`facts-${count}`), embed: { id, embed }, profiles: { person }, extraction: { auto: false } };

  if (name === "fill") {
    const memory = await openMemory(options);
    const user = memory.scope(scope);
    await user.profiles.patch("person", Object.fromEntries(names.map((name, number) => [name, text(number)])));
    let time = 0;
    for (let first = 0; first < count; first += FACTS_PER_IMPORT) {
      const facts = Array.from({ length: FACTS_PER_IMPORT }, (_, place) => first + place).map((number) => ({
        text: text(number),
        sourceId: `${number}`,
        embedding: vector(number),
      }));
      time += await timed(1, async () => {
        const { added } = await user.facts.import(facts);
        expect(added === facts.length, `${added} of ${facts.length} facts were added`);
      });
    }
    await memory.idle();
    await memory.close();
    return { fill: time };
  }

  let memory, user;
  const open = await timed(1, async () => {
    memory = await openMemory(options);
  });
  user = memory.scope(scope);
  const recall = async (number) => {
    const target = (number * 7919 + 1) % count;
    const { text: block, items } = await user.recall(query(target), { limit: 20, maxTokens: 5000 });
    // Facts that are not related are left out.
    expect(items.length <= FIELDS + 20 && block.includes(text(target)), `of ${items.length} recalled lines none is fact ${target}`);
  };
  const first = await timed(1, recall);
  const opened = mebibytes();
  const times = {
    recall: await timed(RECALLS, (number) => recall(number + 1)),
    remember: await timed(REMEMBERS, async (number) => {
      const said = (offset) => ({ role: offset === 0 ? "user" : "assistant", content: text(count + 2 * number + offset) });
      const { messageIds } = await user.remember([said(0), said(1)], { threadId: "today" });
      expect(messageIds.length === 2, "two messages have not two ids");
    }),
    profile: await timed(READS, async () => {
      const { person } = await user.profiles.get();
      expect(person.profile.field_7 === text(7), "a field of the profile has another value");
    }),
  };
  await memory.idle();
  const used = mebibytes();
  await memory.close();
  return { open, first, ...times, opened, used };
}
