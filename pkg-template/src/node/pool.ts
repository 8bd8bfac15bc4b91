/** Memories that are kept open for a server with many users. */
import { AsyncLocalStorage } from "node:async_hooks";
import { ClosedError, InvalidInputError, MnemicError, QuotaExceededError } from "../errors.js";
import { isRecord, kind, known, refused } from "../plain.js";
import { checkWhole } from "../whole.js";

/** What a pool keeps open: a `Memory`, or what an app has made around one. */
export interface Closable {
  close(): Promise<void>;
}

/** Options of {@link memoryPool}. */
export interface MemoryPoolOptions<Kept extends Closable> {
  /** Opens what belongs to a name, such as the memory of a user. A failure goes to all who wait for it, and the next use tries again. */
  readonly open: (name: string) => Promise<Kept>;
  /** How many are open at once, 1 to 10 000. Default: 100. */
  readonly max?: number | undefined;
  /** How long one stays open that nobody uses, in milliseconds, 0 to a day. Default: 300 000. */
  readonly idleMs?: number | undefined;
}

interface Entry<Kept> {
  readonly name: string;
  opened: Promise<Kept> | undefined;
  users: number;
  /** It counts among those that are open. */
  hasRoom: boolean;
  /** It is not to be used again: it has crashed, somebody closed it, or it is evicted. */
  isDead: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
  /** Those who came before it had room, and wait for it within other work. */
  readonly nested: Set<Nested<Kept>>;
  /** Gives it the room that it waits for. */
  go?: () => void;
  /** Refuses that room. */
  refuse?: (error: MnemicError) => void;
  /** Kept when it is closed. */
  readonly ended: Promise<void>;
  readonly end: () => void;
}

/** Work that uses an entry. */
interface Use<Kept> {
  readonly entry: Entry<Kept>;
  isOver: boolean;
  /** Errors that this work may throw and that tell nothing about its own memory. */
  readonly foreign: WeakSet<Error>;
}

/** Who waits for an entry in the work of `within`. */
interface Nested<Kept> {
  readonly within: ReadonlyArray<Use<Kept>>;
  readonly refuse: (error: MnemicError) => void;
}

/** @throws InvalidInputError for what is no name: users without one would share a memory. */
function checkId(name: unknown): void {
  if (typeof name !== "string" || name === "") throw refused("name", name === "" ? "empty" : kind(name), "pass the name of a memory, such as the id of its user");
}

function checkWork(work: unknown): void {
  if (typeof work !== "function") throw refused("work", kind(work), "pass a function");
}

const MAX_OPEN = 10_000;
const MAX_IDLE_MS = 24 * 60 * 60 * 1000;

/**
 * Keeps memories open that are used again and again, and closes those that have not been used for the longest time.
 *
 * @throws InvalidInputError when an option is unknown or out of its range.
 *
 * @example
 * ```ts
 * import { openMemory } from "mnemic";
 * import { memoryPool } from "mnemic/node";
 *
 * const pool = memoryPool({ open: (userId) => openMemory({ name: userId, storage: "memory" }), max: 50 });
 * const text = await pool.use("alice", async (memory) => {
 *   const user = memory.scope({ userId: "alice" });
 *   await user.remember({ role: "user", content: "I keep bees." });
 *   return (await user.recall("bees")).text;
 * });
 * console.log(text);
 * await pool.close();
 * ```
 */
export function memoryPool<Kept extends Closable>(options: MemoryPoolOptions<Kept>): MemoryPool<Kept> {
  return new MemoryPool(options);
}

/** A pool; {@link memoryPool} makes one. */
export class MemoryPool<Kept extends Closable> {
  readonly #open: (name: string) => Promise<Kept>;
  readonly #max: number;
  readonly #idleMs: number;
  /** How many more may be open. */
  #free: number;
  /** How many are being closed. */
  #ending = 0;
  /** What is open, is being opened or waits for room; what was used last stands last. */
  readonly #entries = new Map<string, Entry<Kept>>();
  /** The end of what is to be closed before a name is opened again, and of the work that goes with it. */
  readonly #closing = new Map<string, Promise<void>>();
  /** In the order in which they came. */
  readonly #waiting = new Set<Entry<Kept>>();
  /** The uses in whose work a call is made. */
  readonly #uses = new AsyncLocalStorage<ReadonlyArray<Use<Kept>>>();
  #closed: Promise<void> | undefined;
  #allFree: (() => void) | undefined;

