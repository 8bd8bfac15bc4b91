/** Instances of the engine's WebAssembly module: one for all small memories, and a fresh one after a trap or when all is closed. */
import { ClosedError, CrashedError, LoadError, type MnemicError } from "./errors.js";
import { inTime } from "./in-time.js";
import { createGlue, type Engine, type EngineConfiguration, type StorageAddress, type StorageHandle } from "./mnemic.js";

/** The files of the engine: what it begins with, and what follows when it is first needed. */
export type ModuleFile = "mnemic_bg.wasm" | `mnemic_${PartName}.wasm`;

/** A part that is loaded later. */
type PartName = "search" | "systems" | "rules" | "folding" | "encryption";

/** What a part calls beside the first, and is loaded after; `[needs]` in wasm-pack.toml. */
const NEEDED: { readonly [Part in PartName]?: PartName } = { systems: "search", rules: "search" };

/** Finds and compiles a file of the engine; each runtime has its own way. */
export type LoadModule = (file: ModuleFile) => WebAssembly.Module | Promise<WebAssembly.Module>;

/** A running instance. */
export interface Instance {
  /** Opens an engine in it. */
  open(configuration: EngineConfiguration): Promise<Engine>;
  /** Opens a storage of the browser. */
  openStorage(address: StorageAddress): Promise<StorageHandle>;
  /** Why it is dead; undefined while it lives. */
  readonly crash: MnemicError | undefined;
  /** Calls the listener when the instance dies; the answer takes it back. */
  onCrash(listener: (error: MnemicError) => void): () => void;
}

/** One that tells how large it is. */
interface Running extends Instance {
  /** The bytes of its WebAssembly memory, which grows and never shrinks. */
  readonly bytes: number;
}

/** How long a call waits for its part, with all calls that were made after it. */
const LOADING_MS = 30_000;

/**
 * An instance that has grown beyond this is left to the memories that are open in it. One costs about 1.5 MiB, and opening one again
 * some milliseconds, so that small memories share one.
 */
const SHARED_BYTES = 64 * 2 ** 20;

/**
 * Answers the instance for what is opened next, and loads one when there is none: at first, after a load that failed, after a trap,
 * when it has grown large, and when all that was open in it is closed. What is closed gives its memory back with its instance.
 */
export function instances(load: LoadModule): () => Promise<Instance> {
  const modules = new Map<ModuleFile, Promise<WebAssembly.Module>>();
  const loadOnce = (file: ModuleFile): Promise<WebAssembly.Module> => {
    const known = modules.get(file);
    if (known !== undefined) return known;
    const module = (async () => load(file))();
    modules.set(file, module);
    module.catch(() => modules.delete(file));
    return module;
  };
  let current: Promise<Running> | undefined;
  return async () => {
    const before = current;
    const there = await before?.catch(() => undefined);
    // Of several who saw it, one begins the next.
    if (current === before && there !== undefined && there.bytes > SHARED_BYTES) current = undefined;
    if (current === undefined) {
      const forget = (): void => {
        if (current === mine) current = undefined;
      };
      const mine: Promise<Running> = lent(() => start(loadOnce), forget);
      mine.then((instance) => instance.onCrash(forget), forget);
      current = mine;
    }
    return current;
  };
}

/**
 * An instance that lets go of itself when nothing is open in it any more: a closed memory may be held by its app for long. What is
 * opened in it after that runs in a fresh one.
 */
