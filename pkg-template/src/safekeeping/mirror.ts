/** A storage with a copy that follows it. */
import { failure, StorageError, typed, type MnemicError } from "../errors.js";
import { HEAD_KEY } from "../head.js";
import { alone } from "../lock.js";
import type { Pairs, StorageBatch, StorageObject } from "../storage.js";
import type { Failure } from "../types.js";
import { counterOf } from "./copy-files.js";
import { AFTER_ALL, AFTER_HEAD, difference, isEqual, isSame, lineageOf } from "./lineage.js";

/** A storage that holds copies. */
export interface CopyStorage extends StorageObject {
  read(start: string, end: string): Promise<Pairs>;
  write(batch: StorageBatch, expectedHead: number): Promise<void>;
  /** Removes what writes that were cut off have left. */
  tidy(): Promise<void>;
  /** Removes everything. */
  clear(): Promise<void>;
}

/** The memory's own storage. */
export interface Original extends StorageObject {
  read(start: string, end: string): Promise<Pairs>;
  write(batch: StorageBatch, expectedHead: number): Promise<void>;
  close(): void;
}

/** How long a write may wait before it is copied, so that a burst is copied at once. */
const LAG_MS = 500;

/** How long to wait after a failure. */
const RETRY_MS = 15_000;

/** How often writes of other tabs are waited for before the copy is compared with the whole storage. */
const PATIENCE = 3;

/** Writes that are stored and not copied yet, as one. */
interface Waiting {
  /** The counters of the heads before the first and after the last. */
  readonly from: number;
  to: number;
  since: number;
  readonly puts: Map<string, Uint8Array>;
  readonly deletes: Set<string>;
  tries: number;
}

/** How the copy is. */
export interface CopyState {
  /** Since when something stored is not in the copy, in milliseconds of the clock; undefined when it has all. */
  readonly behindSince: number | undefined;
  /** Why the last attempt to copy failed. */
  readonly error: Failure | undefined;
}

/**
 * A storage whose writes are copied: within half a second, in the background; a write that deletes something is copied before it
 * resolves, so that nothing that was forgotten is left in the copy. If that fails, the copy is emptied and made anew later. If that
 * fails too, the write stands, `state` and `onFailed` tell that the copy still has what was deleted, and it is tried again.
 *
 * A storage that turns out to be empty while the copy is not is filled from it.
 */
export class Mirror implements StorageObject {
  readonly #original: Original;
  readonly #copy: CopyStorage;
  readonly #name: string;
  #waiting: Waiting | undefined;
  /** Whether the copy must be compared with the whole storage, and since when. */
  #unsure: number | undefined;
  #error: MnemicError | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #flushing: Promise<void> = Promise.resolve();
  /** Whether the copy is of another memory, and is left alone. */
  #isForeign = false;
  #closed = false;
  /** Whether nothing is copied yet, because the storage may turn out to be damaged. */
  #isHeld = true;
  /** The counter of the last head that was seen. */
  #counter = 0;
  /** What was deleted and may still be in the copy; undefined when nothing is. */
  #left: StorageError | undefined;
  /** Called when something failed that no call reports. */
  onFailed: (error: unknown) => void = () => {};
  /** Called when the storage was filled from the copy while it was open. */
  onRestored: (() => void) | undefined;

  private constructor(original: Original, copy: CopyStorage, name: string) {
    this.#original = original;
    this.#copy = copy;
    this.#name = name;
  }

