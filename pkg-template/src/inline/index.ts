/** The entry whose modules are scripts: for bundlers that copy no other files. */
import type { ModuleFile } from "../instance.js";
import type { MoveMemory } from "../move.js";
import { mover, opener, type Runtime, type Workers } from "../open.js";
import type { OpenMemory } from "../options.js";
import { browserStorage } from "../storage.js";
import { modules } from "./modules.js";

export * from "../index.js";

// A script of its own for the worker is what these bundlers do not make.
const workers: Workers = { load: () => import("../worker/remote.js") };

const runtime: Runtime = { loadModule, autoStorage: browserStorage, workers };

/**
 * Opens a memory, with modules that came as text in scripts; see the entry `mnemic`.
 *
 * This is for bundlers that do not copy the `.wasm` files, such as esbuild and Rollup. Compressed by the server it weighs as much as they
 * do, and a part is still loaded when it is first needed if the bundler splits its output. Cloudflare's Workers compile no bytes: take
 * `mnemic` there. The option `worker` takes a function that starts your worker; its script passes `loadModule` to `serveMemories`.
 *
 * @example
 * ```ts
 * import { openMemory } from "mnemic/inline";
 *
 * const memory = await openMemory({ name: "inlined", storage: "memory" });
 * await memory.close();
 * ```
 */
export const openMemory: OpenMemory = opener(runtime);

/** Moves a memory from one storage to another; see the entry `mnemic`. */
export const moveMemory: MoveMemory = mover(runtime);

/** Compiles a module from its text. */
export async function loadModule(file: ModuleFile): Promise<WebAssembly.Module> {
  const { default: text } = await modules[file]();
  const compressed = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const bytes = new Blob([compressed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(bytes).arrayBuffer());
}
