/** Taking in the `memory.jsonl` of the reference server, once. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Imported } from "../../import/format.js";
import { missingEntity } from "../../mcp/missing.js";
import type { Scope } from "../../scope.js";

/** Where it is noted which files were read. */
const NOTES = ["mnemic-mcp", "imported"];

/**
 * Takes in a file, unless it was read before: what was deleted since must not come back. What is there already is not changed.
 *
 * @returns undefined when it was read before.
 * @throws Error when it cannot be read.
 */
export async function takeIn(user: Scope, path: string, allowsMissing: boolean): Promise<Imported | undefined> {
  const absolute = resolve(path);
  const key = createHash("sha256").update(absolute).digest("hex");
  if ((await user.documents.get(NOTES, key)) !== null) return undefined;
  const text = await readFile(absolute, "utf8");
  const imported = await user.import(allowsMissing ? `${text}\n${missingLines(text)}` : text, { format: "memory.jsonl" });
  await user.documents.put(NOTES, key, { path: absolute, at: new Date().toISOString() }, { index: false, ttlMs: false });
  return imported;
}

/** Lines for the entities that only relations name. */
function missingLines(text: string): string {
  const named = new Set<unknown>();
  const known = new Set<unknown>();
  for (const line of text.split("\n")) {
    const { type, name, from, to } = parsed(line);
    if (type === "entity") known.add(name);
    else if (type === "relation") named.add(from).add(to);
  }
  const missing = [...named].filter((name) => typeof name === "string" && !known.has(name)) as string[];
  return missing.map((name) => JSON.stringify({ type: "entity", ...missingEntity(name) })).join("\n");
}

function parsed(line: string): { [name: string]: unknown } {
  try {
    return Object(JSON.parse(line)) as { [name: string]: unknown };
  } catch {
    // The import says what is wrong with it.
    return {};
  }
}
