import type { ModuleFile } from "../instance.js";

/** The modules of the engine, each a script of its own that the build writes: compressed by gzip, as base64. */
export declare const modules: Record<ModuleFile, () => Promise<{ default: string }>>;
