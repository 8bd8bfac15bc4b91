/** What the tests of live answers share: a memory for each test, and parts of a page that ask it. */
import { afterEach, beforeEach } from "node:test";
import { mnemic, project } from "./installed.mjs";

const { openingOf } = await import(project.path("node_modules/mnemic/live/opening.js"));
const { LiveUser } = await import(project.path("node_modules/mnemic/live/user.js"));

export const ANA = { userId: "ana" };
export const BEN = { userId: "ben" };

/** Waits until what is known is as wanted; `listen` says when to look again. */
export function until(listen, isWanted) {
  return new Promise((resolve) => {
    const look = () => {
      if (!isWanted()) return;
      stop();
      resolve();
    };
    const stop = listen(look);
    look();
  });
}

/** Shows a question, as a component does, and counts how often it is asked and shown. */
export function show(live, question) {
  const shown = { asked: 0, shown: [] };
  const counted = question && {
    ...question,
    ask: (...given) => {
      shown.asked += 1;
      return question.ask(...given);
    },
  };
  const listeners = new Set();
  shown.stop = live.ask(counted, () => {
    shown.shown.push(shown.state);
    for (const listener of [...listeners]) listener();
  });
  Object.defineProperty(shown, "state", { get: () => live.state(counted) });
  shown.until = (isWanted) => until((look) => (listeners.add(look), () => listeners.delete(look)), () => isWanted(shown.state));
  return shown;
}

const texts = ({ data }) => data?.map(({ text }) => text).sort();
export const has = (...wanted) => (state) => JSON.stringify(texts(state)) === JSON.stringify(wanted);
/** Until all that was begun at once is done: promises, and what waits for the end of a turn. */
export const turn = () => new Promise((resolve) => setTimeout(resolve));

/** Waits for what nothing tells of. */
export const eventually = (isWanted) => until((look) => ((timer) => () => clearInterval(timer))(setInterval(look)), isWanted);

/** The open memory. */
export let memory;

beforeEach(async () => {
  memory = await mnemic.openMemory({ name: "live", storage: "memory", profiles: { settings: { type: "object", properties: { city: { type: "string" } } } } });
});

afterEach(() => memory.close());

/** The user of the open memory, which is taken until the function is called. */
export function using(pairs = ANA, given = memory) {
  const opening = openingOf(given);
  return { live: new LiveUser(opening, pairs), leave: opening.take() };
}
