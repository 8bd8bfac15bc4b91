/**
 * Cuts one linked module into one that is loaded first and others that are loaded later into the same memory and table. They
 * are one program: a later module takes the functions it calls from the first and from those that it needs, and puts its own into
 * the table and its data into the memory when it is instantiated. Others enter it through gates, whose places in the table are empty
 * until then.
 */
import { constant, dataPieces, functionBodies, functionNames, imports, joined, nameSection, number, readNumber, readText, section, SECTION, sections, tableEntries, text, vector } from "./bytes.mjs";
import { namedFunctions } from "./instructions.mjs";
import { FIRST, sharing } from "./parts.mjs";

/** What a module's exports for the others begin with; those for JavaScript never do. */
const SHARED = "$";
/** Fewer bytes of another part than this within data are left zero; more end the piece. */
const SMALLEST_GAP = 24;
const CALL = 0x10;

/**
 * @param module the optimised module, with the names that the linker gave its functions
 * @param linked what `readLinked` answered for the module it was made of
 * @param assigned what `assignParts` answered
 * @returns {Map<string, Buffer>} the modules by part, with names
 */
export function split(module, linked, { parts, gateNames, needs }) {
  const whole = wholeModule(module);
  const home = sharing(needs);
  const owners = ownersOf(whole, linked, parts, gateNames, home);
  const gates = gatesOf(whole, gateNames);
  const names = [FIRST, ...new Set(gateNames.values())];
  const shared = sharedFunctions(whole, owners, gates);
  const data = dataByPart(whole, linked.items, parts, home);
  return new Map(names.map((name) => [name, written(whole, name, { owners, gates, shared, data: data.get(name) ?? [] })]));
}

/** What of a module is cut up. */
function wholeModule(module) {
  const all = [...sections(module)];
  const find = (id, name) => all.find((part) => part.id === id && part.name === name);
  if (find(SECTION.start)) throw new Error("a module that starts by itself cannot be cut");
  const imported = imports(module, find(SECTION.import));
  const types = [];
  let [count, at] = readNumber(module, find(SECTION.function).content);
  for (let type; count > 0; count--) {
    [type, at] = readNumber(module, at);
    types.push(type);
  }
  const bodies = [...functionBodies(module, find(SECTION.code))];
  return {
    module,
    find,
    copied: (id, name) => {
      const part = find(id, name);
      return part === undefined ? Buffer.alloc(0) : module.subarray(part.start, part.end);
    },
    imported,
    types,
    bodies,
    names: functionNames(module, find(SECTION.custom, "name")),
    entries: tableEntries(module, find(SECTION.element)),
    pieces: dataPieces(module, find(SECTION.data)),
    uses: bodies.map((body) => [...namedFunctions(body)]),
    indexOf: (place) => imported.length + place,
  };
}

/**
 * The part of each function as it is now. The optimiser makes one of functions that are alike, so what a part calls, or has in the
 * table, may be in another by now; it belongs to where both find it then.
 */
function ownersOf(whole, { items, slots }, parts, gateNames, home) {
  const byName = new Map(items.flatMap((item, place) => (item.isFunction ? [[item.name, parts[place] ?? FIRST]] : [])));
  const first = whole.imported.length;
  const owners = whole.bodies.map((_, place) => byName.get(whole.names.get(first + place)) ?? FIRST);
  const isGate = (place) => gateNames.has(whole.names.get(first + place));
  const todo = [];
  const need = (place, part) => {
    if (place < 0 || isGate(place)) return;
    const shared = home(owners[place], part);
    if (shared === owners[place]) return;
    owners[place] = shared;
    todo.push(place);
  };
  whole.uses.forEach((uses, place) => uses.forEach(({ index }) => need(index - first, owners[place])));
  for (const [slot, index] of whole.entries) need(index - first, parts[slots.get(slot)] ?? FIRST);
  while (todo.length > 0) {
    const place = todo.pop();
    for (const { index } of whole.uses[place]) need(index - first, owners[place]);
  }
  return owners;
}

/** The places in the table through which gates are called: new ones, behind the others, up to `end`. */
function gatesOf(whole, gateNames) {
  const [, type] = readNumber(whole.module, whole.find(SECTION.table).content);
  let [end] = readNumber(whole.module, type + 2);
  const places = new Map();
  for (const [index, name] of whole.names) if (gateNames.has(name)) places.set(index, end++);
  if (places.size !== gateNames.size) throw new Error("a gate is no longer a function of its own");
  return { places, end };
}

