/** The entry of browsers, workers and bundlers: the modules are fetched from beside the package. */
import type { ModuleFile } from "../instance.js";
import { opener } from "../open.js";
import type { OpenMemory } from "../options.js";
import { browserStorage } from "../storage.js";

export * from "../index.js";

/**
 * Opens a memory.
 *
 * @throws InvalidInputError when an option is unknown, wrong or missing.
 * @throws InvalidSchemaError when a profile's schema cannot be used.
 * @throws LockedError or WrongKeyError when the memory is encrypted, and the key for it is missing or another.
 * @throws StorageError, CorruptError or UnsupportedVersionError when the stored memory cannot be opened.
 *
 * @example
 * ```ts
 * import { openMemory } from "mnemic";
 *
 * const memory = await openMemory({
 *   name: "my-chat",
 *   storage: "memory", // leave it out in browsers: IndexedDB
 *   profiles: {
 *     "user-profile": { type: "object", properties: { name: { type: "string" }, language: { enum: ["de", "en"] } } },
 *   },
 * });
 * const user = memory.scope({ userId: "alice" });
 * await user.remember({ role: "user", content: "My name is Alice and I cook for two." }, { threadId: "monday" });
 * const { text } = await user.recall("what should I cook?");
 * console.log(text); // goes into the prompt
 * await memory.close();
 * ```
 */
export const openMemory: OpenMemory = opener({ loadModule, autoStorage: browserStorage });

/** Written out, so that bundlers see which files there are. */
const URLS: Record<ModuleFile, () => URL> = {
  "mnemic_bg.wasm": () => new URL("../mnemic_bg.wasm", import.meta.url),
  "mnemic_encryption.wasm": () => new URL("../mnemic_encryption.wasm", import.meta.url),
  "mnemic_folding.wasm": () => new URL("../mnemic_folding.wasm", import.meta.url),
  "mnemic_rules.wasm": () => new URL("../mnemic_rules.wasm", import.meta.url),
  "mnemic_systems.wasm": () => new URL("../mnemic_systems.wasm", import.meta.url),
};

async function loadModule(file: ModuleFile): Promise<WebAssembly.Module> {
  const url = URLS[file]();
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.href} answered ${response.status} ${response.statusText}`);
  const type = response.headers.get("content-type") ?? "";
  if (type.startsWith("text/html")) {
    throw new Error(`${url.href} is a page, not the module; with an older Vite, set optimizeDeps.exclude to ["mnemic"]`);
  }
  // Streaming needs the right MIME type, which not every server sends.
  return type === "application/wasm" && "compileStreaming" in WebAssembly
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}
