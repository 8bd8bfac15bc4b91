/**
 * The order of a module's functions. Gzip looks back 32 kB, a fiftieth of the module: functions with much the same code
 * cost few bytes only side by side. wasm-opt sorts functions by their names, so an order is told it by names.
 */

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
  const code = parts.find(({ id }) => id === 10);
  const names = parts.find(({ id, name }) => id === 0 && name === "name");
  const bodies = [...functionBodies(module, code)];
  const imported = lastNamed(module, names) + 1 - bodies.length;
  const places = new Array(bodies.length);
  alikeTogether(bodies).forEach((index, place) => (places[index] = place));
  const entries = places.map((place, index) => [...number(imported + index), ...text(String(place).padStart(6, "0"))]);
  const functionNames = Buffer.concat([number(entries.length), ...entries].map((part) => Buffer.from(part)));
  const content = Buffer.concat([text("name"), [1], number(functionNames.length), functionNames].map((part) => Buffer.from(part)));
  const section = Buffer.concat([Buffer.from([0, ...number(content.length)]), content]);
  return Buffer.concat([module.subarray(0, names.start), section, module.subarray(names.end)]);
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

/** The sections of a module: their bytes from `start` to `end`, what they hold from `content` on, the `name` of custom ones. */
function* sections(module) {
  for (let start = 8, end; start < module.length; start = end) {
    const id = module[start];
    const [length, content] = readNumber(module, start + 1);
    end = content + length;
    yield { id, start, content, end, name: id === 0 ? readText(module, content)[0] : undefined };
  }
}

function* functionBodies(module, { content }) {
  let [count, at] = readNumber(module, content);
  for (; count > 0; count--) {
    const [length, start] = readNumber(module, at);
    at = start + length;
    yield module.subarray(start, at);
  }
}

/** The greatest index of a function that has a name; wasm-opt names all, and those imported come first. */
function lastNamed(module, { content, end }) {
  let [, at] = readText(module, content);
  let last;
  while (at < end) {
    const id = module[at];
    const [length, start] = readNumber(module, at + 1);
    at = start + length;
    if (id !== 1) continue;
    let [count, entry] = readNumber(module, start);
    for (; count > 0; count--) {
      [last, entry] = readNumber(module, entry);
      [, entry] = readText(module, entry);
    }
  }
  return last;
}

/** A number in LEB128, and where it ends. */
function readNumber(bytes, at) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    value += (byte & 127) * 2 ** shift;
    if (byte < 128) return [value, at];
  }
}

function readText(bytes, at) {
  const [length, start] = readNumber(bytes, at);
  return [bytes.toString("utf8", start, start + length), start + length];
}

function number(value) {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value & 127) | 128);
  return [...bytes, value];
}

function text(value) {
  const bytes = Buffer.from(value);
  return [...number(bytes.length), ...bytes];
}
