/** The changes of one scope, as its memory tells of them. */
import type { ChangeEvent } from "../events.js";
import { scopeKey } from "../live/scope.js";
import type { Memory } from "../memory.js";
import type { ScopePairs } from "../types.js";

/** Calls back with every change of a scope, in this tab or another, until the answer is called. */
export function watch(memory: Memory, scope: ScopePairs, changed: (event: ChangeEvent) => void): () => void {
  const own = scopeKey(scope);
  return memory.on("change", (event) => {
    if (scopeKey(event.scope) === own) changed(event);
  });
}
