/** Memories that are kept open for a server with many users. */
import { ClosedError, InvalidInputError, MnemicError } from "../errors.js";
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
  /** Kept when it is closed. */
  readonly ended: Promise<void>;
  readonly end: () => void;
}

const MAX_OPEN = 10_000;
const MAX_IDLE_MS = 24 * 60 * 60 * 1000;

/**
 * Keeps memories open that are used again and again, and closes those that have not been used for the longest time.
 *
 * @throws InvalidInputError when an option is none.
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
  /** Who waits for room, in the order in which they came. */
  readonly #waiting: Array<{ readonly go: () => void; readonly refuse: (error: ClosedError) => void }> = [];
  #closed: Promise<void> | undefined;
  #allFree: (() => void) | undefined;

  /** @internal */
  constructor({ open, max = 100, idleMs = 300_000 }: MemoryPoolOptions<Kept>) {
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
    return this.#waiting.length;
  }

  /**
   * Opens the memory of a name, unless it is open, and calls `work` with it. It stays open until `work` is done.
   *
   * While `max` others are in use, this waits, in the order of the calls and without an end; `work` must not wait for another `use`.
   *
   * @returns What `work` answers.
   * @throws What `open` or `work` throws; ClosedError when the pool is closed.
   */
  async use<Answer>(name: string, work: (memory: Kept) => Answer | Promise<Answer>): Promise<Answer> {
    const entry = this.#enter(name);
    try {
      return await work((await entry.opened) as Kept);
    } catch (error) {
      if (error instanceof MnemicError && (error.code === "Crashed" || error.code === "Closed")) this.#forget(entry);
      throw error;
    } finally {
      this.#leave(entry);
    }
  }

  /**
   * Closes the memory of a name as soon as nobody uses it, and calls `work` before it is opened again, such as to delete its files. Who
   * calls `use` from now on waits for `work`; it must not call `use` for the same name itself.
   *
   * @returns What `work` answers. It is called also when nothing of that name is open.
   * @throws What `work` throws; ClosedError when the pool is closed.
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
    if (this.#closed) throw new ClosedError(CLOSED);
    const entry = this.#entries.get(name);
    if (entry?.users === 0) this.#end(entry);
    else if (entry !== undefined) this.#forget(entry);
    const done = Promise.resolve(this.#closing.get(name)).then(() => work());
    const over = (): void => {};
    this.#openAfter(name, done.then(over, over));
    return done;
  }

  /** Closes all as soon as they are no longer in use; `use` is refused from now on, and so are those who wait. */
  close(): Promise<void> {
    this.#closed ??= new Promise((resolve) => {
      this.#allFree = resolve;
      for (const { refuse } of this.#waiting.splice(0)) refuse(new ClosedError(CLOSED));
      for (const entry of [...this.#entries.values()]) if (entry.users === 0) this.#end(entry);
      if (this.#free === this.#max) resolve();
    });
    return this.#closed;
  }

  /** {@link close}, at the end of a block with `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #enter(name: string): Entry<Kept> {
    if (this.#closed) throw new ClosedError(CLOSED);
    let entry = this.#entries.get(name);
    if (entry === undefined) {
      let end = (): void => {};
      const ended = new Promise<void>((resolve) => (end = resolve));
      entry = { name, opened: undefined, users: 0, hasRoom: false, isDead: false, timer: undefined, ended, end };
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
      const room = this.#room();
      if (room) await room;
      entry.hasRoom = true;
      return await this.#open(entry.name);
    } catch (error) {
      this.#forget(entry);
      throw error;
    }
  }

  #room(): Promise<void> | undefined {
    if (this.#closed) throw new ClosedError(CLOSED);
    if (this.#free > 0) {
      this.#free -= 1;
      return undefined;
    }
    const room = new Promise<void>((go, refuse) => void this.#waiting.push({ go, refuse }));
    this.#makeRoom();
    return room;
  }

  /** Closes what nobody uses, as many as are waited for, beginning with what was used least recently. */
  #makeRoom(): void {
    for (const entry of [...this.#entries.values()]) {
      if (this.#ending >= this.#waiting.length) return;
      if (entry.users === 0) this.#end(entry);
    }
  }

  #leave(entry: Entry<Kept>): void {
    entry.users -= 1;
    if (entry.users > 0) return;
    if (entry.isDead || this.#closed) return this.#end(entry);
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
  #openAfter(name: string, ended: Promise<void>): void {
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
      const next = this.#waiting.shift();
      if (next) next.go();
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
