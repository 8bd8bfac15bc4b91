/** The changes of one scope, as its memory tells of them. */
import type { ChangeEvent } from "../events.js";
import type { Memory } from "../memory.js";
import type { ScopePairs } from "../types.js";

/** Calls back with every change of a scope, in this tab or another, until the answer is called. */
export function watch(memory: Memory, scope: ScopePairs, changed: (event: ChangeEvent) => void): () => void {
  const own = named(scope);
  return memory.on("change", (event) => {
    if (named(event.scope) === own) changed(event);
  });
}

function named(scope: ScopePairs): string {
  return JSON.stringify(Object.entries(scope).sort(([one], [other]) => (one < other ? -1 : 1)));
}
