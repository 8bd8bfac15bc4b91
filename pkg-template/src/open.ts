/** Opening a memory. */
import { engineConfiguration, type AutoStorage, type Configuration, type WorkerChoice } from "./configuration.js";
import { askingFor, remembering } from "./encryption.js";
import { InvalidInputError, LockedError } from "./errors.js";
import { instances, type LoadModule } from "./instance.js";
import { holdOpen } from "./lock.js";
import { Memory } from "./memory.js";
import type { MoveMemory } from "./move.js";
import type { MemoryOptions, OpenMemory } from "./options.js";
import { refused, shown } from "./plain.js";
import { openFirst, type Opened, type OpenFiles } from "./safekeeping/opening.js";
import { named, placed } from "./safekeeping/placing.js";
import type { ProfileSchemas } from "./schema.js";
import { begun, callSpan, newSpan } from "./spans.js";
import type { RemoteInstance, StartWorker } from "./worker/remote.js";

/** What differs between runtimes. */
export interface Runtime {
  /** Finds and compiles the WebAssembly modules. */
  readonly loadModule: LoadModule;
  /** The storages of `"auto"`; none when this is missing. */
  readonly autoStorage?: AutoStorage | undefined;
  /** @internal Opens the storage `"opfs"`; it is refused when this is missing. */
  readonly openFiles?: OpenFiles | undefined;
  /** @internal How the option `worker` is carried out; it is refused when this is missing. */
  readonly workers?: Workers | undefined;
}

/** @internal The workers of a runtime. */
export interface Workers {
  /** Loads what speaks to a worker. */
  load(): Promise<typeof import("./worker/remote.js")>;
  /** Starts the package's own worker; without it, only those that an app starts are used. */
  readonly start?: StartWorker | undefined;
}

/** `openMemory` for a runtime. Nothing is loaded before its first call; all its memories share one instance. */
export function opener(runtime: Runtime): OpenMemory {
  const here = instances(runtime.loadModule);
  return async <const Schemas extends ProfileSchemas = {}>(options: MemoryOptions<Schemas>): Promise<Memory<Schemas>> => {
    const start = begun();
    const given = engineConfiguration(options, runtime.autoStorage);
    const hold = given.storages.some(isShared) ? await holdOpen(given.engine.name) : undefined;
    // Nobody moves it between finding and opening it.
    const letGo = hold?.take();
    try {
      const configuration = { ...given, storages: await (given.isAuto ? placed : named)(given) };
      const { worker } = configuration;
      const instance = worker === undefined ? here : await elsewhere(worker, runtime.workers);
      const opened = await unlocked(configuration, () => {
        // The storage is opened while the engine is loaded.
        const starting = Promise.resolve(instance());
        starting.catch(() => {});
        return openFirst(starting, configuration, hold, runtime.openFiles);
      });
      const memory = new Memory<Schemas>(opened, configuration.engine.name);
      memory.backup.begin(memory.isLost);
      opened.connection.listeners.emitOrKeep("span", callSpan(newSpan(), "open", start));
      return memory;
    } finally {
      letGo?.();
    }
  };
}

/** What is opened. @throws LockedError, with what opens it, when that is encrypted and no key was given. */
async function unlocked({ engine }: Configuration, open: () => Promise<Opened>): Promise<Opened> {
  const finding = engine.encryptionKey && remembering(engine.encryptionKey);
  if (finding !== undefined) engine.encryptionKey = finding.find;
  try {
    return await open();
  } catch (error) {
    const failure = finding?.failure() ?? error;
    if (!(failure instanceof LockedError) || finding !== undefined) throw failure;
    // Without a key the engine does not look at what describes one: it is asked again, by who only wants to know.
    const asking = askingFor();
    engine.encryptionKey = asking.find;
    await open().catch(() => {});
    throw new LockedError(failure.message, { cause: failure, details: { by: asking.by() } });
  }
}

/** Whether others of the origin may come upon a memory there. */
const isShared = (storage: Configuration["storages"][number]): boolean => typeof storage === "string" && storage !== "memory";

/** `moveMemory` for a runtime. What does it is loaded then. */
export function mover(runtime: Runtime): MoveMemory {
  return async (name, options) => {
    const { move } = await import("./safekeeping/moving.js");
    return move(runtime, name, options);
  };
}

/** @internal How to have an instance in a worker. */
export async function elsewhere(worker: WorkerChoice, workers: Workers | undefined): Promise<() => RemoteInstance> {
  if (workers === undefined || typeof Worker === "undefined") {
    throw new InvalidInputError("options.worker: there are no web workers here; leave it out", { details: { path: "options.worker" } });
  }
  const { start } = workers;
  const { instanceIn, instanceOf } = await workers.load();
  if (typeof worker !== "function" && start === undefined) {
    throw refused("options.worker", shown(worker), "pass a function that starts a worker with serveMemories() of mnemic/worker");
  }
  const instance = typeof worker === "function" ? instanceIn(worker) : instanceOf(worker, start as StartWorker);
  return () => instance;
}
