/** Instances of the engine's WebAssembly module: one for all memories, and a fresh one after a trap. */
import { CrashedError, LoadError, type MnemicError } from "./errors.js";
import { createGlue, type Glue } from "./mnemic.js";

/** Finds and compiles the module; each runtime has its own way. */
export type LoadModule = () => WebAssembly.Module | Promise<WebAssembly.Module>;

/** A running instance. */
export interface Instance {
  readonly Engine: Glue["Engine"];
  /** Why it is dead; undefined while it lives. */
  readonly crash: MnemicError | undefined;
  /** Calls the listener when the instance dies; the answer takes it back. */
  onCrash(listener: (error: MnemicError) => void): () => void;
}

/** Answers the living instance, and loads one when there is none: at first, after a load that failed, and after a trap. */
export function instances(load: LoadModule): () => Promise<Instance> {
  let current: Promise<Instance> | undefined;
  return () => {
    if (current === undefined) {
      const mine = start(load);
      const forget = (): void => {
        if (current === mine) current = undefined;
      };
      mine.then((instance) => instance.onCrash(forget), forget);
      current = mine;
    }
    return current;
  };
}

async function start(load: LoadModule): Promise<Instance> {
  const module = await loaded(load);
  const glue = createGlue();
  const listeners = new Set<(error: MnemicError) => void>();
  let crash: MnemicError | undefined;
  const instance = await WebAssembly.instantiate(module, glue.imports());
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
  return {
    Engine: glue.Engine,
    get crash() {
      return crash;
    },
    onCrash(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

async function loaded(load: LoadModule): Promise<WebAssembly.Module> {
  try {
    return await load();
  } catch (cause) {
    throw new LoadError(`the WebAssembly module cannot be loaded: ${String(cause)}`, { cause });
  }
}

/** Closes the databases that a dead instance holds: open ones keep others from deleting or upgrading them. */
function closeDatabases(held: unknown): void {
  if (typeof IDBDatabase === "undefined" || !(held instanceof WebAssembly.Table)) return;
  for (let index = 0; index < held.length; index += 1) {
    const object: unknown = held.get(index);
    if (object instanceof IDBDatabase) object.close();
  }
}

/** Exports that the runtime calls later by itself: closures and finalizers. Nobody is there to catch what they throw. */
const CALLED_LATER = /closures_+invoke|destroy_closure|_free$/;

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
    Object.entries(exports).map(([name, value]) => [
      name,
      typeof value === "function" ? guard(name, value as (...values: unknown[]) => unknown) : value,
    ]),
  ) as WebAssembly.Exports;
}

/** What a closure of a dead instance answers: no value, and no error. */
const NOTHING: readonly [undefined, 0] = [undefined, 0];
