/** The entry of an app's own worker script, for functions that must be where the engine is. */
import type { LoadModule } from "../instance.js";
import { loadModule } from "../modules.js";
import { serveWith, type ModelOptions } from "./serve.js";

export type { LoadModule, ModuleFile } from "../instance.js";
export type { Embedder, Llm, LlmRequest, Vector } from "../models.js";
export type { ModelOptions } from "./serve.js";

/** Options of `serveMemories`. */
export interface ServeOptions extends ModelOptions {
  /** Finds and compiles the WebAssembly modules. Default: they are fetched from beside the package. */
  readonly loadModule?: LoadModule | undefined;
}

/**
 * Makes this worker run the engine for pages that open a memory with `worker: () => new Worker(...)`. Call it once, before the script
 * waits for anything.
 *
 * @example
 * ```ts no-run
 * // memory-worker.js
 * import { serveMemories } from "mnemic/worker";
 *
 * serveMemories({ countTokens: (text) => Math.ceil(text.length / 4) });
 *
 * // In the page:
 * // openMemory({ name: "chat", worker: () => new Worker(new URL("./memory-worker.js", import.meta.url), { type: "module" }) })
 * ```
 */
export function serveMemories({ loadModule: load = loadModule, ...models }: ServeOptions = {}): void {
  serveWith(load, models);
}