/** By index of a function that another part calls, the part it is in and the name under which that exports it. */
function sharedFunctions(whole, owners, gates) {
  const first = whole.imported.length;
  const shared = new Map();
  whole.uses.forEach((uses, place) => {
    for (const { index } of uses) {
      const part = index < first ? owners[place] : owners[index - first];
      if (part === owners[place] || gates.places.has(index) || shared.has(index)) continue;
      shared.set(index, { part, name: `${SHARED}${shared.size.toString(36)}` });
    }
  });
  return shared;
}

/** The data of each part, as pieces with their addresses. */
function dataByPart(whole, items, parts, home) {
  const byPart = new Map();
  for (const { address, bytes } of whole.pieces) {
    const owners = new Array(bytes.length).fill(undefined);
    items.forEach((item, place) => {
      if (item.isFunction || item.from < address || item.from >= address + bytes.length) return;
      const part = parts[place] ?? FIRST;
      for (let at = item.from - address; at < item.to - address; at++) {
        owners[at] = owners[at] === undefined ? part : home(owners[at], part);
      }
    });
    for (const name of new Set(owners.map((part) => part ?? FIRST))) {
      const isOwn = (at) => (owners[at] ?? FIRST) === name;
      // The first may write what lies between its own, since nobody is there yet; a later one must leave that alone.
      const gap = name === FIRST ? SMALLEST_GAP : 1;
      const own = Buffer.from(bytes.map((byte, at) => (isOwn(at) ? byte : 0)));
      const pieces = byPart.get(name) ?? [];
      byPart.set(name, pieces);
      for (let at = 0; at < bytes.length; at++) {
        if (!isOwn(at)) continue;
        let end = at + 1;
        for (let next = end; next < bytes.length && next - end < gap; next++) if (isOwn(next)) end = next + 1;
        pieces.push({ address: address + at, bytes: own.subarray(at, end) });
        at = end;
      }
    }
  }
  return byPart;
}

/** The module of one part. */
function written(whole, name, { owners, gates, shared, data }) {
  const first = whole.imported.length;
  const isFirst = name === FIRST;
  const own = [...owners.keys()].filter((place) => owners[place] === name);
  const taken = isFirst ? [] : takenFunctions(whole, owners, name, shared);
  const indexes = new Map(whole.imported.map((_, index) => [index, index]));
  taken.forEach((index, place) => indexes.set(index, first + place));
  own.forEach((place, order) => indexes.set(first + place, first + taken.length + order));
  const list = (id, items) => (items.length === 0 ? Buffer.alloc(0) : section(id, vector(items)));
  const bodies = own.map((place) => rewritten(whole, place, indexes, gates));
  const entries = [...whole.entries, ...[...gates.places].map(([index, place]) => [place, index])];
  const names = [...indexes].map(([index, now]) => [now, whole.names.get(index) ?? `function ${index}`]).sort(([a], [b]) => a - b);
  return joined([
    whole.module.subarray(0, 8),
    whole.copied(SECTION.type),
    isFirst ? whole.copied(SECTION.import) : list(SECTION.import, importsOf(whole, taken, shared, gates)),
    list(SECTION.function, own.map((place) => number(whole.types[place]))),
    ...(isFirst ? [list(SECTION.table, tables(whole, gates).map(({ bytes }) => bytes)), ...[SECTION.memory, SECTION.global].map((id) => whole.copied(id))] : []),
    list(SECTION.export, [...(isFirst ? exportsOf(whole, indexes) : []), ...sharedExports(name, indexes, shared)]),
    list(SECTION.element, entryLists(entries.filter(([, index]) => index >= first && owners[index - first] === name), indexes)),
    list(SECTION.code, bodies.map((body) => joined([number(body.length), body]))),
    list(SECTION.data, data.map(({ address, bytes }) => joined([[0], constant(address), [0x0b], number(bytes.length), bytes]))),
    nameSection(names),
    whole.copied(SECTION.custom, "target_features"),
  ]);
}

/** The functions of other parts that a later one calls, those behind gates left out. */
function takenFunctions(whole, owners, name, shared) {
  const taken = new Set();
  whole.uses.forEach((uses, place) => {
    if (owners[place] !== name) return;
    for (const { index } of uses) if (shared.has(index) && shared.get(index).part !== name) taken.add(index);
  });
  return [...taken];
}