  /**
   * Compares the two, and fills the storage from the copy if it is empty or behind.
   *
   * @returns the counter that the storage had, when it was filled: 0 when it was empty.
   */
  static async open(original: Original, copy: CopyStorage, name: string): Promise<{ mirror: Mirror; filledFrom: number | undefined }> {
    const mirror = new Mirror(original, copy, name);
    const filledFrom = await withCopy(name, () => mirror.#compare());
    return { mirror, filledFrom };
  }

  async #compare(): Promise<number | undefined> {
    const [stored, copied] = await Promise.all([lineageOf(this.#original), lineageOf(this.#copy)]);
    this.#counter = stored.counter;
    if (stored.counter === 0) {
      const isEmpty = (await this.#original.read("", AFTER_ALL)).length === 0;
      if (isEmpty && copied.counter > 0) return this.#fill(0);
      // The engine puts a memory together from values without a head: those of the storage, and of the copy, which may be behind.
      const added = await this.#addMissing();
      if (isEmpty && added === 0) return undefined;
      this.#later();
      return isEmpty ? 0 : undefined;
    }
    if (stored.counter === copied.counter) return undefined;
    if (copied.counter === 0) return this.#later();
    if (isSame(stored, copied)) return stored.counter > copied.counter ? this.#later() : this.#fill(stored.counter);
    if (await this.#wasPutTogether()) return this.#later();
    this.#isForeign = true;
    this.#error = new StorageError(
      "the copy is of another memory of this name, and is left as it is; deleteMemory(name, { keep: \"memory\" }) removes it; close the " +
        'memory and call deleteMemory(name, { keep: "copy" }), and it comes back when the memory is opened next',
    );
    return undefined;
  }

  /** Whether the memory's head was lost and made anew, which gives it another lineage. */
  async #wasPutTogether(): Promise<boolean> {
    return (await this.#original.read("damaged/", "damaged0")).some(([key]) => key.endsWith("/head"));
  }

  #later(): undefined {
    this.#unsure ??= Date.now();
    this.#schedule(LAG_MS);
  }

  /** Adds the values of the copy that a storage without a head has not; how many. */
  async #addMissing(): Promise<number> {
    const [pairs, kept] = await Promise.all([this.#copy.read("", AFTER_ALL), this.#original.read("", AFTER_ALL)]);
    const known = new Set(kept.map(([key]) => key));
    const puts = pairs.filter(([key]) => key !== HEAD_KEY && !known.has(key));
    if (puts.length > 0) await this.#original.write({ puts, deletes: [] }, 0);
    return puts.length;
  }

  /** Writes the copy over the storage, whose head has this counter; answers it. */
  async #fill(counter: number): Promise<number> {
    const [pairs, kept] = await Promise.all([this.#copy.read("", AFTER_ALL), this.#original.read("", AFTER_ALL)]);
    await this.#original.write(await difference(pairs, kept), counter);
    this.#counter = counterOf(new Map(pairs).get(HEAD_KEY));
    return counter;
  }

  async read(start: string, end: string): Promise<Pairs> {
    const pairs = await this.#original.read(start, end);
    const isHeadGone = this.#counter > 0 && start <= HEAD_KEY && HEAD_KEY < end && !pairs.some(([key]) => key === HEAD_KEY);
    if (!isHeadGone || !(await this.#refill())) return pairs;
    return this.#original.read(start, end);
  }

  async write(batch: StorageBatch, expectedHead: number): Promise<void> {
    try {
      await this.#original.write(batch, expectedHead);
    } catch (error) {
      // The engine reads what is there now, and tries again.
      if (this.#counter > 0 && (error as { code?: unknown }).code === "Conflict") await this.#refill();
      throw error;
    }
    this.#counter = counterOf(new Map(batch.puts).get(HEAD_KEY));
    if (this.#isForeign) return;
    this.#enqueue(batch, expectedHead);
    if (batch.deletes.length > 0 && !this.#isHeld) await this.#copyNow();
    else this.#schedule(LAG_MS);
  }

  /** Fills the storage from the copy if it was emptied behind the engine's back; whether it did. */
  async #refill(): Promise<boolean> {
    if (this.#isForeign || (await lineageOf(this.#original)).counter > 0) return false;
    await this.settle();
    return withCopy(this.#name, async () => {
      if ((await lineageOf(this.#copy)).counter === 0) return false;
      if ((await this.#original.read("", AFTER_ALL)).length > 0) return false;
      await this.#fill(0);
      this.onRestored?.();
      return true;
    });
  }

  /** Values of the copy in place of damaged ones; whether there was one. The engine must be closed meanwhile. */
  async repair(damaged: readonly string[]): Promise<boolean> {
    if (this.#isForeign) return false;
    return withCopy(this.#name, async () => {
      const [head] = await this.#original.read(HEAD_KEY, AFTER_HEAD);
      if (head === undefined) return false;
      const puts: Pairs = [];
      for (const key of damaged) {
        if (key === HEAD_KEY || key.startsWith("damaged/")) continue;
        // A key of damage may be the beginning of several.
        const [there, kept] = await Promise.all([this.#original.read(key, `${key}~`), this.#copy.read(key, `${key}~`)]);
        const known = new Map(there);
        puts.push(...kept.filter(([key, value]) => !isEqual(known.get(key), value)));
      }
      if (puts.length === 0) return false;
      await this.#original.write({ puts: [...puts, head], deletes: [] }, counterOf(head[1]));
      return true;
    });
  }

  /** Begins to copy, once the storage is known to be sound, or as sound as it can be. */
  begin(): void {
    this.#isHeld = false;
    if (this.#waiting !== undefined || this.#unsure !== undefined) this.#schedule(LAG_MS);
  }

  /** How the copy is. */
  state(): CopyState {
    const behindSince = this.#waiting === undefined ? this.#unsure : Math.min(this.#waiting.since, this.#unsure ?? Infinity);
    const error = this.#left ?? this.#error;
    return { behindSince, error: error && failure(error) };
  }

  /** Copies what waits, and waits for it. What fails is told by `state`. */
  async settle(): Promise<void> {
    // `state` tells of it, and the next visit compares the two.
    await this.#flush().catch(() => {});
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    void this.settle().then(() => this.#original.close());
  }

  #enqueue({ puts, deletes }: StorageBatch, from: number): void {
    let waiting = this.#waiting;
    if (waiting !== undefined && waiting.to !== from) {
      // Another tab wrote in between.
      this.#unsure ??= waiting.since;
      waiting = undefined;
    }
    waiting ??= { from, to: from, since: Date.now(), puts: new Map(), deletes: new Set(), tries: 0 };
    for (const [key, value] of puts) {
      waiting.deletes.delete(key);
      waiting.puts.set(key, value);
    }
    for (const key of deletes) {
      waiting.puts.delete(key);
      waiting.deletes.add(key);
    }
    waiting.to = this.#counter;
    this.#waiting = waiting;
  }

  #schedule(milliseconds: number): void {
    if (this.#closed || this.#isHeld) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (this.#left !== undefined) void this.#copyNow();
      else this.#flush().catch(() => this.#schedule(RETRY_MS));
    }, milliseconds);
  }

  /** Copies at once, and empties the copy if that fails: what was deleted must not be left in it. */
  async #copyNow(): Promise<void> {
    try {
      await this.#flush(true);
    } catch {
      // `state` tells why, until a later attempt succeeds.
      this.#unsure ??= Date.now();
      this.#schedule(RETRY_MS);
      try {
        await withCopy(this.#name, () => this.#copy.clear());
        this.#left = undefined;
      } catch (cause) {
        const isTold = this.#left !== undefined;
        this.#left = new StorageError(
          `what was deleted is gone from the memory, and may still be in its copy (${String(cause)}); it is tried again every ` +
            `${RETRY_MS / 1000} s and when the memory is opened next; deleteMemory(name, { keep: "memory" }) deletes the copy`,
          { cause },
        );
        if (!isTold) this.onFailed(this.#left);
      }
    }
  }

  /** Copies what waits. One after another: each needs the head that the one before has left. */
  #flush(now = false): Promise<void> {
    const flushed = this.#flushing.then(() => this.#copyWaiting(now));
    // Who waits for it is told.
    this.#flushing = flushed.catch(() => {});
    return flushed;
  }

  async #copyWaiting(now: boolean): Promise<void> {
    const waiting = this.#waiting;
    if (this.#isForeign || this.#isHeld || (waiting === undefined && this.#unsure === undefined)) return;
    this.#waiting = undefined;
    try {
      await withCopy(this.#name, async () => {
        const { counter } = await lineageOf(this.#copy);
        if (waiting !== undefined && this.#unsure === undefined) {
          if (counter === waiting.from) return this.#copy.write(batchOf(waiting), counter);
          if (counter < waiting.from && !now && !this.#closed && waiting.tries < PATIENCE && counter > 0) {
            // Other tabs copy what they wrote in between.
            waiting.tries += 1;
            this.#waiting ??= waiting;
            if (this.#waiting !== waiting) this.#unsure ??= waiting.since;
            this.#schedule(LAG_MS);
            return;
          }
          if (counter === waiting.to) return;
        }
        await this.#copyAll();
        this.#unsure = undefined;
      });
      // What waits for other tabs is not copied yet.
      if (this.#waiting === undefined && this.#unsure === undefined) this.#left = undefined;
      this.#error = undefined;
    } catch (error) {
      this.#error = typed(error);
      this.#unsure ??= waiting?.since ?? Date.now();
      throw error;
    }
  }

  /** Makes the copy what the storage is. */
  async #copyAll(): Promise<void> {
    const pairs = await this.#original.read("", AFTER_ALL);
    // An emptied storage is no reason to empty its copy.
    if (!pairs.some(([key]) => key === HEAD_KEY)) throw new StorageError("the storage is empty, and its copy is kept as it is");
    const kept = await this.#copy.read("", AFTER_ALL);
    await this.#copy.write(await difference(pairs, kept), counterOf(new Map(kept).get(HEAD_KEY)));
    await this.#copy.tidy();
  }
}

function batchOf({ puts, deletes }: Waiting): StorageBatch {
  return { puts: [...puts], deletes: [...deletes] };
}

/** Runs work while no other tab uses the copy. */
export function withCopy<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  return alone(`mnemic:${name}:copy`, work);
}
