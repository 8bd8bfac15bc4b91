/** The entry that loads nothing: for libraries, and for runtimes that find the module in their own way. */
export * from "../index.js";
export type { AutoStorage } from "../configuration.js";
export type { LoadModule } from "../instance.js";
export type { Runtime } from "../open.js";
export { browserStorage } from "../storage.js";

/**
 * Makes an `openMemory` that takes the WebAssembly module from you; it is `mnemic/mnemic_bg.wasm`.
 *
 * @example
 * ```ts
 * import { readFile } from "node:fs/promises";
 * import { createRequire } from "node:module";
 * import { opener } from "mnemic/slim";
 *
 * const path = createRequire(import.meta.url).resolve("mnemic/mnemic_bg.wasm");
 * const openMemory = opener({ loadModule: async () => WebAssembly.compile(await readFile(path)) });
 * const memory = await openMemory({ name: "chat", storage: "memory" });
 * await memory.close();
 * ```
 */
export { opener } from "../open.js";
