/** Wrong values for every place in the arguments of a call. */

const cyclic = { name: "loop" };
cyclic.self = cyclic;

function revoked() {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

/** What no argument may be, whatever is expected: it can be no JSON, or throws when it is read. */
export const NEVER = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  "a bigint": 10n,
  "a symbol": Symbol("s"),
  "a function": () => 1,
  "a Map": new Map([["a", 1]]),
  "an invalid Date": new Date(Number.NaN),
  "half of a surrogate pair": "x\ud83c",
  "a cycle": cyclic,
  "a revoked proxy": revoked(),
  "a getter that throws": { get trap() { throw new Error("mine"); } },
  "a proxy that throws": new Proxy({}, { ownKeys() { throw new TypeError("mine"); } }),
  "an array whose getter throws": Object.defineProperty([1], 0, { get() { throw new Error("mine"); } }),
};

/** What is wrong unless another of its type is expected, or its range is. */
export const OTHER = {
  null: null,
  true: true,
  "-1": -1,
  "0": 0,
  "1.5": 1.5,
  "5000000000": 5_000_000_000,
  "2^53": 2 ** 53,
  "1e21": 1e21,
  "-1e300": -1e300,
  "an empty string": "",
  "a word": "wrong",
  "an id in other letters": "0191A0B0-0000-7000-8000-00000000000G",
  "a long string": "x".repeat(70_000),
  "an empty object": {},
  "an object": { wrong: 1 },
  "an empty list": [],
  "a list": ["wrong"],
  "a list of lists": [[1]],
};

/** The places in a value: paths of keys, the value itself first. What is in `free`, by its last key, is the app's own data. */
export function* places(value, free, path = []) {
  if (path.length > 0) yield path;
  if (typeof value !== "object" || value === null || free.has(path.at(-1))) return;
  if (Object.getPrototypeOf(value) !== Object.prototype && !Array.isArray(value)) return;
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  for (const key of keys) yield* places(value[key], free, [...path, key]);
}

/** The value at a place. */
export const at = (value, path) => path.reduce((inner, key) => inner[key], value);

/** A copy with another value at a place. */
export function changed(value, [key, ...rest], to) {
  const copy = Array.isArray(value) ? [...value] : { ...value };
  copy[key] = rest.length === 0 ? to : changed(value[key], rest, to);
  return copy;
}
