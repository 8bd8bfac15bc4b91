/** The entry of Node: the modules are read from beside the package. */
import { readFile } from "node:fs/promises";
import { opener } from "../open.js";
import type { OpenMemory } from "../options.js";

export * from "../index.js";

/** Opens a memory; see the browser's entry. `storage` must be given. */
export const openMemory: OpenMemory = opener({
  loadModule: async (file) => WebAssembly.compile(await readFile(new URL(`../${file}`, import.meta.url))),
});
