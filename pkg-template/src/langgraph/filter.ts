/** Filters by the names of properties, as LangGraph has them. */
import type { Filter } from "../types.js";

/** A filter on properties: their names are taken as they are, and are no paths. What is to be undefined is not there. */
export function onProperties(filter: Readonly<Record<string, unknown>>, above = ""): Filter {
  const path = (name: string): string => above + (name.startsWith("$") ? name : name.replaceAll(/[.[\\]/g, "\\$&"));
  // Left out, as JSON leaves it out, it would be met by all.
  const conditions = Object.entries(filter).map(([name, condition]) => [path(name), condition === undefined ? { $exists: false } : condition]);
  return Object.fromEntries(conditions);
}
