/** The engine's modules as pages and workers find them: fetched from beside the package. */
import type { ModuleFile } from "./instance.js";

/** Written out, so that bundlers see which files there are. */
const URLS: Record<ModuleFile, () => URL> = {
  "mnemic_bg.wasm": () => new URL("./mnemic_bg.wasm", import.meta.url),
  "mnemic_encryption.wasm": () => new URL("./mnemic_encryption.wasm", import.meta.url),
  "mnemic_folding.wasm": () => new URL("./mnemic_folding.wasm", import.meta.url),
  "mnemic_rules.wasm": () => new URL("./mnemic_rules.wasm", import.meta.url),
  "mnemic_search.wasm": () => new URL("./mnemic_search.wasm", import.meta.url),
  "mnemic_systems.wasm": () => new URL("./mnemic_systems.wasm", import.meta.url),
};

/** Fetches and compiles a module. */
export async function loadModule(file: ModuleFile): Promise<WebAssembly.Module> {
  const found = String(URLS[file]());
  // Turbopack knows the path alone, and starts workers from a blob, in which a path leads nowhere.
  const url = found.startsWith("/") ? new URL(found, location.origin) : new URL(found);
  const response = await fetch(url);
  if (!response.ok) {
    throw new Error(`${url.href} answered ${response.status} ${response.statusText}; if a bundler left the module behind, import mnemic/inline instead`);
  }
  const type = response.headers.get("content-type") ?? "";
  if (type.startsWith("text/html")) {
    throw new Error(`${url.href} is a page, not the module; with an older Vite, set optimizeDeps.exclude to ["mnemic"]`);
  }
  // Streaming needs the right MIME type, which not every server sends.
  return type === "application/wasm" && "compileStreaming" in WebAssembly && !isWorkerOfFirefox()
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

/**
 * Whether this is a worker of Firefox. Once one has ended while it compiled a module that was arriving, Firefox 140 compiles nothing any
 * more for the next, and opening a memory would hang.
 */
const isWorkerOfFirefox = (): boolean => typeof window === "undefined" && navigator.userAgent.includes("Firefox");
