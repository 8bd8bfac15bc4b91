/**
 * A module as the linker wrote it with `--emit-relocs`: who refers to whom. Functions call one another, take one another's
 * places in the table, and read data; data holds addresses of data and places of functions. All of it is in the list of places
 * that the linker filled in, so nothing has to be guessed.
 */
import { functionBodies, functionNames, dataPieces, imports, readNumber, readText, SECTION, sections, tableEntries } from "./bytes.mjs";

const FUNCTION = 0;
const DATA = 1;
const UNDEFINED = 0x10;
const NAMED = 0x40;
/** Kinds of places that hold an addend behind the symbol: addresses in memory, in functions, in sections. */
const WITH_ADDEND = new Set([3, 4, 5, 8, 9, 11, 14, 15, 16, 17, 21, 22, 23]);
/** Kinds of places that name a type, a global or a table, which are the same in all parts. */
const SHARED = new Set([6, 7, 13, 20]);

/**
 * The functions and data of a module: of each its `name`, whether it `isFunction`, which others it `uses` (by their places in the
 * list); of data from which address to which it lies. `slots` are the functions in the table by their places there,
 * `roots` those that JavaScript calls.
 */
export function readLinked(module) {
  const parts = [...sections(module)];
  const find = (id, name) => parts.find((part) => part.id === id && part.name === name);
  const names = functionNames(module, find(SECTION.custom, "name"));
  const imported = imports(module, find(SECTION.import)).length;
  const code = find(SECTION.code);
  const items = [...functionBodies(module, code)].map((body, index) => {
    const end = body.byteOffset + body.length - module.byteOffset;
    return { name: names.get(imported + index), isFunction: true, end, uses: new Set() };
  });
  const functions = items.length;
  const pieces = dataPieces(module, find(SECTION.data));
  const symbols = symbolTable(module, find(SECTION.custom, "linking")).map((symbol) => {
    if (symbol.kind === FUNCTION) return symbol.index >= imported ? symbol.index - imported : undefined;
    if (symbol.kind !== DATA || symbol.piece === undefined) return undefined;
    const { address, start } = pieces[symbol.piece];
    const from = address + symbol.offset;
    return items.push({ name: symbol.name, isFunction: false, from, to: from + symbol.size, at: start + symbol.offset, uses: new Set() }) - 1;
  });
  const use = (item, { kind, symbol }) => {
    if (!SHARED.has(kind) && symbols[symbol] !== undefined) item.uses.add(symbols[symbol]);
  };
  let current = 0;
  for (const place of filledPlaces(module, find(SECTION.custom, "reloc.CODE"))) {
    while (code.content + place.offset >= items[current].end) current++;
    use(items[current], place);
  }
  const data = find(SECTION.data);
  for (const place of filledPlaces(module, find(SECTION.custom, "reloc.DATA"))) {
    const at = data.content + place.offset;
    const around = items.slice(functions).filter((item) => item.at <= at && at < item.at + item.to - item.from);
    if (around.length === 0) throw new Error(`data that nobody owns refers to something, ${place.offset} bytes into the section`);
    for (const item of around) use(item, place);
  }
  const table = tableEntries(module, find(SECTION.element));
  const slots = new Map([...table].map(([slot, index]) => [slot, index - imported]));
  return { items, slots, roots: exportedFunctions(module, find(SECTION.export)).map((index) => index - imported) };
}

/** The symbols in their order: functions by their index, data by its piece, offset and size. */
function symbolTable(module, { content, end }) {
  const symbols = [];
  let [, at] = readNumber(module, content);
  while (at < end) {
    const id = module[at];
    const [length, start] = readNumber(module, at + 1);
    at = start + length;
    if (id !== 8) continue;
    let [count, entry] = readNumber(module, start);
    for (; count > 0; count--) {
      const symbol = { kind: module[entry] };
      let flags;
      [flags, entry] = readNumber(module, entry + 1);
      if (symbol.kind === DATA) {
        [symbol.name, entry] = readText(module, entry);
        if ((flags & UNDEFINED) === 0) {
          [symbol.piece, entry] = readNumber(module, entry);
          [symbol.offset, entry] = readNumber(module, entry);
          [symbol.size, entry] = readNumber(module, entry);
        }
      } else {
        [symbol.index, entry] = readNumber(module, entry);
        const isNamed = symbol.kind !== 3 && ((flags & UNDEFINED) === 0 || (flags & NAMED) !== 0);
        if (isNamed) [symbol.name, entry] = readText(module, entry);
      }
      symbols.push(symbol);
    }
  }
  return symbols;
}

/** The places of a section that the linker filled in: what kind each is, where, and with which symbol. */
function* filledPlaces(module, { content }) {
  let [, at] = readNumber(module, content);
  let count;
  [count, at] = readNumber(module, at);
  for (; count > 0; count--) {
    const kind = module[at];
    let offset, symbol;
    [offset, at] = readNumber(module, at + 1);
    [symbol, at] = readNumber(module, at);
    if (WITH_ADDEND.has(kind)) [, at] = readNumber(module, at);
    yield { kind, offset, symbol };
  }
}

/** The indexes of the functions that JavaScript calls. */
function exportedFunctions(module, { content }) {
  const found = [];
  let [count, at] = readNumber(module, content);
  for (let name, index; count > 0; count--) {
    [name, at] = readText(module, at);
    const kind = module[at];
    [index, at] = readNumber(module, at + 1);
    // What describes types to the bindings' tool is not there any more when the module is done.
    if (kind === 0 && !name.startsWith("__wbindgen_describe")) found.push(index);
  }
  return found;
}
