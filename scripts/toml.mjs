/** The small part of TOML that wasm-pack.toml uses: tables of strings, whole numbers and lists of them on one line. */

/** @returns {Record<string, Record<string, string | number | string[] | number[]>>} */
export function parseToml(text) {
  const tables = {};
  let table;
  for (const [index, line] of text.split("\n").entries()) {
    const content = line.trim();
    if (content === "" || content.startsWith("#")) continue;
    const header = /^\[([\w-]+)\]$/.exec(content);
    const pair = /^("[^"]+"|[\w-]+)\s*=\s*(.+)$/.exec(content);
    if (header) table = tables[header[1]] = {};
    else if (pair && table) table[pair[1].replaceAll('"', "")] = value(pair[2], index + 1);
    else throw new Error(`wasm-pack.toml, line ${index + 1}: neither [table] nor key = value`);
  }
  return tables;
}

function value(text, line) {
  try {
    return JSON.parse(text.replaceAll(/(?<=\d)_(?=\d)/g, ""));
  } catch {
    throw new Error(`wasm-pack.toml, line ${line}: ${text} is not a string, a whole number or a list of them`);
  }
}
