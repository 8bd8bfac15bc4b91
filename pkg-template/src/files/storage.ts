/** A storage on a journal. */
import type { Durability } from "../durability.js";
import { CorruptError, MnemicError, QuotaExceededError, StorageError } from "../errors.js";
import { checkCounter, HEAD_KEY } from "../head.js";
import type { Pairs, StorageBatch, StorageObject } from "../storage.js";
import { compact, type Pace } from "./compaction.js";
import { isFull, type Place } from "./file.js";
import { Journal } from "./journal.js";

/** How many bytes that no longer count a file has at least before it is made anew. */
const SPARE_BYTES = 1024 * 1024;

/** How many times as many bytes as count a file may have before it is made anew without pauses, which others could use to prevent it. */
const URGENT = 4;

/**
 * A storage on a journal: values stay in the file, and what is known of them in memory is where they stand. Several may be open on one
 * file, in several processes.
 */
export class JournalStorage implements StorageObject {
  readonly #place: Place;
  readonly #isStrict: boolean;
  #journal: Journal | undefined;
  /** The counter of the head when the journal was closed. */
  #head = 0;
  /** What goes on, one after another. */
  #turns: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  #closing: Promise<void> | undefined;
  #compacting: Promise<void> | undefined;
  /** The size from which on the file is made anew, and how. */
  #compactFrom = 0;
  #pace: Pace = "between";

  /** Only where the files of the place can be read at any time. */
  readonly readAt?: (key: string, offset: number, length: number) => Uint8Array | undefined;

  /** Opens nothing yet: that is for the first call, which fails with StorageError, CorruptError or UnsupportedVersionError if it cannot. */
  constructor(place: Place, durability: Durability) {
    this.#place = place;
    this.#isStrict = durability === "strict";
    if (place.isHeld) this.readAt = (key, offset, length) => this.#readAt(key, offset, length);
  }

  async read(start: string, end: string): Promise<Pairs> {
    const reading = (): Pairs | undefined => {
      const journal = this.#fresh();
      if (journal === undefined) return undefined;
      for (;;) {
        const { erasures } = journal;
        const pairs = journal.locations.values(journal.locations.keys(start, end));
        // What was erased meanwhile may have been read as zeros.
        if (this.#fresh() !== journal) return undefined;
        if (journal.erasures === erasures) return pairs;
      }
    };
    const alone = (): Promise<Pairs> => {
      return this.#alone(async () => {
        for (;;) {
          await this.#current();
          const pairs = reading();
          if (pairs !== undefined) return pairs;
        }
      });
    };
    if (!this.#place.isHeld) return alone();
    this.#usable();
    return this.#attempt(async () => reading() ?? alone());
  }

