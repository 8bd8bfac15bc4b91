/** The events of a memory and their listeners. */
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

/** The events by name. */
export interface Events {
  change: ChangeEvent;
  extraction: ExtractionEvent;
  /** A failure that no call could report. */
  error: Failure;
}

type Listener = (event: never) => void;

/** The listeners of one memory. */
export class Listeners {
  readonly #byName = new Map<string, Set<Listener>>();

  /** Adds a listener; the answer removes it. The same function added twice is called twice. */
  add<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): () => void {
    const own: Listener = (event: Events[Name]) => listener(event);
    const listeners = this.#byName.get(name) ?? new Set();
    this.#byName.set(name, listeners.add(own));
    return () => void listeners.delete(own);
  }

  /** Calls the listeners of an event. What one throws reaches neither the others nor the engine, but the global error handler. */
  emit<Name extends keyof Events>(name: Name, event: Events[Name]): void {
    for (const listener of [...(this.#byName.get(name) ?? [])]) {
      try {
        listener(event as never);
      } catch (error) {
        reportError(error);
      }
    }
  }

  clear(): void {
    this.#byName.clear();
  }
}

function reportError(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
