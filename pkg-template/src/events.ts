/** The events of a memory and their listeners. */
import type { Span } from "./spans.js";
import type { Action, Cause, Failure, Kind, ScopePairs } from "./types.js";

/** A commit has become durable. */
export interface ChangeEvent {
  commitId: string;
  at: number;
  cause: Cause;
  scope: ScopePairs;
  /** What changed; a `"task"` is background work of the engine. */
  changes: Array<{
    id: string;
    kind: Kind | "task";
    action: "created" | "updated" | "deleted";
    revision: number;
    previousRevision?: number;
  }>;
  /** Whether another tab or worker made it. */
  remote: boolean;
}

/** The background extraction of a thread began or ended. */
export interface ExtractionEvent {
  scope: ScopePairs;
  threadId: string;
  state: "started" | "done" | "failed";
  /** What it did; with `"done"`. */
  actions?: Action[];
  /** Why it failed; with `"failed"`. */
  error?: Failure;
  /** When it is retried; with `"failed"`. */
  retryAt?: number;
}

/**
 * The browser lost the memory, or part of it. The loss is detected on opening, from a note beside the database or from the copy.
 * The event waits for its first listener.
 */
export interface WipedEvent {
  /** `"all"`: the storage was empty, or held another memory; `"some"`: it was reverted to an earlier state, or damaged. */
  lost: "all" | "some";
  /** Whether it was restored from the copy. */
  restored: boolean;
  /** How many records there are now. */
  records: number;
  /** How many there were when it was last seen; missing when that is not known. */
  lastRecords?: number;
  /** When it was last seen. */
  lastSeenAt?: number;
  /** When the last backup was made, if one was. */
  lastBackupAt?: number;
}

/** The worker that ran the memory ended, and the memory is open again in a new one. */
export interface RestartEvent {
  /** Why the worker ended. */
  reason: Failure;
}

/** A scope was locked or unlocked, here or in another tab. */
export interface LockEvent {
  scope: ScopePairs;
  /** Whether it is locked now. */
  locked: boolean;
}

/** The events by name. */
export interface Events {
  change: ChangeEvent;
  lock: LockEvent;
  extraction: ExtractionEvent;
  wiped: WipedEvent;
  restart: RestartEvent;
  /** A failure that no call could report. */
  error: Failure;
  /** A call, or a request to a model, has ended. */
  span: Span;
}

type Listener = (event: never) => void;

/** Any event, and that it was the last. */
export interface AnyEvent {
  readonly name: keyof Events | "close";
  readonly event?: unknown;
}

/** The events that listeners are called with; those of `"*"` see all, and what waits for its first listener waits on. */
type Heard = Events & { "*": AnyEvent };

/** The listeners of one memory. */
export class Listeners {
  readonly #byName = new Map<string, Set<Listener>>();
  /** Events that wait for their first listener. */
  #kept: Array<{ name: keyof Events; event: unknown }> = [];

  /** Adds a listener; the answer removes it. The same function added twice is called twice. */
  add<Name extends keyof Heard>(name: Name, listener: (event: Heard[Name]) => void): () => void {
    const own: Listener = (event: Heard[Name]) => listener(event);
    const listeners = this.#byName.get(name) ?? new Set();
    this.#byName.set(name, listeners.add(own));
    const kept = this.#kept.filter((event) => event.name === name);
    this.#kept = this.#kept.filter((event) => event.name !== name);
    for (const { event } of kept) queueMicrotask(() => this.#tell(name, event));
    return () => void listeners.delete(own);
  }

  /** Whether somebody listens to an event. */
  has(name: keyof Heard): boolean {
    return !!this.#byName.get(name)?.size;
  }

  /** Calls the listeners of an event. What one throws reaches neither the others nor the engine, but the global error handler. */
  emit<Name extends keyof Events>(name: Name, event: Events[Name]): void {
    this.#tell("*", { name, event });
    this.#tell(name, event);
  }

  #tell(name: string, event: unknown): void {
    for (const listener of [...(this.#byName.get(name) ?? [])]) {
      try {
        listener(event as never);
      } catch (error) {
        reportError(error);
      }
    }
  }

  /** The same, but an event that nobody listens to yet waits for the first who does. */
  emitOrKeep<Name extends keyof Events>(name: Name, event: Events[Name]): void {
    if (!this.has(name)) this.#kept.push({ name, event });
    this.emit(name, event);
  }

  /** Lets go of all, after the last event. */
  clear(): void {
    this.#tell("*", { name: "close" });
    this.#byName.clear();
    this.#kept = [];
  }
}

/** Hands an error that no caller can get to the global error handler. */
export function reportError(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
