/** A journal: which value stands where in a file to which records are added. */
import { StorageError } from "../errors.js";
import { storedCounter, HEAD_KEY } from "../head.js";
import type { StorageBatch } from "../storage.js";
import { BEGINNING_BYTES } from "./beginning.js";
import { checksum } from "./checksum.js";
import { Dirt } from "./dirt.js";
import { isFull, type File } from "./file.js";
import {
  batchRecords,
  bytesOf,
  HEADER_BYTES,
  isTrailer,
  Kind,
  noteIndex,
  randomName,
  readBeginning,
  readHeader,
  readNote,
  readPart,
  record,
  TRAILER_BYTES,
  type Header,
  type Part,
  type Value,
} from "./record.js";
import { Locations, type Location } from "./locations.js";
import { Window } from "./window.js";

/** What became of a batch: `"ended"` when another file took the place of this one before. */
export type Outcome = "stored" | "erased" | "lost" | "ended";

/** A batch of which parts are still to come. */
interface Pending {
  readonly expectedHead: number;
  readonly found: Array<[string, Location]>;
  parts: number;
}

/**
 * A file of records, and the sum of those that were added so far. The order in the file decides: of two batches that go upon the same
 * head, the first one counts. So whoever adds a record reads what stands before it, and nobody has to be kept out.
 */
export class Journal {
  readonly #file: File;
  readonly #window: Window;
  readonly #beginning: Uint8Array;
  readonly #tag: Uint8Array;
  readonly #writer = randomName();
  #number = 0;
  readonly #outcomes = new Map<number, Outcome>();
  readonly #pending = new Map<string, Pending>();
  readonly #dirt = new Dirt();
  /** Records that are not known to be on the disk, by their positions; kept until the file is open. */
  #unsure: Array<{ readonly at: number; readonly found: ReadonlyArray<[string, Location]> }> | undefined = [];
  #end = BEGINNING_BYTES;
  /** The size of the file when no further record was found. */
  #searched = 0;
  #flushed = 0;

  /** Where the values stand. */
  readonly locations: Locations;
  /** The counter of the stored head; undefined when that is damaged. */
  head: number | undefined = 0;
  /** Whether the head was taken away. */
  isEmptied = false;
  /** How many batches count. */
  applied = 0;
  /** How many batches took values away. */
  erasures = 0;
  /** The file that is being made to take this one's place. */
  building: string | undefined;
  /** Files that will not take this one's place any more. */
  readonly abandoned = new Set<string>();
  /** The file that took this one's place. */
  ended: string | undefined;
  /** Where that is said. */
  #endedAt = 0;

  private constructor(file: File, beginning: Uint8Array, tag: Uint8Array) {
    this.#file = file;
    this.#window = new Window(file);
    this.locations = new Locations(file);
    this.#beginning = beginning;
    this.#tag = tag;
  }

  /**
   * Reads what a file holds. Records that a power failure has damaged, and that nobody was told were stored, are taken out.
   *
   * @throws CorruptError when it is no journal, UnsupportedVersionError when it is one of a newer version.
   */
  static async open(file: File): Promise<Journal> {
    try {
      return await Journal.#read(file);
    } catch (error) {
      file.close();
      throw error;
    }
  }

