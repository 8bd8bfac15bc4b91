/** Filters by the names of properties, as LangGraph has them. */
import type { Filter } from "../types.js";

/** A filter on properties: their names are taken as they are, and are no paths. */
export function onProperties(filter: Readonly<Record<string, unknown>>, above = ""): Filter {
  const conditions = Object.entries(filter).map(([name, condition]) => [above + (name.startsWith("$") ? name : name.replaceAll(/[.[\\]/g, "\\$&")), condition]);
  return Object.fromEntries(conditions);
}