/** A function with the indexes of its module; gates of other parts are called through the table. */
function rewritten(whole, place, indexes, gates) {
  const body = whole.bodies[place];
  const pieces = [];
  let at = 0;
  for (const { start, end, index, opcode } of whole.uses[place]) {
    if (indexes.has(index)) {
      pieces.push(body.subarray(at, start), number(indexes.get(index)));
    } else {
      const slot = gates.places.get(index);
      if (slot === undefined || opcode !== CALL) throw new Error(`${whole.names.get(whole.indexOf(place))} refers to ${whole.names.get(index)}, which is not loaded with it`);
      // In place of `call`: the place in the table, and `call_indirect` with the function's type.
      pieces.push(body.subarray(at, start - 1), constant(slot), [0x11], number(whole.types[index - whole.imported.length]), [0]);
    }
    at = end;
  }
  return joined([...pieces, body.subarray(at)]);
}

/** The tables of the module; the first has room for the gates. */
function tables(whole, gates) {
  let [count, at] = readNumber(whole.module, whole.find(SECTION.table).content);
  const found = [];
  for (let least, most; count > 0; count--) {
    const type = whole.module[at];
    const hasMost = whole.module[at + 1] === 1;
    [least, at] = readNumber(whole.module, at + 2);
    if (hasMost) [most, at] = readNumber(whole.module, at);
    if (found.length === 0) [least, most] = [gates.end, Math.max(gates.end, most ?? 0)];
    found.push({ bytes: [type, hasMost ? 1 : 0, ...number(least), ...(hasMost ? number(most) : [])] });
  }
  return found;
}

/** The types of the globals of the module, as an import writes them. */
function globals(whole) {
  const { content } = whole.find(SECTION.global);
  let [count, at] = readNumber(whole.module, content);
  const found = [];
  for (; count > 0; count--) {
    found.push(whole.module.subarray(at, at + 2));
    // What a global begins with is a constant, up to the end of the expression.
    for (at += 2; whole.module[at] !== 0x0b; ) [, at] = readNumber(whole.module, at + 1);
    at++;
  }
  return found;
}

/** What is shared beside functions: how an import writes it, and its kind and index. */
function sharedRest(whole, gates) {
  const { content } = whole.find(SECTION.memory);
  const [, limits] = readNumber(whole.module, content);
  const memory = { name: "memory", kind: 2, index: 0, bytes: whole.module.subarray(limits, whole.find(SECTION.memory).end) };
  const rest = [memory];
  tables(whole, gates).forEach(({ bytes }, index) => rest.push({ name: `${SHARED}table${index}`, kind: 1, index, bytes }));
  globals(whole).forEach((bytes, index) => rest.push({ name: `${SHARED}global${index}`, kind: 3, index, bytes }));
  return rest;
}

function importsOf(whole, taken, shared, gates) {
  const from = ({ part, name }) => [...text(part), ...text(name)];
  const functions = taken.map((index) => joined([from(shared.get(index)), [0], number(whole.types[index - whole.imported.length])]));
  const rest = sharedRest(whole, gates).map(({ name, kind, bytes }) => joined([from({ part: FIRST, name }), [kind], bytes]));
  return [...whole.imported.map(({ bytes }) => bytes), ...functions, ...rest];
}

/** What the first module exports: to JavaScript, and all but functions to the other modules. */
function exportsOf(whole, indexes) {
  const own = [];
  let [count, at] = readNumber(whole.module, whole.find(SECTION.export).content);
  const names = new Set();
  for (let name, index; count > 0; count--) {
    [name, at] = readText(whole.module, at);
    const kind = whole.module[at];
    [index, at] = readNumber(whole.module, at + 1);
    names.add(name);
    own.push([...text(name), kind, ...number(kind === 0 ? indexes.get(index) : index)]);
  }
  const rest = sharedRest(whole, { end: 0 }).filter(({ name }) => !names.has(name));
  return [...own, ...rest.map(({ name, kind, index }) => [...text(name), kind, ...number(index)])];
}

/** The functions that a module exports to the others. */
function sharedExports(part, indexes, shared) {
  const own = [...shared].filter(([, { part: home }]) => home === part);
  return own.map(([index, { name }]) => [...text(name), 0, ...number(indexes.get(index))]);
}

/** Entries of the table as lists of those that stand in a row. */
function entryLists(entries, indexes) {
  const rows = [];
  for (const [place, index] of entries.sort(([a], [b]) => a - b)) {
    const row = rows.at(-1);
    if (row !== undefined && row.place + row.functions.length === place) row.functions.push(index);
    else rows.push({ place, functions: [index] });
  }
  return rows.map(({ place, functions }) => joined([[0], constant(place), [0x0b], number(functions.length), ...functions.map((index) => number(indexes.get(index)))]));
}
