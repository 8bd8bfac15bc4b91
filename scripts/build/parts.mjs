/**
 * Which part of the engine each function and each piece of data belongs to. The first part is what can be reached from
 * JavaScript without going through a gate, so it never calls, or holds the address of, anything that comes later. A later part is
 * what is reached through its own gates alone. What two of them share is in the part that both need: the first, or one that is
 * loaded before them.
 */
import { Failure } from "../program.mjs";

/** The part that is loaded when the engine is. */
export const FIRST = "first";

/**
 * Where two parts find what they share: a function of both, which may be one and the same.
 *
 * @param {Record<string, string[]>} needs by part those that are loaded before it, beside the first
 */
export function sharing(needs = {}) {
  const there = (part) => [part, ...(needs[part] ?? []), FIRST];
  return (one, other) => there(one).find((part) => there(other).includes(part));
}

/**
 * @param {{items: object[], roots: number[]}} linked as `readLinked` answers it
 * @param {Record<string, string[]>} gates by part the functions it is entered through, such as `Engine>::call_rest`
 * @param {Record<string, string[]>} needs by part those that are loaded before it, beside the first
 * @returns the part of each item, in order, the parts of gates by their names as the linker knows them, and the needs
 */
export function assignParts({ items, roots }, gates, needs = {}) {
  const gateOf = new Map();
  for (const [part, names] of Object.entries(gates)) {
    for (const name of names) {
      const found = items.flatMap((item, place) => (item.isFunction && readable(item.name).endsWith(name) ? [place] : []));
      if (found.length !== 1) {
        throw new Failure(`wasm-pack.toml: ${found.length} functions are named ${name}, the gate of ${part}; name one that is not inlined`);
      }
      gateOf.set(found[0], part);
    }
  }
  const shared = sharing(needs);
  const parts = items.map((_, place) => gateOf.get(place));
  const todo = [...roots].map((place) => [place, FIRST]);
  for (const [gate, part] of gateOf) for (const place of items[gate].uses) todo.push([place, part]);
  while (todo.length > 0) {
    const [place, user] = todo.pop();
    if (gateOf.has(place)) continue;
    const part = parts[place] === undefined ? user : shared(parts[place], user);
    if (part === parts[place]) continue;
    parts[place] = part;
    for (const used of items[place].uses) todo.push([used, part]);
  }
  const gateNames = new Map([...gateOf].map(([place, part]) => [items[place].name, part]));
  return { parts, gateNames, needs };
}

/** A name as people write it, of one that the compiler mangled: `_ZN3abc3defE` is `abc::def`. */
function readable(mangled = "") {
  if (!mangled.startsWith("_ZN")) return mangled;
  const parts = [];
  for (let rest = mangled.slice(3), match; (match = /^\d+/.exec(rest)); ) {
    const end = match[0].length + Number(match[0]);
    parts.push(rest.slice(match[0].length, end));
    rest = rest.slice(end);
  }
  const signs = { LT: "<", GT: ">", RF: "&", C: ",", u20: " ", u7b: "{", u7d: "}" };
  const plain = parts.map((part) => part.replace(/\$(\w+)\$/g, (whole, sign) => signs[sign] ?? whole).replaceAll("..", "::"));
  return plain.filter((part) => !/^h[0-9a-f]{16}$/.test(part)).join("::");
}