async function lent(begin: () => Promise<Running>, ended: () => void): Promise<Running> {
  const listeners = new Set<(error: MnemicError) => void>();
  let present: Running | undefined;
  const begun = async (): Promise<Running> => {
    const instance = await begin();
    instance.onCrash((error) => {
      // One that is left already has nobody to tell.
      if (present === instance) for (const listener of [...listeners]) listener(error);
    });
    return instance;
  };
  let running: Promise<Running> | undefined = begun();
  present = await running;
  let users = 0;
  const use = async <Used>(open: (instance: Running) => Promise<Used>, ending: (used: Used, end: () => void) => Used): Promise<Used> => {
    users += 1;
    const end = (): void => {
      users -= 1;
      if (users > 0) return;
      running = present = undefined;
      ended();
    };
    try {
      present = await (running ??= begun());
      return ending(await open(present), end);
    } catch (error) {
      // Whoever asks why it is dead asks this one.
      if (present?.crash === undefined) end();
      throw error;
    }
  };
  return {
    open: (configuration) => use((instance) => instance.open(configuration), engineUntil),
    openStorage: (address) => use((instance) => instance.openStorage(address), storageUntil),
    get crash() {
      return present?.crash;
    },
    get bytes() {
      return present?.bytes ?? 0;
    },
    onCrash(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** An engine that is not held any more once it is free. */
function engineUntil(engine: Engine, end: () => void): Engine {
  let held: Engine | undefined = engine;
  const there = (): Engine => {
    if (held === undefined) throw new ClosedError("the memory is closed; open it again with openMemory()");
    return held;
  };
  return {
    call: (...values) => there().call(...values),
    transfer: (...values) => there().transfer(...values),
    listen: (callback) => there().listen(callback),
    encrypt: (...values) => there().encrypt(...values),
    refresh: () => there().refresh(),
    close: () => there().close(),
    free() {
      there().free();
      held = undefined;
      end();
    },
  };
}

/** A storage that is not held any more once it is closed. */
function storageUntil(storage: StorageHandle, end: () => void): StorageHandle {
  let held: StorageHandle | undefined = storage;
  const there = (): StorageHandle => {
    if (held === undefined) throw new ClosedError("the storage is closed");
    return held;
  };
  return {
    read: (...values) => there().read(...values),
    write: (...values) => there().write(...values),
    close() {
      if (held === undefined) return;
      held.close();
      held = undefined;
      end();
    },
  };
}

async function start(load: LoadModule): Promise<Running> {
  const module = await loaded(load, "first", "mnemic_bg.wasm");
  const glue = createGlue();
  const imports = glue.imports();
  const listeners = new Set<(error: MnemicError) => void>();
  let crash: MnemicError | undefined;
  const instance = await WebAssembly.instantiate(module, imports);
  const exports = guarded(instance.exports, (cause) => {
    crash = new CrashedError(
      `the WebAssembly instance crashed (${String(cause)}); open the memory again. Nothing that was confirmed is lost`,
      { cause },
    );
    for (const listener of listeners) listener(crash);
    listeners.clear();
    closeDatabases(instance.exports["__wbindgen_externrefs"]);
    return crash;
  });
  glue.start({ exports }, module);
  const there = new Map<string, WebAssembly.Exports>([["first", instance.exports]]);
  const parts = new Map<PartName, Promise<void>>();
  const begun = (name: PartName): Promise<void> => {
    const known = parts.get(name);
    if (known !== undefined) return known;
    const needed = NEEDED[name];
    const files = [loaded(load, name, `mnemic_${name}.wasm`, module), needed === undefined ? undefined : begun(needed)] as const;
    const part = Promise.all(files).then(async ([part]) => {
      // It puts its functions and its data where the first module has left room for them.
      const { exports } = await WebAssembly.instantiate(part, { ...imports, ...Object.fromEntries(there) });
      there.set(name, exports);
    });
    parts.set(name, part);
    part.catch(() => parts.delete(name));
    return part;
  };
  const loadPart = (name: PartName): Promise<void> | undefined => {
    if (there.has(name)) return undefined;
    const file = `mnemic_${name}.wasm` as const;
    return inTime(begun(name), LOADING_MS, () => {
      const message = `the WebAssembly module ${file} was not there after ${LOADING_MS / 1000} s; call again, it is still being loaded`;
      return new LoadError(message, { details: { file } });
    });
  };
  return {
    async open(configuration) {
      const engine = await glue.Engine.open({ ...configuration, loadPart, hasPart: (name) => there.has(name) });
      // Nearly every app searches, and need not wait for it then. A call that needs what could not be loaded tries again.
      begun("search").catch(() => undefined);
      return engine;
    },
    openStorage: (address) => glue.StorageHandle.open(address),
    get crash() {
      return crash;
    },
    get bytes() {
      return (instance.exports["memory"] as WebAssembly.Memory).buffer.byteLength;
    },
    onCrash(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** A file of the engine, which must be the part that was asked for, and of the same build as the first. */
async function loaded(load: LoadModule, part: string, file: ModuleFile, first?: WebAssembly.Module): Promise<WebAssembly.Module> {
  let module;
  try {
    module = await load(file);
  } catch (cause) {
    throw new LoadError(`the WebAssembly module ${file} cannot be loaded: ${String(cause)}`, { cause, details: { file } });
  }
  const [name, build] = label(module);
  if (name !== part || (first !== undefined && build !== label(first)[1])) {
    const found = name === undefined ? "no module of mnemic" : name === part ? "of another build" : `the part "${name}"`;
    throw new LoadError(`what was loaded as ${file} is ${found}; serve the files of one version of mnemic, each by its name`, {
      details: { file },
    });
  }
  return module;
}

/** Which part a module is, and of which build. */
function label(module: WebAssembly.Module): string[] {
  const [bytes] = WebAssembly.Module.customSections(module, "part");
  return bytes === undefined ? [] : new TextDecoder().decode(bytes).split(" ");
}

/** Closes the databases that a dead instance holds: open ones keep others from deleting or upgrading them. */
function closeDatabases(held: unknown): void {
  if (typeof IDBDatabase === "undefined" || !(held instanceof WebAssembly.Table)) return;
  for (let index = 0; index < held.length; index += 1) {
    const object: unknown = held.get(index);
    if (object instanceof IDBDatabase) object.close();
  }
}

/** What exports for the later parts begin with. */
const SHARED = "$";

/** Exports that the runtime calls later by itself: closures and finalizers. Nobody is there to catch what they throw. */
const CALLED_LATER = /closures\w*invoke|destroy_closure|_free$/;

/**
 * The exports with a guard around each: whatever one throws has unwound the stack of the engine without its destructors, so
 * the instance cannot be trusted any more and is not entered again.
 */
function guarded(exports: WebAssembly.Exports, died: (cause: unknown) => MnemicError): WebAssembly.Exports {
  let death: MnemicError | undefined;
  const guard = (name: string, enter: (...values: unknown[]) => unknown) => {
    const late = CALLED_LATER.test(name);
    return (...values: unknown[]): unknown => {
      if (death === undefined) {
        try {
          return enter(...values);
        } catch (cause) {
          death = died(cause);
        }
      }
      if (late) return NOTHING;
      throw death;
    };
  };
  return Object.fromEntries(
    Object.entries(exports)
      .filter(([name]) => !name.startsWith(SHARED))
      .map(([name, value]) => [
        name,
        typeof value === "function" ? guard(name, value as (...values: unknown[]) => unknown) : value,
      ]),
  ) as WebAssembly.Exports;
}

/** What a closure of a dead instance answers: no value, and no error. */
const NOTHING: readonly [undefined, 0] = [undefined, 0];
