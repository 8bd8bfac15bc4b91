/**
 * The order of a module's functions. Gzip looks back 32 kB, a fiftieth of the module: functions with much the same code
 * cost few bytes only side by side. wasm-opt sorts functions by their names, so an order is told it by names.
 */
import { functionBodies, functionNames, joined, nameSection, SECTION, sections, without } from "./bytes.mjs";

/** Code is compared by runs of so many bytes: two or three instructions, and twice as many. */
const runLengths = [4, 8];
/** Runs in more functions than this are everywhere, and tell nothing. */
const commonest = 400;
/** How far back gzip finds what was there, less some of what the function itself takes. */
const reach = 31_000;
/** Between 0, by what functions have in common, and 1, by what share of the next it is: long ones would come first, or last. */
const sizeWeight = 0.65;

/** The module, in which the name of each function is its place in the best order found. */
export function nameByOrder(module) {
  const parts = [...sections(module)];
  const code = parts.find(({ id }) => id === SECTION.code);
  const names = parts.find(({ id, name }) => id === SECTION.custom && name === "name");
  const bodies = [...functionBodies(module, code)];
  const imported = Math.max(...functionNames(module, names).keys()) + 1 - bodies.length;
  const order = alikeTogether(bodies).map((index, place) => [imported + index, String(place).padStart(6, "0")]);
  return joined([without(module, ({ name }) => name === "name"), nameSection(order.sort(([a], [b]) => a - b))]);
}

/** The indexes of functions in an order in which each follows those it has most in common with. */
function alikeTogether(bodies) {
  const { runs, weights, users } = sharedRuns(bodies);
  const inReach = new Uint32Array(weights.length);
  const inCommon = new Float64Array(bodies.length);
  const costs = bodies.map((body) => body.length ** sizeWeight);
  const left = new Set(bodies.keys());
  const order = [];
  let oldest = 0;
  let bytes = 0;
  const count = (run, change) => {
    for (const user of users[run]) inCommon[user] += change * weights[run];
  };
  while (left.size > 0) {
    let next;
    let best = -1;
    for (const index of left) {
      const gain = inCommon[index] / costs[index];
      if (gain > best) [next, best] = [index, gain];
    }
    left.delete(next);
    order.push(next);
    bytes += bodies[next].length;
    for (const run of runs[next]) if (inReach[run]++ === 0) count(run, 1);
    for (; bytes > reach && oldest < order.length - 1; oldest++) {
      bytes -= bodies[order[oldest]].length;
      for (const run of runs[order[oldest]]) if (--inReach[run] === 0) count(run, -1);
    }
  }
  return order;
}

/** The runs that some functions share: those of each function, what each weighs, and who has it. */
function sharedRuns(bodies) {
  const numbers = new Map();
  const users = [];
  bodies.forEach((body, index) => {
    const code = body.toString("latin1");
    for (const length of runLengths) {
      for (let at = 0; at + length <= code.length; at++) {
        const bytes = code.slice(at, at + length);
        let run = numbers.get(bytes);
        if (run === undefined) numbers.set(bytes, (run = users.push([]) - 1));
        if (users[run].at(-1) !== index) users[run].push(index);
      }
    }
  });
  const shared = users.filter(({ length }) => length > 1 && length <= commonest);
  const runs = bodies.map(() => []);
  shared.forEach((indexes, run) => indexes.forEach((index) => runs[index].push(run)));
  return { runs, weights: shared.map(({ length }) => 1 + Math.log2(commonest / length)), users: shared };
}
