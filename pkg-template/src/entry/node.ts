/** The entry of Node: the modules are read from beside the package. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ModuleFile } from "../instance.js";
import type { MoveMemory } from "../move.js";
import { mover, opener, type Runtime } from "../open.js";
import type { OpenMemory } from "../options.js";

export * from "../index.js";

const runtime: Runtime = { loadModule: async (file) => WebAssembly.compile(await read(file)) };

/** Opens a memory; see the browser's entry. `storage` must be given. */
export const openMemory: OpenMemory = opener(runtime);

/** Moves a memory from one storage object to another; see the browser's entry. */
export const moveMemory: MoveMemory = mover(runtime);

/** Written out, for tools that copy what a server reads; and not as a URL relative to this script, of which bundlers make one on the web. */
const BESIDE: Record<ModuleFile, () => Promise<Uint8Array<ArrayBuffer>>> = {
  "mnemic_bg.wasm": () => readFile(fileURLToPath(import.meta.url + "/../../mnemic_bg.wasm")),
  "mnemic_encryption.wasm": () => readFile(fileURLToPath(import.meta.url + "/../../mnemic_encryption.wasm")),
  "mnemic_folding.wasm": () => readFile(fileURLToPath(import.meta.url + "/../../mnemic_folding.wasm")),
  "mnemic_rules.wasm": () => readFile(fileURLToPath(import.meta.url + "/../../mnemic_rules.wasm")),
  "mnemic_search.wasm": () => readFile(fileURLToPath(import.meta.url + "/../../mnemic_search.wasm")),
  "mnemic_systems.wasm": () => readFile(fileURLToPath(import.meta.url + "/../../mnemic_systems.wasm")),
};

/** A module from beside this script or, where a bundler has moved the script away from it, from the package that is installed. */
async function read(file: ModuleFile): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await BESIDE[file]();
  } catch (cause) {
    try {
      return await readFile(createRequire(join(process.cwd(), "package.json")).resolve(`mnemic/${file}`));
    } catch {
      const cure = 'import from "mnemic/inline", or leave mnemic out of the bundle';
      throw new Error(`it is neither beside the code nor in node_modules of ${process.cwd()}; ${cure}`, { cause });
    }
  }
}
