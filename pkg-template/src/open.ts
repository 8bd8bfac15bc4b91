/** Opening a memory. */
import { engineConfiguration, type AutoStorage, type WorkerChoice } from "./configuration.js";
import { askingFor, remembering } from "./encryption.js";
import { InvalidInputError, LockedError } from "./errors.js";
import { instances, type Instance, type LoadModule } from "./instance.js";
import { Memory } from "./memory.js";
import type { MemoryOptions, OpenMemory } from "./options.js";
import { openFirst } from "./safekeeping/opening.js";
import type { ProfileSchemas } from "./schema.js";
import type { StartWorker } from "./worker/remote.js";

/** What differs between runtimes. */
export interface Runtime {
  /** Finds and compiles the WebAssembly modules. */
  readonly loadModule: LoadModule;
  /** The storages of `"auto"`; none when this is missing. */
  readonly autoStorage?: AutoStorage | undefined;
  /** Starts the worker of `worker: true` and `worker: "shared"`; they are refused when this is missing. */
  readonly startWorker?: StartWorker | undefined;
}

/** `openMemory` for a runtime. Nothing is loaded before its first call; all its memories share one instance. */
export function opener(runtime: Runtime): OpenMemory {
  const here = instances(runtime.loadModule);
  return async <const Schemas extends ProfileSchemas = {}>(options: MemoryOptions<Schemas>): Promise<Memory<Schemas>> => {
    const configuration = engineConfiguration(options, runtime.autoStorage);
    const { engine, worker } = configuration;
    const instance = worker === undefined ? here : await elsewhere(worker, runtime.startWorker);
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

/** How to have an instance in a worker. */
async function elsewhere(worker: WorkerChoice, start: StartWorker | undefined): Promise<() => Instance> {
  if (typeof Worker === "undefined" || (typeof worker === "string" && start === undefined)) {
    throw new InvalidInputError(
      typeof Worker === "undefined"
        ? "options.worker: there are no web workers here; leave it out"
        : "options.worker: this entry has no worker of its own; pass a function that starts one with serveMemories() of mnemic/worker",
    );
  }
  const { instanceIn, instanceOf } = await import("./worker/remote.js");
  const instance = typeof worker === "function" || start === undefined ? instanceIn(worker as () => unknown) : instanceOf(worker, start);
  return () => instance;
}