  async write(batch: StorageBatch, expectedHead: number): Promise<void> {
    await this.#alone(async () => {
      for (;;) {
        const journal = await this.#current();
        checkCounter(journal.head, expectedHead);
        const outcome = journal.append(batch, expectedHead);
        if (outcome === "ended" || outcome === "lost") continue;
        if (outcome === "erased" || this.#isStrict) await journal.flush();
        if (outcome === "erased") await this.#erase(journal);
        this.#compactLater(journal);
        return;
      }
    });
  }

  /** Bytes of a value, at once; undefined when there is no such key. */
  #readAt(key: string, offset: number, length: number): Uint8Array | undefined {
    this.#usable();
    for (let journal = this.#journal; ; journal = this.#fresh()) {
      if (journal === undefined) {
        // What counts now is open by the next time.
        this.#alone(() => this.#current()).catch(() => {});
        throw new StorageError(`${this.#place.name} was made anew elsewhere, or is not open yet; ask again later, or read the whole value`);
      }
      const location = journal.locations.get(key);
      const bytes = location && journal.locations.read(location, offset, length);
      // It may have been erased before, or meanwhile, and be read as zeros.
      if (journal.isAsWalked || (this.#fresh() === journal && journal.locations.get(key) === location)) return bytes;
    }
  }

  /** What goes on ends first, and the answer, which nobody needs to wait for, resolves then. */
  close(): Promise<void> {
    this.#isClosed = true;
    return (this.#closing ??= Promise.allSettled([this.#turns, this.#compacting]).then(() => {
      this.#journal?.close();
      this.#place.close();
    }));
  }

  #usable(): void {
    if (this.#isClosed) throw new StorageError(`${this.#place.name} is closed`);
  }

  /** Runs work when it is its turn, and where two files can be appended to at once, when nobody else does. */
  async #alone<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#usable();
    const turn = this.#turns.then(() => this.#attempt(() => this.#place.alone(work)));
    this.#turns = turn.catch(() => {});
    return turn;
  }

  /** The journal with all that was added; undefined when it must be opened. */
  #fresh(): Journal | undefined {
    const journal = this.#journal;
    return journal !== undefined && journal.walk() && journal.ended === undefined ? journal : undefined;
  }

  /** The journal that counts. For whose turn it is. */
  async #current(): Promise<Journal> {
    let replaced: string | undefined;
    for (;;) {
      const fresh = this.#fresh();
      if (fresh !== undefined) return fresh;
      const name = this.#journal?.ended;
      if (name !== undefined && name === replaced) {
        throw new StorageError(`${this.#place.name} goes on in a file beside it, which ends in .${name} and is not there; put it back, or restore a backup`);
      }
      replaced = name ?? replaced;
      this.#head = this.#journal?.head ?? this.#head;
      // Not every system replaces a file that is open.
      this.#journal?.close();
      this.#journal = undefined;
      const isLost = name !== undefined && !(await this.#place.replace(name));
      let journal = await Journal.open(await this.#place.open(), this.#place.name);
      if (isLost) {
        // Others may have done so, or put the file in its place after all.
        if (journal.ended === name) await journal.revive();
        await this.#place.remove(name);
        journal.close();
        journal = await Journal.open(await this.#place.open(), this.#place.name);
      }
      if (journal.isMade && journal.locations.isEmpty && !journal.isEmptied) {
        journal.close();
        throw lostFile(this.#place.name);
      }
      if (this.#place.isKept && journal.head !== undefined && journal.head < this.#head) {
        journal.close();
        throw new CorruptError(`${this.#place.name} went back while it was open; restore a backup`);
      }
      this.#journal = journal;
      // What was refused is not tried again at once.
      if (!isLost) this.#compactFrom = 0;
      // What was to be erased when a process died.
      await this.#erase(this.#journal);
    }
  }

  /** Overwrites what no longer counts, and removes what was being made of it. */
  async #erase(journal: Journal): Promise<void> {
    for (const name of journal.abandoned) await this.#place.remove(name);
    journal.abandoned.clear();
    if (!journal.isDirty) return;
    await this.#place.clear();
    await journal.wipe();
  }

  /** The answer of work; what the system throws becomes an error with a code. */
  async #attempt<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (cause) {
      if (cause instanceof MnemicError) throw cause;
      const { name } = this.#place;
      if (isFull(cause)) {
        throw new QuotaExceededError(`there is no room for ${name} (${String(cause)}); make room on the disk: forgetting needs some too`, { cause });
      }
      throw new StorageError(`${name} cannot be used (${String(cause)})`, { cause });
    }
  }

  #compactLater(journal: Journal): void {
    // What was emptied is about to be removed, and a file that was made of another has a head.
    if (journal.locations.get(HEAD_KEY) === undefined) return;
    const unit = Math.max(journal.locations.bytes, SPARE_BYTES);
    const spare = journal.bytes - journal.locations.bytes;
    if ((spare <= unit && !journal.isOld) || journal.bytes < this.#compactFrom || this.#compacting !== undefined) return;
    // Should it fail, it is tried again when the file has grown.
    this.#compactFrom = journal.bytes * 1.25;
    const pace = spare > URGENT * unit ? "at once" : this.#pace;
    const alone = <Result>(work: (journal: Journal) => Promise<Result>): Promise<Result> => {
      return this.#alone(async () => {
        const result = await work(await this.#current());
        // What takes its place is there when the turn is over: the storage may be closed then.
        await this.#current();
        return result;
      });
    };
    this.#compacting = compact({ place: this.#place, pace, alone })
      .then((isDone) => {
        // Who writes and erases all the time would always end it.
        if (!isDone && pace === "between") this.#compactFrom = 0;
        this.#pace = isDone ? "between" : "waited for";
      })
      .catch(() => {})
      .finally(() => (this.#compacting = undefined));
  }
}

/** The error for a place where only files are left that count no more, or do not count yet. */
export function lostFile(name: string): CorruptError {
  return new CorruptError(`${name} is not there, and others that tell of it are: a power failure took its name; restore a backup`);
}