  /** @internal */
  constructor(options: MemoryPoolOptions<Kept>) {
    if (!isRecord(options)) throw refused("options", kind(options), "pass an object such as { open: (name) => openMemory({ name }) }");
    known(options, ["open", "max", "idleMs"]);
    const { open, max = 100, idleMs = 300_000 } = options;
    if (typeof open !== "function") throw new InvalidInputError("options.open: pass a function from a name to a promise of a memory");
    checkWhole("options.max", max, 1, MAX_OPEN);
    checkWhole("options.idleMs", idleMs, 0, MAX_IDLE_MS);
    [this.#open, this.#max, this.#free, this.#idleMs] = [open, max, max, idleMs];
  }

  /** How many are open, are being opened or are being closed; never more than `max`. */
  get size(): number {
    return this.#max - this.#free;
  }

  /** How many names wait for room because `max` others are in use. A server that sees this grow should turn requests away. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Opens the memory of a name, unless it is open, and calls `work` with it. It stays open until `work` is done.
   *
   * While `max` others are in use, this waits, in the order of the calls and without an end; `work` should not wait for another `use`.
   *
   * @returns What `work` answers.
   * @throws What `open` or `work` throws; InvalidInputError without a name or work; ClosedError when the pool is closed. In the work of another `use`: QuotaExceededError when all
   * `max` are used by work that waits for room too, and ClosedError when that work uses the same memory and it was closed or evicted.
   */
  async use<Answer>(name: string, work: (memory: Kept) => Answer | Promise<Answer>): Promise<Answer> {
    checkWork(work);
    const within = this.#within(`use("${name}")`, ({ entry }) => entry.isDead && entry.name === name);
    const entry = this.#enter(name);
    const use: Use<Kept> = { entry, isOver: false, foreign: new WeakSet() };
    try {
      const kept = await this.#opened(entry, within);
      return await this.#uses.run([...within, use], () => work(kept));
    } catch (error) {
      if (error instanceof MnemicError && (error.code === "Crashed" || error.code === "Closed")) {
        if (!use.foreign.has(error)) this.#forget(entry);
        // The work that this is called in may throw it on.
        within.at(-1)?.foreign.add(error);
      }
      throw error;
    } finally {
      use.isOver = true;
      this.#leave(entry);
    }
  }

  /**
   * Closes the memory of a name as soon as nobody uses it, and calls `work` before it is opened again, such as to delete its files. Who
   * calls `use` from now on waits for `work`; it must not call `use` for the same name itself.
   *
   * @returns What `work` answers. It is called also when nothing of that name is open.
   * @throws What `work` throws; ClosedError when the pool is closed, and in work that uses this memory, for which it would wait.
   *
   * @example
   * ```ts
   * import { rm } from "node:fs/promises";
   * import { openMemory } from "mnemic";
   * import { fileStorage, memoryPool } from "mnemic/node";
   *
   * const pool = memoryPool({ open: (userId) => openMemory({ name: "chat", storage: fileStorage(`${userId}.mnemic`) }) });
   * await pool.use("alice", (memory) => memory.scope({ userId: "alice" }).facts.add("Alice sails"));
   * await pool.evict("alice", () => rm("alice.mnemic"));
   * await pool.close();
   * ```
   */
  async evict<Answer>(name: string, work: () => Answer | Promise<Answer>): Promise<Answer> {
    checkId(name);
    checkWork(work);
    if (this.#closed) throw new ClosedError(CLOSED);
    this.#within(`evict("${name}")`, ({ entry }) => entry.name === name);
    const entry = this.#entries.get(name);
    if (entry) entry.users > 0 ? this.#forget(entry) : this.#end(entry);
    const done = Promise.resolve(this.#closing.get(name)).then(() => work());
    this.#openAfter(name, done.catch(() => {}));
    return done;
  }

  /**
   * Closes all as soon as they are no longer in use; `use` is refused from now on, and so are those who wait.
   *
   * @throws ClosedError in the work of a `use`, for which it would wait; then the pool stays open.
   */
  async close(): Promise<void> {
    this.#within("close()", () => true);
    this.#closed ??= new Promise((resolve) => {
      this.#allFree = resolve;
      for (const { refuse } of this.#waiting) refuse?.(new ClosedError(CLOSED));
      this.#waiting.clear();
      for (const entry of [...this.#entries.values()]) if (entry.users === 0) this.#end(entry);
      if (this.#free === this.#max) resolve();
    });
    await this.#closed;
  }

  /** {@link close}, at the end of a block with `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** @throws ClosedError when a call would wait for one of the uses in whose work it is made. Answers those uses. */
  #within(call: string, waitsFor: (use: Use<Kept>) => boolean): ReadonlyArray<Use<Kept>> {
    const within = (this.#uses.getStore() ?? []).filter(({ isOver }) => !isOver);
    if (!within.some(waitsFor)) return within;
    const error = new ClosedError(`${call} waits for the work it is called in; call it after that`);
    within.at(-1)?.foreign.add(error);
    throw error;
  }

  #enter(name: string): Entry<Kept> {
    checkId(name);
    if (this.#closed) throw new ClosedError(CLOSED);
    let entry = this.#entries.get(name);
    if (entry === undefined) {
      let end = (): void => {};
      const ended = new Promise<void>((resolve) => (end = resolve));
      entry = { name, opened: undefined, users: 0, hasRoom: false, isDead: false, timer: undefined, nested: new Set(), ended, end };
      entry.opened = this.#begin(entry);
    }
    clearTimeout(entry.timer);
    this.#entries.delete(name);
    this.#entries.set(name, entry);
    entry.users += 1;
    return entry;
  }

  async #begin(entry: Entry<Kept>): Promise<Kept> {
    try {
      const earlier = this.#closing.get(entry.name);
      if (earlier) await earlier;
      const room = this.#room(entry);
      if (room) await room;
      entry.hasRoom = true;
      return await this.#open(entry.name);
    } catch (error) {
      this.#forget(entry);
      throw error;
    }
  }

  #room(entry: Entry<Kept>): Promise<void> | undefined {
    if (this.#closed) throw new ClosedError(CLOSED);
    if (this.#free > 0) {
      this.#free -= 1;
      return undefined;
    }
    const room = new Promise<void>((go, refuse) => Object.assign(entry, { go, refuse }));
    this.#waiting.add(entry);
    this.#makeRoom();
    this.#refuseStuck(entry);
    return room;
  }

  /** What an entry opens, for a use within other work. */
  #opened(entry: Entry<Kept>, within: ReadonlyArray<Use<Kept>>): Promise<Kept> {
    return new Promise((resolve, refuse) => {
      if (within.length > 0 && !entry.hasRoom) entry.nested.add({ within, refuse });
      (entry.opened as Promise<Kept>).then(resolve, refuse);
      this.#refuseStuck(entry);
    });
  }

  /** Refuses those who came last to an entry that waits for room, while all that have room are in use by work that waits for such entries. */
  #refuseStuck(entry: Entry<Kept>): void {
    for (const last of [...entry.nested].reverse()) {
      const uses = [...this.#waiting].flatMap(({ nested }) => [...nested]).flatMap(({ within }) => within);
      const stuck = new Set(uses.filter(({ isOver }) => !isOver).map(({ entry }) => entry));
      if (!this.#waiting.has(entry) || stuck.size < this.#max) return;
      entry.nested.delete(last);
      const { name } = entry;
      const message = `use("${name}") waits for room, all ${this.#max} are used by work that waits too; call it after that, or raise options.max`;
      last.refuse(new QuotaExceededError(message, { details: { name, limit: this.#max } }));
    }
  }

  /** Closes what nobody uses, as many as are waited for, beginning with what was used least recently. */
  #makeRoom(): void {
    for (const entry of [...this.#entries.values()]) {
      if (this.#ending >= this.#waiting.size) return;
      if (entry.users === 0) this.#end(entry);
    }
  }

  #leave(entry: Entry<Kept>): void {
    entry.users -= 1;
    if (entry.users > 0) return;
    // It still waits for room when all who waited for it were refused.
    if (this.#waiting.delete(entry) || entry.isDead || this.#closed) return this.#end(entry);
    entry.timer = setTimeout(() => this.#end(entry), this.#idleMs);
    // What nobody uses keeps no process alive.
    (entry.timer as { unref?: () => void }).unref?.();
    this.#makeRoom();
  }

  /** Lets the next use open it anew, once it is closed. */
  #forget(entry: Entry<Kept>): void {
    if (this.#entries.get(entry.name) === entry) this.#entries.delete(entry.name);
    if (entry.isDead) return;
    entry.isDead = true;
    this.#openAfter(entry.name, entry.ended);
  }

  /** Lets the next opening of a name wait for this too. */
  #openAfter(name: string, ended: Promise<unknown>): void {
    const all = Promise.all([this.#closing.get(name), ended]).then(() => {
      if (this.#closing.get(name) === all) this.#closing.delete(name);
    });
    this.#closing.set(name, all);
  }

  #end(entry: Entry<Kept>): void {
    clearTimeout(entry.timer);
    this.#forget(entry);
    if (!entry.hasRoom) return entry.end();
    this.#ending += 1;
    void closing(entry).then(() => {
      entry.end();
      this.#ending -= 1;
      const [next] = this.#waiting;
      if (next && this.#waiting.delete(next)) next.go?.();
      else this.#free += 1;
      if (this.#free === this.#max) this.#allFree?.();
    });
  }
}

const CLOSED = "the pool is closed; make another one";

/** Ends when it is closed. What was confirmed is stored already, so nothing is lost with what cannot be closed or was never open. */
async function closing({ opened }: Entry<Closable>): Promise<void> {
  try {
    await (await opened)?.close();
  } catch {
    // Whoever used it has been told.
  }
}
