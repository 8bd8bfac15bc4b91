/** Opening a memory. */
import { engineConfiguration, type AutoStorage } from "./configuration.js";
import { askingFor, remembering } from "./encryption.js";
import { LockedError } from "./errors.js";
import { instances, type LoadModule } from "./instance.js";
import { Memory } from "./memory.js";
import type { MemoryOptions, OpenMemory } from "./options.js";
import { openFirst } from "./safekeeping/opening.js";
import type { ProfileSchemas } from "./schema.js";

/** What differs between runtimes. */
export interface Runtime {
  /** Finds and compiles the WebAssembly modules. */
  readonly loadModule: LoadModule;
  /** The storages of `"auto"`; none when this is missing. */
  readonly autoStorage?: AutoStorage | undefined;
}

/** `openMemory` for a runtime. Nothing is loaded before its first call; all its memories share one instance. */
export function opener(runtime: Runtime): OpenMemory {
  const instance = instances(runtime.loadModule);
  return async <const Schemas extends ProfileSchemas = {}>(options: MemoryOptions<Schemas>): Promise<Memory<Schemas>> => {
    const configuration = engineConfiguration(options, runtime.autoStorage);
    const { engine } = configuration;
    const finding = engine.encryptionKey && remembering(engine.encryptionKey);
    if (finding !== undefined) engine.encryptionKey = finding.find;
    try {
      const memory = new Memory<Schemas>(await openFirst(await instance(), configuration), engine.name);
      memory.backup.begin(memory.isLost);
      return memory;
    } catch (error) {
      const failure = finding?.failure() ?? error;
      if (!(failure instanceof LockedError) || finding !== undefined) throw failure;
      // Without a key the engine does not look at what describes one: it is asked again, by who only wants to know.
      const asking = askingFor();
      engine.encryptionKey = asking.find;
      await openFirst(await instance(), configuration).catch(() => {});
      throw new LockedError(failure.message, { cause: failure, details: { by: asking.by() } });
    }
  };
}
