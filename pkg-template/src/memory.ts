/// <reference lib="esnext.disposable" preserve="true" />
/** An open memory. */
import { Backup } from "./backup/automatic.js";
import { Places, filesOf, nameOf, type ReadableFile } from "./backup/files.js";
import { exportStream, restore, type ExportOptions, type Line, type Restored, type RestoreOptions } from "./backup/transfer.js";
import type { BackupSource } from "./backup/source.js";
import type { Connection } from "./connection.js";
import { Encryption, ScopeEncryption } from "./encryption.js";
import type { AnyEvent, Events } from "./events.js";
import { InvalidInputError } from "./errors.js";
import { kind, plain, shown } from "./plain.js";
import type { Health } from "./safekeeping/health.js";
import type { Opened } from "./safekeeping/opening.js";
import type { Safekeeping } from "./safekeeping/safekeeping.js";
import type { ProfileSchemas } from "./schema.js";
import { Scope, scopePairs } from "./scope.js";
import type { StorageKind } from "./storage.js";
import type { BackgroundJob, CallOptions, Failure, Idle, Inspection, ScopePairs, Usage, Verification } from "./types.js";

const EVENTS: ReadonlyArray<keyof Events> = ["change", "lock", "extraction", "wiped", "restart", "error", "span"];

/** An open memory: all scopes of one name. */
export class Memory<Schemas extends ProfileSchemas = {}> {
  /** Where it is stored. */
  readonly storage: { readonly kind: StorageKind };
  /** Whether and how it is encrypted, and changing that. */
  readonly encryption: Encryption;
  /** Automatic backups, in browsers that can write files. */
  readonly backup: Backup;
  readonly #connection: Connection;
  readonly #safekeeping: Safekeeping;

