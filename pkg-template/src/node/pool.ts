/** Memories that are kept open for a server with many users. */
import { AsyncLocalStorage } from "node:async_hooks";
import { ClosedError, InvalidInputError, MnemicError, QuotaExceededError } from "../errors.js";
import { isRecord, kind, known, refused } from "../plain.js";
import { checkWhole } from "../whole.js";
import { stuckWaits, type Task, type Wait } from "./waits.js";

/** What a pool keeps open: a `Memory`, or what an app has made around one. */
export interface Closable {
  close(): Promise<void>;
}

/** Options of {@link memoryPool}. */
export interface MemoryPoolOptions<Kept extends Closable> {
  /** Opens the memory of a name, such as that of a user. If it fails, all waiting calls reject, and the next use tries again. */
  readonly open: (name: string) => Promise<Kept>;
  /** How many may be open at the same time, 1 to 10 000. Default: 100. */
  readonly max?: number | undefined;
  /** How long an unused memory stays open, in milliseconds, 0 to a day. Default: 300 000. */
  readonly idleMs?: number | undefined;
}

/** That a memory could not be closed. */
interface Failed {
  readonly error: unknown;
}

interface Entry<Kept> {
  readonly name: string;
  opened: Promise<Kept> | undefined;
  /** The work that uses it, or waits to. */
  readonly tasks: Set<Task>;
  /** What it is opened after: the work with what had its name before. */
  readonly after: ReadonlyArray<Task>;
  /** It counts among those that are open. */
  hasRoom: boolean;
  /** It is not to be used again: it has crashed, somebody closed it, or it is evicted. */
  isDead: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
  /** Gives it the room that it waits for. */
  go?: () => void;
  /** Refuses that room. */
  refuse?: (error: MnemicError) => void;
  /** Kept when it is closed. */
  readonly ended: Promise<Failed | undefined>;
  readonly end: (failed?: Failed) => void;
}

/** A wait of a call, in its words. */
interface Waiting extends Wait {
  readonly call: string;
  readonly name?: string;
  readonly refuse: (error: MnemicError) => void;
  /** Never kept; broken when it is refused. */
  readonly refused: Promise<never>;
  /** Why it was refused. */
  error?: MnemicError;
}

function waitsForItself(call: string): ClosedError {
  return new ClosedError(`${call} waits for the work it is called in, by itself or through others; call it after that`);
}

