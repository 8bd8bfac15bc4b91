/** Opening a memory. */
import { engineConfiguration, type AutoStorage } from "./configuration.js";
import { Connection } from "./connection.js";
import { instances, type LoadModule } from "./instance.js";
import { holdAlone } from "./lock.js";
import { Memory } from "./memory.js";
import type { MemoryOptions, OpenMemory } from "./options.js";
import type { ProfileSchemas } from "./schema.js";
import type { StorageKind } from "./storage.js";

/** What differs between runtimes. */
export interface Runtime {
  /** Finds and compiles the WebAssembly modules. */
  readonly loadModule: LoadModule;
  /** The storage of `"auto"`; undefined when there is none. */
  readonly autoStorage?: AutoStorage | undefined;
}

/** `openMemory` for a runtime. Nothing is loaded before its first call; all its memories share one instance. */
export function opener(runtime: Runtime): OpenMemory {
  const instance = instances(runtime.loadModule);
  return async <const Schemas extends ProfileSchemas = {}>(options: MemoryOptions<Schemas>): Promise<Memory<Schemas>> => {
    const configuration = engineConfiguration(options, runtime.autoStorage);
    const { storage, name } = configuration;
    const kindOfStorage: StorageKind = typeof storage === "string" ? storage : "object";
    const isShared = storage === "indexeddb" || storage === "localstorage";
    const release = storage === "localstorage" ? await holdAlone(name) : undefined;
    try {
      const connection = await Connection.open(await instance(), configuration, isShared ? name : undefined, release);
      return new Memory(connection, kindOfStorage);
    } catch (error) {
      release?.();
      throw error;
    }
  };
}
