/** How long each activity holds the page's thread at a stretch. Every answer is checked. */
import { embedder, text, vector } from "./corpus.mjs";
import { expect, longestHold } from "./timing.mjs";
import { conversations, memories } from "./transferring.mjs";
import { opening } from "./workload.mjs";

const scope = { userId: "alice" };
/** The marks between which a trace counts. */
export const HELD_FROM = "held from";
export const HELD_UNTIL = "held until";
const IMPORTED_AT_ONCE = 1000;
const MESSAGES_PER_CALL = 100;

const modelOf = (isOwn) => {
  const model = embedder();
  return isOwn ? { embed: { id: model.id, embed: model.embed } } : {};
};

/** Runs `work` and answers its time, the browser's longest task and the longest hold of the thread, all in milliseconds. */
async function held(work) {
  let task = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) task = Math.max(task, duration);
  });
  // What was made ready is no part of it.
  await new Promise((resolve) => setTimeout(resolve));
  // Entries are made for tasks over 50 ms only.
  observer.observe({ type: "longtask" });
  performance.mark(HELD_FROM);
  const { time, longest, answer } = await longestHold(work);
  performance.mark(HELD_UNTIL);
  // The last task is told of in a later one.
  await new Promise((resolve) => setTimeout(resolve, 100));
  observer.disconnect();
  return { time, longest, task, answer };
}

/** Fills a memory of `count` facts, with vectors of an application or with built-in ones, and answers what opening is to find. */
export async function filled(openMemory, options, count, isOwn) {
  const memory = await openMemory({ ...options, ...modelOf(isOwn) });
  const user = memory.scope(scope);
  let id;
  for (let first = 0; first < count; first += IMPORTED_AT_ONCE) {
    const facts = Array.from({ length: IMPORTED_AT_ONCE }, (_, number) => ({
      text: text(first + number),
      ...(isOwn && { embedding: vector(first + number) }),
    }));
    const { added, facts: stored } = await user.facts.import(facts);
    expect(added === IMPORTED_AT_ONCE, "not all facts of an import are new");
    id ??= stored?.[0]?.id;
  }
  await memory.idle();
  id ??= (await user.facts.search(text(0), { limit: 1 }))[0].id;
  const { records } = await memory.usage();
  await memory.close();
  return { records, number: 0, id };
}

/** Opening it, up to the first recall. */
export async function opened(openMemory, options, isOwn, expected) {
  if (isOwn) return held(() => opening(openMemory, options, expected));
  return held(async () => {
    const start = performance.now();
    const memory = await openMemory(options);
    const time = performance.now() - start;
    const found = await memory.scope(scope).facts.search(text(expected.number), { limit: 10 });
    const recalled = performance.now() - start;
    expect(found[0].id === expected.id, "the first search has another answer");
    expect((await memory.usage()).records === expected.records, "not all facts are there");
    await memory.close();
    return { opened: time, recalled };
  });
}

/** What else is measured, each on a memory of its own. */
export const activities = {
  "import of 5k messages of ChatGPT": async (user) => {
    const json = JSON.stringify(conversations(5000));
    return held(async () => expect((await user.import(json)).done === 5000, "not all messages were imported"));
  },
  "import of 20k facts of mem0": async (user) => {
    const data = memories(20_000);
    return held(async () => expect((await user.import(data)).done === 20_000, "not all facts were imported"));
  },
  "facts.import of 1k facts": async (user) => {
    const facts = Array.from({ length: IMPORTED_AT_ONCE }, (_, number) => ({ text: text(number) }));
    return held(async () => expect((await user.facts.import(facts)).added === IMPORTED_AT_ONCE, "not all were imported"));
  },
  "remember of 400 messages, learned by rules": async (user, memory) =>
    held(async () => {
      for (let first = 0; first < 400; first += MESSAGES_PER_CALL) {
        const messages = Array.from({ length: MESSAGES_PER_CALL }, (_, number) => ({
          role: "user",
          content: `I live in ${text(first + number).split(" ")[0]}. I love ${text(first + number)}. My sister works at a school.`,
        }));
        await user.remember(messages);
      }
      await memory.idle();
    }),
  "documents.batch of 20 texts of 60 KiB": async (user) => {
    const long = (number) => Array.from({ length: 800 }, (_, place) => text(1000 * number + place)).join(" ").slice(0, 60 * 1024);
    const operations = Array.from({ length: 20 }, (_, number) => ({ op: "put", namespace: ["notes"], key: `${number}`, value: { text: long(number) }, index: ["text"] }));
    return held(async () => user.documents.batch(operations));
  },
  "20k facts by facts.import, with the folds of the log": async (user) =>
    held(async () => {
      for (let first = 0; first < 20_000; first += IMPORTED_AT_ONCE) {
        await user.facts.import(Array.from({ length: IMPORTED_AT_ONCE }, (_, number) => ({ text: text(first + number) })));
      }
    }),
  "flush of 400 messages, learned from by rules": async (user) => {
    for (let first = 0; first < 400; first += MESSAGES_PER_CALL) {
      const messages = Array.from({ length: MESSAGES_PER_CALL }, (_, number) => ({ role: "user", content: `I love ${text(first + number)}.` }));
      await user.remember(messages);
    }
    return held(async () => user.flush());
  },
  "forgetting one of 20k facts": async (user) => {
    const [id] = await stored(user);
    return held(async () => expect((await user.forget({ ids: [id] })).forgotten.fact === 1, "it was not forgotten"));
  },
  "restoring 20k facts": async (user, memory) => {
    await stored(user);
    const file = await new Response(memory.export()).blob();
    return held(async () => memory.import(file, { mode: "replace" }));
  },
  "encrypting 100k facts": async (user, memory) => {
    await stored(user, 100_000);
    const key = await crypto.subtle.importKey("raw", new Uint8Array(32).fill(7), "AES-GCM", false, ["encrypt", "decrypt"]);
    return held(async () => memory.encryption.change({ key }));
  },
};

/** Stores facts, folded, and answers the ids of some. */
async function stored(user, count = 20_000) {
  let ids;
  for (let first = 0; first < count; first += IMPORTED_AT_ONCE) {
    await user.facts.import(Array.from({ length: IMPORTED_AT_ONCE }, (_, number) => ({ text: text(first + number) })));
    ids ??= (await user.facts.list({ limit: 10 })).map(({ id }) => id);
  }
  return ids;
}

/** One of the activities. */
export async function active(openMemory, options, name) {
  const memory = await openMemory(options);
  const answer = await activities[name](memory.scope(scope), memory);
  await memory.close();
  return answer;
}
