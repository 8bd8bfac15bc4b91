/** The entry of Cloudflare Workers: the module is compiled when the Worker is uploaded. */
import module from "../mnemic_bg.wasm";
import { opener } from "../open.js";
import type { OpenMemory } from "../options.js";

export * from "../index.js";

/** Opens a memory; see the browser's entry. `storage` must be given. */
export const openMemory: OpenMemory = opener({ loadModule: () => module });
