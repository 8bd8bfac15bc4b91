/** The bytes of a WebAssembly module: numbers, texts, sections, and the pieces of code. */

/** The numbers of the sections by what they hold. */
export const SECTION = { custom: 0, type: 1, import: 2, function: 3, table: 4, memory: 5, global: 6, export: 7, start: 8, element: 9, code: 10, data: 11, dataCount: 12 };

/** A number in LEB128, and where it ends. */
export function readNumber(bytes, at) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    value += (byte & 127) * 2 ** shift;
    if (byte < 128) return [value, at];
  }
}

/** A text behind its length, and where it ends. */
export function readText(bytes, at) {
  const [length, start] = readNumber(bytes, at);
  return [bytes.toString("utf8", start, start + length), start + length];
}

/** A whole number from 0 as LEB128. */
export function number(value) {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value & 127) | 128);
  return [...bytes, value];
}

/** `i32.const` of a number from 0, as signed LEB128. */
export function constant(value) {
  const bytes = [0x41];
  for (; value > 63; value >>= 7) bytes.push((value & 127) | 128);
  return [...bytes, value];
}

/** A text behind its length. */
export function text(value) {
  const bytes = Buffer.from(value);
  return [...number(bytes.length), ...bytes];
}

/** Pieces of bytes as one. */
export function joined(pieces) {
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
}

/** A list behind its length. */
export function vector(items) {
  return joined([number(items.length), ...items]);
}

/** A section, a custom one with its name. */
export function section(id, content, name) {
  const named = name === undefined ? content : joined([text(name), content]);
  return joined([[id], number(named.length), named]);
}

/** The sections of a module: their bytes from `start` to `end`, what they hold from `content` on, the `name` of custom ones. */
export function* sections(module) {
  for (let start = 8, end; start < module.length; start = end) {
    const id = module[start];
    let [length, content] = readNumber(module, start + 1);
    end = content + length;
    let name;
    if (id === SECTION.custom) [name, content] = readText(module, content);
    yield { id, start, content, end, name };
  }
}

/** The module without some of its sections. */
export function without(module, isUnwanted) {
  const kept = [...sections(module)].filter((section) => !isUnwanted(section));
  return Buffer.concat([module.subarray(0, 8), ...kept.map(({ start, end }) => module.subarray(start, end))]);
}

/** The bodies of the functions of a code section, each with where it starts. */
export function* functionBodies(module, { content }) {
  let [count, at] = readNumber(module, content);
  for (; count > 0; count--) {
    const [length, start] = readNumber(module, at);
    at = start + length;
    yield module.subarray(start, at);
  }
}

/** The names of functions by their indexes, of which those imported come first. */
export function functionNames(module, { content, end }) {
  const names = new Map();
  for (let at = content; at < end; ) {
    const id = module[at];
    const [length, start] = readNumber(module, at + 1);
    at = start + length;
    if (id !== 1) continue;
    let [count, entry] = readNumber(module, start);
    for (let index, name; count > 0; count--) {
      [index, entry] = readNumber(module, entry);
      [name, entry] = readText(module, entry);
      names.set(index, name);
    }
  }
  return names;
}

/** The section that names functions, by pairs of index and name in order. */
export function nameSection(names) {
  const list = vector(names.map(([index, name]) => [...number(index), ...text(name)]));
  return section(SECTION.custom, joined([[1], number(list.length), list]), "name");
}

/** The parts of an import section: of each its `bytes`, and its `kind` (0 for a function). */
export function imports(module, { content }) {
  let [count, at] = readNumber(module, content);
  const found = [];
  for (; count > 0; count--) {
    const start = at;
    [, at] = readText(module, at);
    [, at] = readText(module, at);
    const kind = module[at++];
    if (kind !== 0) throw new Error(`an import of kind ${kind}; the module is expected to import functions only`);
    [, at] = readNumber(module, at);
    found.push({ kind, bytes: module.subarray(start, at) });
  }
  return found;
}

/** The functions in the table of a module, by their places. Only lists of functions for the first table are known. */
export function tableEntries(module, { content }) {
  const entries = new Map();
  let [count, at] = readNumber(module, content);
  for (; count > 0; count--) {
    if (module[at] !== 0 || module[at + 1] !== 0x41) throw new Error("a list of table entries that is not a plain one");
    let [place, end] = readNumber(module, at + 2);
    let [length, entry] = readNumber(module, end + 1);
    for (let index; length > 0; length--) {
      [index, entry] = readNumber(module, entry);
      entries.set(place++, index);
    }
    at = entry;
  }
  return entries;
}

/** The pieces of data of a module: the `address` of each, and its `bytes`. */
export function dataPieces(module, { content }) {
  const pieces = [];
  let [count, at] = readNumber(module, content);
  for (; count > 0; count--) {
    if (module[at] !== 0 || module[at + 1] !== 0x41) throw new Error("a piece of data that is not a plain one");
    const [address, end] = readNumber(module, at + 2);
    const [length, start] = readNumber(module, end + 1);
    at = start + length;
    pieces.push({ address, start, bytes: module.subarray(start, at) });
  }
  return pieces;
}
