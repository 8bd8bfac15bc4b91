/** The entry that loads nothing: for libraries, and for runtimes that find the module in their own way. */
export * from "./index.js";
export type { AutoStorage } from "./configuration.js";
export type { LoadModule, ModuleFile } from "./instance.js";
export type { Runtime } from "./open.js";
export { browserStorage } from "./storage.js";

/**
 * Makes an `openMemory` that takes the WebAssembly modules from you. `mnemic/mnemic_bg.wasm` is asked for first, the others when
 * they are needed.
 *
 * @example
 * ```ts
 * import { readFile } from "node:fs/promises";
 * import { createRequire } from "node:module";
 * import { opener } from "mnemic/slim";
 *
 * const { resolve } = createRequire(import.meta.url);
 * const openMemory = opener({
 *   loadModule: async (file) => WebAssembly.compile(await readFile(resolve(`mnemic/${file}`))),
 * });
 * const memory = await openMemory({ name: "chat", storage: "memory" });
 * await memory.close();
 * ```
 */
export { opener } from "./open.js";
/** Makes a `moveMemory` in the same way. */
export { mover } from "./open.js";