/** An error of a call within other work: that may throw it on, and it tells nothing about its memory. */
function refusedWithin<Thrown extends MnemicError>(within: ReadonlyArray<Task>, error: Thrown): Thrown {
  for (const { foreign } of within.slice(-2)) foreign.add(error);
  return error;
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
 * import { createHash } from "node:crypto";
 * import { openMemory } from "mnemic";
 * import { fileStorage, memoryPool } from "mnemic/node";
 *
 * const fileOf = (userId: string) => `${createHash("sha256").update(userId, "utf16le").digest("hex")}.mnemic`;
 * const pool = memoryPool({ open: (userId) => openMemory({ name: "chat", storage: fileStorage(fileOf(userId)) }), max: 50 });
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
  readonly #closing = new Map<string, Promise<Failed | undefined>>();
  /** In the order in which they came. */
  readonly #waiting = new Set<Entry<Kept>>();
  /** Those that count among the open ones. */
  readonly #holding = new Set<Entry<Kept>>();
  /** The work that must be over before a name is opened again. */
  readonly #ahead = new Map<string, Set<Task>>();
  /** All that wait, in the order in which they came. */
  readonly #waits = new Set<Waiting>();
  /** The work in which a call is made, the innermost last. */
  readonly #tasks = new AsyncLocalStorage<ReadonlyArray<Task>>();
  #closed: Promise<void> | undefined;
  #allFree: (() => void) | undefined;
  /** Why the first of those that the pool closes at its end could not be closed. */
  #failed: Failed | undefined;

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
   * Opens the memory of a name, unless it is already open, and calls `work` with it. It stays open until `work` is done.
   *
   * While `max` others are in use, this waits, in the order of the calls and without a time limit; `work` should not wait for
   * another `use`.
   *
   * @returns What `work` returns.
   * @throws What `open` or `work` throws; InvalidInputError without a name or work; ClosedError when the pool is closed. In the work of another `use` or `evict` for which it would wait, directly or through others:
   * QuotaExceededError when it waits for room, and ClosedError when it waits for the name.
   */
  async use<Answer>(name: string, work: (memory: Kept) => Answer | Promise<Answer>): Promise<Answer> {
    checkWork(work);
    const task: Task = { isOver: false, foreign: new WeakSet() };
    const within = this.#within();
    const entry = this.#enter(name, task);
    try {
      const kept = await this.#opened(entry, [...within, task]);
      return await this.#tasks.run([...within, task], () => work(kept));
    } catch (error) {
      if (isOver(error)) {
        if (!task.foreign.has(error)) this.#forget(entry);
        // The work that this is called in may throw it on.
        within.at(-1)?.foreign.add(error);
      }
      throw error;
    } finally {
      this.#over(name, task);
      this.#leave(entry, task);
    }
  }

  /**
   * Closes the memory of a name as soon as it is no longer in use, and calls `work` before it is opened again, for example to
   * delete its files. Later calls of `use` wait for `work`.
   *
   * @returns What `work` returns. It is called even if nothing of that name is open.
   * @throws What `work` throws, and what closing the memory throws; then `work` was not called. ClosedError when the pool is closed,
   * and in work for which it would wait, directly or through others: work that uses or evicts this memory, or for which such work waits.
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
    const task: Task = { isOver: false, foreign: new WeakSet() };
    const within = [...this.#within(), task];
    const entry = this.#entries.get(name);
    const after = [...(this.#ahead.get(name) ?? []), ...(entry?.tasks ?? [])];
    const wait = this.#wait({ call: `evict("${name}")`, within, after, needsRoom: () => false });
    if (wait.error) throw wait.error;
    if (entry) entry.tasks.size > 0 ? this.#forget(entry) : this.#end(entry);
    this.#comeBefore(name, [task]);
    const closed = Promise.race([this.#closing.get(name), wait.refused]).finally(() => this.#waits.delete(wait));
    const done = closed.then((failed) => {
      if (failed) throw failed.error;
      return this.#tasks.run(within, work);
    });
    const over = (): undefined => void this.#over(name, task);
    this.#openAfter(name, done.then(over, over));
    return done;
  }

  /**
   * Closes all as soon as they are no longer in use; `use` is refused from now on, and so are those who wait. It waits for every `open` and `close`
   * that is under way, without an end.
   *
   * @throws What closing one of them throws, once all the others are closed too. ClosedError in the work of a `use`, for which it would
   * wait; then the pool stays open.
   */
  async close(): Promise<void> {
    const within = this.#within();
    const uses = [...this.#holding].flatMap(({ tasks }) => [...tasks]);
    if (within.some((task) => uses.includes(task))) throw refusedWithin(within, waitsForItself("close()"));
    this.#closed ??= new Promise((resolve, reject) => {
      this.#allFree = () => (this.#failed ? reject(this.#failed.error) : resolve());
      for (const { refuse } of this.#waiting) refuse?.(new ClosedError(CLOSED));
      this.#waiting.clear();
      for (const entry of [...this.#entries.values()]) if (entry.tasks.size === 0) this.#end(entry);
      if (this.#free === this.#max) this.#allFree();
    });
    await this.#closed;
  }

  /** {@link close}, at the end of a block with `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** The work in which a call is made and that is not over. */
  #within(): ReadonlyArray<Task> {
    return (this.#tasks.getStore() ?? []).filter(({ isOver }) => !isOver);
  }

  #enter(name: string, task: Task): Entry<Kept> {
    checkId(name);
    if (this.#closed) throw new ClosedError(CLOSED);
    let entry = this.#entries.get(name);
    if (entry === undefined) {
      let end = (_?: Failed): void => {};
      const ended = new Promise<Failed | undefined>((resolve) => (end = resolve));
      const after = [...(this.#ahead.get(name) ?? [])];
      entry = { name, opened: undefined, tasks: new Set(), after, hasRoom: false, isDead: false, timer: undefined, ended, end };
      entry.opened = this.#begin(entry);
    }
    clearTimeout(entry.timer);
    this.#entries.delete(name);
    this.#entries.set(name, entry);
    entry.tasks.add(task);
    return entry;
  }

  async #begin(entry: Entry<Kept>): Promise<Kept> {
    try {
      const earlier = this.#closing.get(entry.name);
      if (earlier) await earlier;
      // All who waited for it were refused meanwhile.
      if (earlier && entry.tasks.size === 0) throw new ClosedError(`the memory "${entry.name}" is not opened, since nobody waits for it`);
      const room = this.#room(entry);
      if (room) await room;
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
      this.#give(entry);
      return undefined;
    }
    const room = new Promise<void>((go, refuse) => Object.assign(entry, { go, refuse }));
    this.#waiting.add(entry);
    this.#makeRoom();
    this.#refuseStuck();
    return room;
  }

  #give(entry: Entry<Kept>): void {
    entry.hasRoom = true;
    this.#holding.add(entry);
    entry.go?.();
  }

  /** What an entry opens. */
  async #opened(entry: Entry<Kept>, within: ReadonlyArray<Task>): Promise<Kept> {
    const opened = entry.opened as Promise<Kept>;
    if (entry.hasRoom) return opened;
    const { name, after } = entry;
    const wait = this.#wait({ call: `use("${name}")`, name, within, after, needsRoom: () => this.#waiting.has(entry) });
    try {
      return await Promise.race([opened, wait.refused]);
    } finally {
      this.#waits.delete(wait);
    }
  }

  /** Begins a wait, which may be refused at once. */
  #wait(given: Omit<Waiting, "refuse" | "refused" | "error">): Waiting {
    let refuse = (_: MnemicError): void => {};
    const refused = new Promise<never>((_, reject) => (refuse = reject));
    // Who sees the error at once does not wait for it.
    refused.catch(() => {});
    const wait: Waiting = { ...given, refused, refuse };
    this.#waits.add(wait);
    this.#refuseStuck();
    return wait;
  }

  /** Refuses waits within other work that would never end, beginning with the one that came last. */
  #refuseStuck(): void {
    const isNested = ({ within }: Wait): boolean => within.slice(0, -1).some(({ isOver }) => !isOver);
    for (const wait of [...this.#waits].filter(isNested).reverse()) {
      const stuck = stuckWaits(this.#waits, [...this.#holding].map(({ tasks }) => tasks));
      if (stuck.size === 0) return;
      if (!stuck.has(wait)) continue;
      const { call, name, within } = wait;
      const room = `${call} waits for room, all ${this.#max} are used by work that waits too; call it after that, or raise options.max`;
      wait.error = wait.needsRoom()
        ? new QuotaExceededError(room, { details: { name, limit: this.#max } })
        : refusedWithin(within, waitsForItself(call));
      this.#waits.delete(wait);
      wait.refuse(wait.error);
    }
  }

  /** Closes what nobody uses, as many as are waited for, beginning with what was used least recently. */
  #makeRoom(): void {
    for (const entry of [...this.#entries.values()]) {
      if (this.#ending >= this.#waiting.size) return;
      if (entry.tasks.size === 0) this.#end(entry);
    }
  }

  #leave(entry: Entry<Kept>, task: Task): void {
    entry.tasks.delete(task);
    if (entry.tasks.size > 0) return;
    // It still waits when all who waited for it were refused.
    if (this.#waiting.delete(entry) || !entry.hasRoom || entry.isDead || this.#closed) return this.#end(entry);
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
    this.#comeBefore(entry.name, entry.tasks);
    this.#openAfter(entry.name, entry.ended);
  }

  /** Has what opens or evicts a name from now on wait for work with it. */
  #comeBefore(name: string, tasks: Iterable<Task>): void {
    this.#ahead.set(name, new Set([...(this.#ahead.get(name) ?? []), ...tasks]));
  }

  #over(name: string, task: Task): void {
    task.isOver = true;
    const ahead = this.#ahead.get(name);
    if (ahead?.delete(task) && ahead.size === 0) this.#ahead.delete(name);
  }

  /** Lets the next opening of a name wait for this too. */
  #openAfter(name: string, ended: Promise<Failed | undefined>): void {
    const all = Promise.all([this.#closing.get(name), ended]).then(([earlier, failed]) => {
      if (this.#closing.get(name) === all) this.#closing.delete(name);
      return earlier ?? failed;
    });
    this.#closing.set(name, all);
  }

  #end(entry: Entry<Kept>): void {
    clearTimeout(entry.timer);
    this.#forget(entry);
    if (!entry.hasRoom) return entry.end();
    this.#ending += 1;
    void closing(entry).then((failed) => {
      entry.end(failed);
      if (this.#closed) this.#failed ??= failed;
      this.#ending -= 1;
      const [next] = this.#waiting;
      this.#holding.delete(entry);
      if (next && this.#waiting.delete(next)) this.#give(next);
      else this.#free += 1;
      if (this.#free === this.#max) this.#allFree?.();
    });
  }
}

const CLOSED = "the pool is closed; make another one";

/** Closes what was opened; why that failed. Whoever opened it in vain was told, and what is over needs no closing. */
async function closing({ opened }: Entry<Closable>): Promise<Failed | undefined> {
  const memory = await opened?.catch(() => undefined);
  return memory?.close().then(
    () => undefined,
    (error: unknown) => (isOver(error) ? undefined : { error }),
  );
}

/** Whether an error says that the memory has crashed, or was closed. */
function isOver(error: unknown): error is MnemicError {
  return error instanceof MnemicError && (error.code === "Crashed" || error.code === "Closed");
}
