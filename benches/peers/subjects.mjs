/** Those that are measured, mnemic first. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const NAMES = ["mnemic", "scan", "edgevec", "hnswlib", "mememo", "orama", "sqlite-vec", "voy", "entity-db", "minisearch", "langgraph", "mem0", "server-memory"];

/** The subjects by the names of their modules. */
export const subjects = await Promise.all(
  NAMES.map(async (id) => ({ id, ...(await import(`./subjects/${id}.mjs`)).default })),
);

/** The version of a subject's package; null for what is no package. */
export function versionOf({ package: name }) {
  if (name === undefined) return null;
  return JSON.parse(readFileSync(join(import.meta.dirname, "package.json"), "utf8")).dependencies[name];
}

/** Those that take part in an axis at a place, `"node"` or `"page"`, with so many items. */
export function taking(axis, place, count) {
  const excluded = place === "node" ? "onlyPage" : "onlyNode";
  return subjects.filter((subject) => subject[axis] !== undefined && subject[excluded] === undefined && count <= (subject[axis].most?.[place] ?? Infinity));
}