  static async #read(file: File): Promise<Journal> {
    for (;;) {
      const beginning = new Uint8Array(BEGINNING_BYTES);
      const tag = readBeginning(beginning.subarray(0, file.read(beginning, 0)));
      if (tag === undefined) throw new StorageError("the file of the memory ends within its beginning; remove it, or restore a backup");
      const journal = new Journal(file, beginning, tag);
      journal.walk();
      const torn = journal.#torn();
      journal.#unsure = undefined;
      if (torn.length === 0) return journal;
      for (const at of torn) file.overwrite(new Uint8Array(HEADER_BYTES), at);
      await file.flush();
    }
  }

  /** Takes in what was added. Whether the file is still the one that was opened. */
  walk(): boolean {
    const size = this.#file.size();
    const beginning = new Uint8Array(BEGINNING_BYTES);
    this.#file.read(beginning, 0);
    if (size < this.#end || !isEqual(beginning, this.#beginning)) return false;
    // What was added by halves then may be whole now.
    if (this.#end < size) this.#window.clear();
    while (this.#end < size && this.ended === undefined) {
      const found = this.#recordAt(this.#end, size);
      if (found !== undefined) {
        this.#apply(this.#end, ...found);
        this.#end += bytesOf(found[0]);
        continue;
      }
      const next = this.#searched === size ? undefined : this.#search(size);
      if (next === undefined) {
        this.#searched = size;
        break;
      }
      // What was cut off holds nothing that counts, and may hold words.
      this.#dirt.add(this.#end, next - this.#end, next);
      this.#end = next;
    }
    return !this.#file.isGone();
  }

  /** The record at a position; undefined when there is none, or not all of it yet. */
  #recordAt(at: number, size: number): [Header, Uint8Array] | undefined {
    const header = readHeader(this.#tag, this.#window.read(at, HEADER_BYTES));
    if (header === undefined || at + bytesOf(header) > size) return undefined;
    const index = this.#window.read(at + HEADER_BYTES, header.indexBytes);
    if (!isTrailer(header, this.#window.read(at + bytesOf(header) - TRAILER_BYTES, TRAILER_BYTES))) return undefined;
    return checksum(index) === header.indexSum ? [header, index] : undefined;
  }

  /** Where the next record begins, behind bytes that are none. */
  #search(size: number): number | undefined {
    for (let at = this.#end + 1; at + HEADER_BYTES <= size; at += 1) {
      at = this.#window.indexOf(this.#tag[0]!, at, size);
      if (at < 0) return undefined;
      if (this.#recordAt(at, size) !== undefined) return at;
    }
    return undefined;
  }

  #apply(at: number, header: Header, index: Uint8Array): void {
    if (header.flushed > this.#flushed) {
      this.#flushed = header.flushed;
      this.#unsure = this.#unsure?.filter((record) => record.at >= this.#flushed);
    }
    if (header.kind === Kind.batch) {
      this.#applyPart(at, header, readPart(index));
      return;
    }
    const { number, name } = readNote(index);
    if (header.kind === Kind.building) {
      this.#abandon();
      this.building = name;
    } else if (header.kind === Kind.ended && this.building === name && this.applied === number) {
      this.ended = name;
      this.#endedAt = at;
    } else if (header.kind === Kind.wiped) {
      this.#dirt.forget(number);
    }
  }

  #abandon(): void {
    if (this.building !== undefined) this.abandoned.add(this.building);
    this.building = undefined;
  }

  #applyPart(at: number, header: Header, part: Part): void {
    const { writer, number, isLast } = header;
    const id = `${writer}/${number}`;
    if (header.part === 0) this.#pending.set(id, { expectedHead: part.expectedHead, found: [], parts: 0 });
    const pending = this.#pending.get(id);
    const begins = at + HEADER_BYTES + header.indexBytes;
    let end = begins;
    const found = part.puts.map(({ key, length, sum }): [string, Location] => {
      end += length;
      return [key, { at: end - length, length, sum }];
    });
    const counts = pending !== undefined && pending.parts === header.part && pending.expectedHead === this.head;
    if (!counts) {
      this.#dirt.add(begins, header.dataBytes, at);
      if (pending !== undefined) this.#drop(id, pending, at);
    } else {
      this.#unsure?.push({ at, found });
      for (const entry of found) pending.found.push(entry);
      pending.parts += 1;
    }
    if (!isLast) return;
    this.#pending.delete(id);
    const outcome = counts ? this.#applyBatch(pending.found, part.deletes, at) : "lost";
    if (writer === this.#writer) this.#outcomes.set(number, outcome);
  }

  #drop(id: string, { found }: Pending, cause: number): void {
    this.#pending.delete(id);
    for (const [, location] of found) this.#dirt.add(location.at, location.length, cause);
  }

  #applyBatch(found: ReadonlyArray<[string, Location]>, deletes: readonly string[], cause: number): Outcome {
    let isErasing = false;
    const erase = (key: string, before: Location | undefined): void => {
      // Earlier heads hold nothing to erase.
      if (before === undefined || key === HEAD_KEY) return;
      this.#dirt.add(before.at, before.length, cause);
      isErasing = true;
    };
    for (const key of deletes) {
      erase(key, this.locations.delete(key));
      if (key === HEAD_KEY) [this.head, this.isEmptied] = [0, true];
    }
    for (const [key, location] of found) {
      erase(key, this.locations.set(key, location));
      if (key === HEAD_KEY) this.head = this.#counterAt(location);
    }
    this.applied += 1;
    if (isErasing) {
      this.erasures += 1;
      // What is being copied may be what is erased.
      this.#abandon();
    }
    for (const [id, pending] of this.#pending) if (pending.expectedHead !== this.head) this.#drop(id, pending, cause);
    return isErasing ? "erased" : "stored";
  }

  #counterAt({ at, length }: Location): number | undefined {
    return storedCounter(this.#window.read(at, Math.min(length, 8)));
  }

  /** The positions of records whose values are not what was written. */
  #torn(): number[] {
    const counts = ([key, { at }]: [string, Location]): boolean => this.locations.get(key)?.at === at;
    const torn = (this.#unsure ?? []).map(({ at, found }) => {
      // What no longer counts may have been erased.
      return { at, found: found.filter((entry) => counts(entry) && checksum(this.locations.read(entry[1])) !== entry[1].sum) };
    });
    // Another process may erase just now, and has said so before it does.
    this.walk();
    return torn.filter(({ found }) => found.some(counts)).map(({ at }) => at);
  }

  /** Adds a batch, and says what became of it. */
  append(batch: Puts, expectedHead: number): Outcome {
    this.#number += 1;
    for (const bytes of batchRecords(this.#tag, this.#origin(), batch, expectedHead)) this.#file.append(bytes);
    const isThere = this.walk();
    const outcome = this.#outcomes.get(this.#number) ?? (this.ended === undefined ? "lost" : "ended");
    this.#outcomes.clear();
    // Who removes the file removes what is in it.
    return isThere || this.ended !== undefined ? outcome : "lost";
  }

  /** Says that a file is being made to take this one's place. */
  announce(name: string): void {
    this.#note(Kind.building, 0, name);
  }

  /** Says that a file has taken this one's place. It has if `ended` is its name then: a batch may have come before. */
  end(name: string): void {
    this.#note(Kind.ended, this.applied, name);
  }

  #note(kind: number, number: number, name = ""): void {
    this.#number += 1;
    this.#file.append(record(this.#tag, { ...this.#origin(), kind }, noteIndex(number, name), []));
    this.walk();
  }

  #origin(): Pick<Header, "writer" | "number" | "flushed"> {
    return { writer: this.#writer, number: this.#number, flushed: this.#flushed };
  }

  /** Brings everything to the disk. */
  async flush(): Promise<void> {
    const end = this.#end;
    await this.#file.flush();
    this.#flushed = Math.max(this.#flushed, end);
  }

  /** Takes back that it ended: the file that took its place is lost. */
  async revive(): Promise<void> {
    this.#file.overwrite(new Uint8Array(HEADER_BYTES), this.#endedAt);
    await this.#file.flush();
  }

  /** Whether there is something that no longer counts and may hold words. */
  get isDirty(): boolean {
    return !this.#dirt.isEmpty;
  }

  /** Overwrites that. */
  async wipe(): Promise<void> {
    const end = this.#end;
    this.#dirt.wipe(this.#file);
    await this.#file.flush();
    this.#flushed = Math.max(this.#flushed, end);
    try {
      this.#note(Kind.wiped, end);
    } catch (error) {
      // It is overwritten already. Where there is no room to say so, it is overwritten once more when there is.
      if (!isFull(error)) throw error;
    }
  }

  /** How many bytes the file has. */
  get bytes(): number {
    return this.#end;
  }

  close(): void {
    this.#file.close();
  }
}

/** What a batch puts and deletes. */
interface Puts {
  readonly puts: readonly Value[];
  readonly deletes: StorageBatch["deletes"];
}

const isEqual = (one: Uint8Array, other: Uint8Array): boolean => one.every((byte, index) => byte === other[index]);
