/** One subject at one size, in a process or on a page of its own: it is built, asked, saved, opened; all times are milliseconds. */
import * as data from "./data.mjs";
import { summary } from "../web/support/timing.mjs";

/** What was thrown, in words: some throw objects that are no errors. */
export const explain = (error) => (error instanceof Error ? `${error.message}\n${error.stack}` : typeof error === "object" ? JSON.stringify(error) : String(error));

/** How many items are made at once: making them is not timed. */
const BATCH = 1000;
const WARM_UP = 3;

/** What each axis gives its subjects: the items, the queries, and what is to be found. */
const AXES = {
  vectors: { item: data.vectorItem, query: data.vectorQuery },
  words: { item: data.wordItem, query: data.wordQuery, rare: data.rareQuery },
  memories: { item: data.memoryItem, query: data.memoryQuery },
};

/**
 * Answers what runs the steps of one subject.
 *
 * @param {object} subject a module of subjects/
 * @param {object} kit what differs between a process and a page: `bytes(path)` of a package's file, `isPage`, `folder`, `keep`, `kept`
 */
export function session(subject, axis, count, kit, given) {
  const { item, ...queries } = given ?? AXES[axis];
  const { query } = queries;
  const own = { ...kit, count, limit: data.LIMIT, dimensions: data.DIMENSIONS, isKept: (number) => data.isKept(number, count) };
  let index;
  const finish = async () => {
    await index.ready?.();
  };
  const timed = async (work) => {
    const start = performance.now();
    const answer = await work();
    return { time: performance.now() - start, answer };
  };
  return {
    async build() {
      const before = kit.memory?.();
      let { time } = await timed(async () => (index = await subject[axis].create(own)));
      for (let first = 0; first < count; first += BATCH) {
        const items = Array.from({ length: Math.min(BATCH, count - first) }, (_, place) => item(first + place, count));
        time += (await timed(() => index.add(items))).time;
      }
      time += (await timed(finish)).time;
      const after = kit.memory?.();
      return { time, memory: after === undefined ? undefined : (after - before) / 2 ** 20 };
    },

    /** Asks by one of the index's methods, in turn, until `numbers` are through or `budget` milliseconds are: the median, and each answer. */
    async ask({ method, numbers, budget, kind = "query" }) {
      const query = queries[kind];
      const [times, answers] = [[], []];
      for (let warm = 0; warm < WARM_UP; warm += 1) await index[method](query(numbers[warm], count));
      const end = performance.now() + budget;
      for (const number of numbers) {
        const asked = query(number, count);
        const { time, answer } = await timed(() => index[method](asked));
        times.push(time);
        answers.push(answer);
        if (performance.now() > end) break;
      }
      return { time: summary(times).value, answers };
    },

    /** Writes items that are not there yet, one by one: the median time. */
    async write({ first, times }) {
      const taken = [];
      for (let place = 0; place < times; place += 1) {
        const written = item(first + place, count);
        taken.push((await timed(() => index.write(written))).time);
      }
      await finish();
      return { time: summary(taken).value };
    },

    async save() {
      await finish();
      const { time } = await timed(() => index.save?.());
      await index.close?.();
      // What is stored with every change has nothing to save.
      return { time: index.save === undefined ? undefined : time };
    },

    /** From nothing, the library not even loaded, to the first answer. */
    async open({ number }) {
      const asked = query(number, count);
      const { time, answer } = await timed(async () => {
        index = await subject[axis].open(own);
        return index.search(asked);
      });
      return { time, answers: [answer] };
    },

    /** What of the index can be asked. */
    async methods() {
      return Object.keys(index).filter((name) => typeof index[name] === "function");
    },
  };
}
