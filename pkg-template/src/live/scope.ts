/** Which scope is meant. */
import type { ScopePairs } from "../types.js";

/** A scope as text: the order of its pairs does not matter. */
export function scopeKey(pairs: ScopePairs): string {
  return JSON.stringify(Object.entries(pairs).sort(([one], [other]) => (one < other ? -1 : 1)));
}
