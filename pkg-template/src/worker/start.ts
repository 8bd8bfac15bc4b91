/** Starts the package's own worker, in the words that bundlers look for. */
import type { AnyWorker } from "./link.js";
import { PROTOCOL } from "./protocol.js";
import type { WorkerKind } from "./remote.js";

/** Starts it; where there are no shared workers, one of this page alone. */
export function startWorker(kind: WorkerKind): AnyWorker {
  return kind === "shared" && typeof SharedWorker !== "undefined"
    ? new SharedWorker(new URL("./script.js", import.meta.url), { type: "module", name: `mnemic-${PROTOCOL}` })
    : new Worker(new URL("./script.js", import.meta.url), { type: "module" });
}
