/**
 * Which part of the engine each function and each piece of data belongs to. The first part is what can be reached from
 * JavaScript without going through a gate, so it never calls, or holds the address of, anything that comes later. A later part is
 * what is reached through its own gates alone; what two of them share is in the first.
 */
import { Failure } from "../program.mjs";

/** The part that is loaded when the engine is. */
export const FIRST = "first";

/**
 * @param {{items: object[], roots: number[]}} linked as `readLinked` answers it
 * @param {Record<string, string[]>} gates by part the functions it is entered through, such as `Engine>::call_rest`
 * @returns the part of each item, in order, and the parts of gates by their names as the linker knows them
 */
export function assignParts({ items, roots }, gates) {
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
  const reached = (starts) => {
    const seen = new Set();
    const todo = [...starts];
    while (todo.length > 0) {
      const place = todo.pop();
      if (seen.has(place) || gateOf.has(place)) continue;
      seen.add(place);
      todo.push(...items[place].uses);
    }
    return seen;
  };
  const parts = new Array(items.length).fill(undefined);
  for (const place of reached(roots)) parts[place] = FIRST;
  for (const part of Object.keys(gates)) {
    const own = [...gateOf].filter(([, of]) => of === part).map(([place]) => place);
    for (const place of reached(own.flatMap((gate) => [...items[gate].uses]))) {
      parts[place] = parts[place] === undefined || parts[place] === part ? part : FIRST;
    }
    for (const gate of own) parts[gate] = part;
  }
  // What two later parts share was set first; what that refers to has to be there as well.
  for (const place of reached(parts.flatMap((part, place) => (part === FIRST ? [place] : [])))) parts[place] = FIRST;
  const gateNames = new Map([...gateOf].map(([place, part]) => [items[place].name, part]));
  return { parts, gateNames };
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