  /** @internal Made by `openMemory()`. */
  constructor({ connection, safekeeping, kind }: Opened, name: string) {
    this.#connection = connection;
    this.encryption = new Encryption(connection);
    this.#safekeeping = safekeeping;
    const failed = (error: Failure): void => connection.listeners.emitOrKeep("error", error);
    this.backup = new Backup(name, this.#line, (at) => safekeeping.backedUp(at), failed);
    connection.listeners.add("change", (event) => this.backup.changed(event));
    this.storage = Object.freeze({ kind });
  }

  /** @internal Whether it was lost, in whole or in part, and did not come back. */
  get isLost(): boolean {
    return this.#safekeeping.isLost;
  }

  /**
   * The memory of one user, or of whatever else the pairs name. Makes no call: a scope exists once something is stored in it.
   *
   * @throws InvalidScopeError when the pairs are not 1 to 5 pairs of non-empty strings without `*`.
   *
   * @example
   * ```ts
   * const alice = memory.scope({ userId: "alice", app: "kitchen" });
   * console.log(alice.scope);
   * ```
   */
  scope(pairs: ScopePairs): Scope<Schemas> {
    const frozen = scopePairs(pairs);
    const text = plain(frozen);
    const encryption = new ScopeEncryption(this.#connection, text);
    const line: Line = { ...this.#line, call: this.#caller(text), whole: false, import: this.#connection.import?.bind(undefined, text) };
    return new Scope(frozen, line, encryption);
  }

  /**
   * Reads everything that is stored, with its history, as a stream of bytes for a file: the memory as it is now, without anything
   * written while the stream is read.
   *
   * @throws ConflictError when the memory is replaced or something is forgotten while the stream is read. Export it again.
   *
   * @example
   * ```ts
   * await user.facts.add("Alice sails");
   * const blob = await new Response(memory.export({ passphrase: "correct horse" })).blob();
   * const { unchanged } = await memory.import(blob, { passphrase: "correct horse" });
   * console.log(unchanged); // 1
   * ```
   */
  export(options?: ExportOptions): ReadableStream<Uint8Array<ArrayBuffer>> {
    return exportStream(this.#line, options);
  }

  /**
   * Imports a file that `export` wrote. The whole file is checked before anything is changed. Importing it twice has the same
   * effect as once.
   *
   * @throws CorruptError when the file is damaged or incomplete.
   * @throws InvalidInputError when it is not a backup, or holds one scope and is to replace the whole memory.
   * @throws UnsupportedVersionError when a newer version wrote it.
   * @throws LockedError, WrongKeyError when it is encrypted and the passphrase is missing or wrong.
   *
   * @example
   * ```ts
   * await user.facts.add("Alice sails");
   * const file = await new Response(memory.export()).blob();
   * await user.facts.add("Alice rows");
   * await memory.import(file, { mode: "replace" });
   * console.log((await user.facts.list()).map(({ text }) => text)); // ["Alice sails"]
   * ```
   */
  import(file: BackupSource, options?: RestoreOptions): Promise<Restored> {
    return restore(this.#line, file, options);
  }

  /**
   * Everything remembered as files for people, by scope: profile, facts, instructions and conversations in Markdown, documents and
   * the graph in JSON. They hold only the current state; `export` has the history too.
   *
   * @example
   * ```ts
   * for await (const { path, text } of memory.exportFiles()) console.log(path, text.length);
   * ```
   */
  async *exportFiles(options?: CallOptions): AsyncIterable<ReadableFile> {
    const folders = new Places();
    for (const pairs of await this.#connection.call<ScopePairs[]>("backups.scopes", "", {}, options)) {
      const text = plain(pairs);
      const folder = folders.free([nameOf(pairs)]);
      yield* filesOf(this.#caller(text), folder, options);
    }
  }

  /** Calls the methods of a scope, whose pairs are given as text; of the whole memory, where that is empty. */
  #caller(scope: string): Line["call"] {
    return (method, input, options) => this.#connection.call(method, scope, input, options);
  }

  get #line(): Line {
    return {
      memory: this,
      call: this.#caller(""),
      whole: true,
      transfer: (number, bytes) => this.#connection.transfer(number, bytes),
    };
  }

  /**
   * Listens to events: `"change"` (a commit is durable, here or in another tab), `"lock"` (a scope was locked or unlocked),
   * `"extraction"` (background learning of a thread), `"wiped"` (the browser lost the memory or part of it), `"restart"` (its
   * worker ended, and it is open again in a new one), `"error"` (a failure that no call could report), `"span"` (a call or a request
   * to a model has ended, with the time that it took). A listener that throws does not affect the others.
   *
   * @returns A function that removes the listener.
   *
   * @example
   * ```ts
   * const stop = memory.on("change", ({ cause, changes }) => console.log(cause, changes.length));
   * await user.facts.add("Alice lives in Lisbon");
   * stop();
   * ```
   */
  on<Name extends keyof Events>(event: Name, listener: (event: Events[Name]) => void): () => void {
    if (!EVENTS.includes(event)) {
      throw new InvalidInputError(`event: ${shown(event)} is not an event; the events are ${EVENTS.join(", ")}`);
    }
    if (typeof listener !== "function") throw new InvalidInputError(`listener: ${kind(listener)} is not a function`);
    if (event === "span") this.#connection.watch();
    return this.#connection.listeners.add(event, listener);
  }

  /** @internal Calls back with every event; unlike `on`, takes nothing that waits for the app. */
  watch(watcher: (event: AnyEvent) => void): () => void {
    return this.#connection.listeners.add("*", watcher);
  }

  /**
   * Model calls and tokens since opening, and what the memory holds.
   *
   * @example
   * ```ts
   * const { records, inputTokens, outputTokens } = await memory.usage();
   * console.log(records, inputTokens + outputTokens);
   * ```
   */
  usage(options?: CallOptions): Promise<Usage> {
    return this.#connection.call("usage", "", {}, options);
  }

  /**
   * Returns what the memory consists of: log and segments, indexes, what is in memory, background work, and the last requests to
   * models. Reads nothing from the storage; counting takes some milliseconds in a large memory. Prompts and replies are in it only
   * if the memory was opened with `keepPrompts`.
   *
   * @example
   * ```ts
   * const { log, indexes, requests } = await memory.inspect();
   * console.log(log.segments.length, log.bytes, indexes.words.terms);
   * for (const { purpose, durationMs, inputTokens, error } of requests) console.log(purpose, durationMs, inputTokens, error?.code);
   * ```
   */
  async inspect(options?: CallOptions): Promise<Inspection> {
    return { storage: this.storage, ...(await this.#connection.call<Omit<Inspection, "storage">>("inspect", "", {}, options)) };
  }

  /**
   * Reads everything that is stored and checks it. Changes nothing.
   *
   * @example
   * ```ts
   * const { ok, damage } = await memory.verify();
   * console.log(ok, damage);
   * ```
   */
  verify(options?: CallOptions): Promise<Verification> {
    return this.#connection.call("verify", "", {}, options);
  }

  /**
   * Returns the state of the memory: where it is stored and whether the browser promised to keep it, its bytes and the site's
   * quota, background work, the copy, the last backup, known damage, and what was lost. Reads nothing from the storage; `verify()`
   * does.
   *
   * @example
   * ```ts
   * const { storage, persistence, bytes, copy, wiped } = await memory.health();
   * console.log(storage.kind, persistence.persisted, bytes.memory, copy?.lagMs, wiped?.restored);
   * ```
   */
  async health(): Promise<Health> {
    return this.#safekeeping.health();
  }

  /**
   * Resolves when no background work can continue now: it is all done, or the rest waits for more messages or for a model that failed.
   * `user.flush()` learns from waiting messages.
   *
   * @example
   * ```ts
   * await user.remember({ role: "user", content: "My name is Alice." });
   * const { pending, failed } = await memory.idle();
   * console.log(pending, failed.map(({ error }) => error.message));
   * ```
   */
  idle(options?: CallOptions): Promise<Idle> {
    return this.#connection.call("idle", "", {}, options);
  }

  /**
   * Lists waiting and running background work, with failures: first the work on the whole memory, then by scope. Empty when
   * everything is done. `idle()` waits for the work that is due now.
   *
   * @example
   * ```ts
   * for (const { kind, waiting, running, nextAt, error } of await memory.jobs()) {
   *   console.log(kind, waiting, running, nextAt && new Date(nextAt), error?.message);
   * }
   * ```
   */
  jobs(options?: CallOptions): Promise<BackgroundJob[]> {
    return this.#connection.call("jobs", "", {}, options);
  }

  /**
   * Reads what other processes have written to the same file since. A memory does so itself before it writes, and tabs tell each other.
   *
   * @example
   * ```ts
   * await memory.refresh();
   * ```
   */
  refresh(): Promise<void> {
    return this.#connection.refresh();
  }

  /**
   * Closes the memory; later calls reject with `ClosedError`. Confirmed writes stay. Rules first learn from waiting messages, for
   * at most two seconds; other background work, and model requests in progress, are not awaited and continue after the next
   * opening. Closing again does nothing.
   *
   * @throws StorageError when the storage does not answer within 10 s. The memory is closed nevertheless; whether calls without an
   * answer were stored is unknown.
   *
   * @example
   * ```ts
   * await memory.close();
   * ```
   */
  async close(): Promise<void> {
    this.backup.close();
    const ended = this.#safekeeping.end();
    try {
      await this.#connection.close();
    } finally {
      await ended;
      await this.#safekeeping.settle();
    }
  }

  /**
   * Closes the memory at the end of its block.
   *
   * @example
   * ```ts no-run
   * import { openMemory } from "mnemic";
   * await using memory = await openMemory({ name: "chat", storage: "memory" });
   * ```
   */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
