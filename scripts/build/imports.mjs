/**
 * What a page loads, at once: a browser learns what a module imports when it has arrived, so what is six imports deep would take seven
 * trips to the server. Whatever a page or a worker begins with therefore names all that it leads to.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { reach, references } from "./reach.mjs";

/** Imports that belong to a module, and what it loads later by itself, with the relative path of a script. */
const IMPORT = /(?:\bfrom|^import)\s*"(\.{1,2}\/[^"]+\.js)"/gm;
const LATER = /(?:\bimport\(|\bnew URL\()\s*"(\.{1,2}\/[^"]+\.js)"/g;

/**
 * Adds to a module, and to those that it or they load later, imports of all that comes with them. What is run first stays the same.
 * Written as exports of nothing, because bundlers warn of imports of nothing.
 */
export function nameImports(entry) {
  const begun = new Set([entry]);
  for (const module of begun) {
    const all = reach(module, IMPORT);
    for (const later of all.flatMap((file) => references(file, LATER))) begun.add(later);
    const direct = [module, ...references(module, IMPORT)];
    const rest = all.filter((file) => !direct.includes(file)).map((file) => `export {} from "${pathFrom(module, file)}";\n`);
    if (rest.length > 0) writeFileSync(module, `${readFileSync(module, "utf8").trimEnd()}\n${rest.join("")}`);
  }
}

function pathFrom(module, file) {
  const path = relative(dirname(module), file).replaceAll("\\", "/");
  return path.startsWith(".") ? path : `./${path}`;
}
