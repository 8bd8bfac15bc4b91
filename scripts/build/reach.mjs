/** What a script reaches: itself, and what it and those import, in any of the ways there are. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The ways, as text: `from`, `import`, `import(`, and `new URL(` as for a worker; then the relative path of a script. */
const REFERENCE = /\b(?:from|import|import\(|new URL\()\s*"(\.{1,2}\/[^"]+\.m?js)"/g;

/** The scripts that a script refers to, by expressions of which the first group is a relative path. */
export function references(script, ways = REFERENCE) {
  return [...readFileSync(script, "utf8").matchAll(ways)].map(([, path]) => join(dirname(script), path));
}

/**
 * The files that a script may load, itself first; packages and files that are no scripts are left out.
 *
 * @param {string} script its path
 * @param {RegExp} ways how it refers to others
 * @throws when it names a file that does not exist
 */
export function reach(script, ways = REFERENCE) {
  const found = new Set([script]);
  // A set's iterator meets what is added on the way.
  for (const file of found) for (const other of references(file, ways)) found.add(other);
  return [...found];
}
