/** The entry of Cloudflare Workers: the modules are compiled when the Worker is uploaded. */
import first from "../mnemic_bg.wasm";
import encryption from "../mnemic_encryption.wasm";
import folding from "../mnemic_folding.wasm";
import rules from "../mnemic_rules.wasm";
import search from "../mnemic_search.wasm";
import systems from "../mnemic_systems.wasm";
import type { ModuleFile } from "../instance.js";
import type { MoveMemory } from "../move.js";
import { mover, opener, type Runtime } from "../open.js";
import type { OpenMemory } from "../options.js";

export * from "../index.js";

const runtime: Runtime = { loadModule: (file) => MODULES[file] };

/** Opens a memory; see the browser's entry. `storage` must be given. */
export const openMemory: OpenMemory = opener(runtime);

/** Moves a memory from one storage object to another; see the browser's entry. */
export const moveMemory: MoveMemory = mover(runtime);

const MODULES: Record<ModuleFile, WebAssembly.Module> = {
  "mnemic_bg.wasm": first,
  "mnemic_encryption.wasm": encryption,
  "mnemic_folding.wasm": folding,
  "mnemic_rules.wasm": rules,
  "mnemic_search.wasm": search,
  "mnemic_systems.wasm": systems,
};
