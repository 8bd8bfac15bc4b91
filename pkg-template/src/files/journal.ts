/** A journal: which value stands where in a file to which records are added. */
import { CorruptError } from "../errors.js";
import { storedCounter, HEAD_KEY } from "../head.js";
import { batchRecords, noteIndex, readNote, readPart, type Part, type Puts } from "./batch.js";
import { BEGINNING_BYTES } from "./beginning.js";
import { checksum } from "./checksum.js";
import { Dirt } from "./dirt.js";
import { isFull, type File } from "./file.js";
import { Gaps, type Gap } from "./gaps.js";
import { Locations, type Location } from "./locations.js";
import { maskAt, masked } from "./mask.js";
import { beginningOf, frame, headerBytes, hex, Kind, putHeader, randomName, readBeginning, record, type Form, type Header } from "./record.js";
import { Records, type Found } from "./records.js";
import { recovered } from "./recovery.js";

/** What became of a batch: `"ended"` when another file took the place of this one before. */
export type Outcome = "stored" | "erased" | "lost" | "ended";

/** A batch of which parts are still to come. */
interface Pending extends Basis {
  readonly found: Array<[string, Location]>;
  parts: number;
}

/** What a batch was written upon. */
interface Basis {
  readonly upon: number | undefined;
  readonly expectedHead: number;
}

/** Whether a batch goes upon the last one that counts, upon an earlier one, or upon one that is not there. */
type Standing = "next" | "late" | "missed";

/** Records of one batch, or a note, with nothing behind them. */
interface Run {
  readonly id: string;
  readonly writer: string;
  readonly records: Array<{ readonly at: number; readonly isWhole: boolean; readonly found: ReadonlyArray<[string, Location]> }>;
}

/** Keys under which the engine finds that bytes of the file were damaged, and what is left of them. Nothing it erases comes later. */
const DAMAGED = "damaged/ffffffffffffffff/journal/";

/** How much of what was damaged is shown. */
const SHOWN_BYTES = 1024 * 1024;

/** How many bytes come to the disk together. */
const SECTOR_BYTES = 512;

/**
 * A file of records, and the sum of those that were added so far. The order in the file decides: of two batches that go upon the same
 * one, the first one counts. So whoever adds a record reads what stands before it, and nobody has to be kept out.
 */
export class Journal {
  readonly #file: File;
  readonly #records: Records;
  readonly #beginning: Uint8Array;
  readonly #form: Form;
  readonly #writer = randomName();
  #number = 0;
  readonly #outcomes = new Map<number, Outcome>();
  readonly #pending = new Map<string, Pending>();
  readonly #dirt = new Dirt();
  readonly #gaps = new Gaps();
  /** What was damaged, by the keys that tell it. */
  readonly #damaged = new Map<string, Gap>();
  /** Batches that do not count although they seem to: one that is damaged came before. */
  readonly #refused: ReadonlySet<string>;
  /** One more of them, which was taken in. */
  #mistaken: string | undefined;
  #run: Run = { id: "", writer: "", records: [] };
  /** Who made the file of another, and brought it to the disk before it took its place. */
  #maker: string | undefined;
  #isOpening = true;
  #end = BEGINNING_BYTES;
  /** The size of the file when no further record was found. */
  #searched = 0;
  #flushed = 0;
  /** The position of the last batch that counts. */
  #last = 0;

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

  private constructor(file: File, beginning: Uint8Array, form: Form, refused: ReadonlySet<string>) {
    this.#file = file;
    this.#records = new Records(file, form);
    this.locations = new Locations(file);
    this.#beginning = beginning;
    this.#form = form;
    this.#refused = refused;
  }

  /**
   * Reads what a file holds; `name` is what it is called. What a power failure left of the last batches, which nobody was told were
   * stored, is taken out, and what else stands twice at the ends of the file is put right. Nothing else is written.
   *
   * @throws CorruptError when it is no journal, UnsupportedVersionError when it is one of a newer version.
   */
  static async open(file: File, name: string): Promise<Journal> {
    try {
      return await Journal.#read(file, name);
    } catch (error) {
      file.close();
      throw error;
    }
  }

  static async #read(file: File, name: string): Promise<Journal> {
    for (const refused = new Set<string>(); ; ) {
      const beginning = new Uint8Array(BEGINNING_BYTES);
      const form = readBeginning(beginning.subarray(0, file.read(beginning, 0)), name) ?? (await Journal.#begunAgain(file));
      if (form === undefined) throw new CorruptError(`${name} is no journal of mnemic, or its beginning is damaged; name another file, or restore a backup`);
      file.read(beginning, 0);
      const journal = new Journal(file, beginning, form, refused);
      journal.walk();
      if (journal.#mistaken !== undefined) {
        refused.add(journal.#mistaken);
      } else if (await journal.#isSound()) {
        journal.#isOpening = false;
        return journal;
      }
    }
  }

  /** Puts a beginning right that is damaged; what it says, undefined when the file is no journal. */
  static async #begunAgain(file: File): Promise<Form | undefined> {
    const form = recovered(file);
    if (form === undefined) return undefined;
    file.overwrite(beginningOf(form), 0);
    await file.flush();
    return form;
  }

  /** Whether the file was made of another. */
  get isMade(): boolean {
    return this.#form.isMade;
  }

  /** Whether the file is of an earlier version, which tells less of what is damaged. */
  get isOld(): boolean {
    return this.#form.version === 1;
  }

  /**
   * Whether all that was added is taken in: what stood in the file before still does. Whoever takes a value away adds to the file first,
   * or makes it as short as one that has none.
   */
  get isAsWalked(): boolean {
    return this.ended === undefined && this.#end > BEGINNING_BYTES && this.#file.size() === this.#end && !this.#file.isGone();
  }

  /** Takes in what was added. Whether the file is still the one that was opened. */
  walk(): boolean {
    const size = this.#file.size();
    const beginning = new Uint8Array(BEGINNING_BYTES);
    this.#file.read(beginning, 0);
    if (size < this.#end || !isEqual(beginning, this.#beginning)) return false;
    // What was added by halves then may be whole now.
    if (this.#end < size) this.#records.clear();
    while (this.#end < size && this.ended === undefined && this.#mistaken === undefined) {
      const found = this.#records.at(this.#end, size, this.#isOpening) ?? this.#search(size);
      if (found === undefined) break;
      if (found.at > this.#end) this.#gaps.add({ at: this.#end, end: found.at });
      this.#apply(found);
      this.#end = found.next;
    }
    return !this.#file.isGone();
  }

  /** The next record, behind bytes that are none. */
  #search(size: number): Found | undefined {
    if (this.#searched === size) return undefined;
    const found = this.#records.next(this.#end, size, this.#isOpening);
    if (found === undefined) this.#searched = size;
    return found;
  }

  #apply({ at, header, index, isWhole }: Found): void {
    this.#flushed = Math.max(this.#flushed, header.flushed);
    const id = idOf(header);
    if (header.kind === Kind.dropped) {
      this.#dirt.add(at + headerBytes(this.#form) + header.indexBytes, header.dataBytes, at);
      return;
    }
    const part = header.kind === Kind.batch ? readPart(index) : undefined;
    const basis = { upon: header.upon, expectedHead: part?.expectedHead ?? 0 };
    const standing = this.#refused.has(id) ? "late" : part === undefined && this.isOld ? undefined : this.#standing(basis);
    const parts = this.#pending.get(id)?.parts ?? 0;
    if (standing === "missed") this.#miss(at, id, basis);
    // The parts of a batch are written one after the other.
    else if (part !== undefined && header.part > parts && standing !== "late") this.#tell(at, id, basis);
    else if (standing === "next") for (const gap of this.#gaps.close({ id, ...basis })) this.#dirt.add(gap.at, gap.end - gap.at, at);
    if (!isWhole) this.#mark({ at, end: at });
    let found: Array<[string, Location]> = [];
    if (part === undefined) this.#applyNote(at, header, index, standing);
    else found = this.#applyPart(at, header, part, standing !== "late");
    if (!this.#isOpening) return;
    const { writer } = header;
    if (this.isMade) this.#maker ??= writer;
    if (this.#run.id !== id) this.#run = { id, writer, records: [] };
    this.#run.records.push({ at, isWhole, found });
  }

  #standing({ upon, expectedHead }: Basis): Standing {
    if (upon === undefined) {
      if (expectedHead === this.head) return "next";
      return this.head === undefined || expectedHead > this.head || !this.#isHeadSound() ? "missed" : "late";
    }
    if (upon === this.#last) return "next";
    return upon > this.#last || this.#gaps.contradicted(upon) !== undefined ? "missed" : "late";
  }

  #isHeadSound(): boolean {
    const location = this.locations.get(HEAD_KEY);
    return location === undefined || checksum(this.locations.read(location)) === location.sum;
  }

  /** A batch counted that is not there, and the record at a position was written upon it. */
  #miss(at: number, id: string, { upon, expectedHead }: Basis): void {
    const wrong = upon === undefined ? undefined : this.#gaps.contradicted(upon);
    if (wrong !== undefined && this.#isOpening) {
      this.#mistaken = wrong;
      return;
    }
    this.#tell(at, id, { upon, expectedHead });
    // It may be the one of which only the last part is missing.
    const [begun, ...others] = [...this.#pending.values()].filter((pending) => this.#standing(pending) === "next");
    if (begun !== undefined && others.length === 0) this.#applyBatch(begun.found, [], at);
    if (upon === undefined) this.head = expectedHead;
    else this.#last = upon;
    for (const [begun, pending] of this.#pending) if (this.#standing(pending) !== "next") this.#pending.delete(begun);
  }

  /** Tells that bytes before a record were damaged. */
  #tell(at: number, id: string, { upon }: Basis): void {
    const gaps = this.#gaps.close({ id, upon });
    for (const gap of gaps.length > 0 ? gaps : [{ at, end: at }]) this.#mark(gap);
  }

  #mark(gap: Gap): void {
    const key = `${DAMAGED}${hex(this.#form.tag.subarray(0, 4))}/${gap.at.toString(16).padStart(12, "0")}`;
    const length = Math.min(SHOWN_BYTES, gap.end - gap.at);
    const shown = this.locations.read({ at: gap.at, length, sum: 0, mask: 0 });
    // Zeros tell nothing.
    const end = shown.findLastIndex((byte) => byte !== 0) + 1;
    this.locations.set(key, { at: gap.at, length: end, sum: checksum(shown.subarray(0, end)), mask: 0 });
    this.#damaged.set(key, gap);
  }

  #applyNote(at: number, header: Header, index: Uint8Array, standing: Standing | undefined): void {
    const { number, name } = readNote(index);
    if (header.kind === Kind.building) {
      this.#abandon();
      this.building = name;
    } else if (header.kind === Kind.ended) {
      // A batch may have come before.
      const isLate = standing === undefined ? this.applied !== number : standing === "late";
      if (this.building === name && !isLate) [this.ended, this.#endedAt] = [name, at];
    } else if (header.kind === Kind.wiped) {
      this.#dirt.forget(number);
    }
  }

  #abandon(): void {
    if (this.building !== undefined) this.abandoned.add(this.building);
    this.building = undefined;
  }

  /** Takes a part of a batch in; where its values stand. */
  #applyPart(at: number, header: Header, part: Part, counts: boolean): Array<[string, Location]> {
    const { writer, number, isLast } = header;
    const id = idOf(header);
    const { upon } = header;
    const pending = this.#pending.get(id) ?? { upon, expectedHead: part.expectedHead, found: [], parts: 0 };
    const begins = at + headerBytes(this.#form) + header.indexBytes;
    let end = begins;
    const found = part.puts.map(({ key, length, sum }): [string, Location] => {
      end += length;
      return [key, { at: end - length, length, sum, mask: maskAt(header.mask, end - length - begins) }];
    });
    if (counts) {
      this.#pending.set(id, pending);
      for (const entry of found) pending.found.push(entry);
      pending.parts = header.part + 1;
    } else {
      this.#dirt.add(begins, header.dataBytes, at);
      this.#drop(id, pending, at);
    }
    if (!isLast) return found;
    this.#pending.delete(id);
    if (counts) this.#last = at;
    const outcome = counts ? this.#applyBatch(pending.found, part.deletes, at) : "lost";
    if (writer === this.#writer) this.#outcomes.set(number, outcome);
    return found;
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
      const gap = this.#damaged.get(key);
      this.#damaged.delete(key);
      if (gap === undefined) this.#dirt.add(before.at, before.length, cause);
      else this.#dirt.add(gap.at, gap.end - gap.at, cause);
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
    for (const [id, pending] of this.#pending) if (this.#standing(pending) === "late") this.#drop(id, pending, cause);
    return isErasing ? "erased" : "stored";
  }

  #counterAt({ at, length, mask }: Location): number | undefined {
    return storedCounter(masked(this.#records.read(at, Math.min(length, 8)), mask));
  }

  /**
   * Whether the last records are right; if not, they are put right, and the file is to be read again. Who wrote the last batch may not have
   * been told that it is stored, so it is dropped when sectors of it never came to the disk.
   */
  async #isSound(): Promise<boolean> {
    const run = this.#run;
    const unsure = run.writer === this.#maker ? [] : run.records.filter(({ at }) => at >= this.#flushed);
    const isTorn = unsure.some((record) => record.found.some((entry) => this.#isTorn(record, entry))) && !this.#dirt.isWiped(this.#file, unsure[0]!.at);
    if (!isTorn && unsure.every(({ isWhole }) => isWhole)) return true;
    // Others may be at work.
    this.walk();
    if (this.#run !== run) return false;
    for (const { at } of unsure) {
      if (isTorn) this.#cancel(at);
      else this.#mend(at);
    }
    await this.#file.flush();
    return false;
  }

  /** Whether a part of a value never came to the disk: a sector is zeros, or an end is wrong too. Of a value that was overwritten, all is zeros. */
  #isTorn(record: Run["records"][number], [key, { at, length, sum, mask }]: [string, Location]): boolean {
    // What no longer counts may have been overwritten.
    if (this.locations.get(key)?.at !== at) return false;
    const bytes = this.locations.read({ at, length, sum, mask: 0 });
    if (checksum(masked(bytes, mask)) === sum || bytes.every((byte) => byte === 0)) return false;
    if (!record.isWhole) return true;
    for (let sector = at - (at % SECTOR_BYTES); sector < at + length; sector += SECTOR_BYTES) {
      const begins = Math.max(sector, record.at);
      const around = this.locations.read({ at: begins, length: sector + SECTOR_BYTES - begins, sum: 0, mask: 0 });
      if (around.every((byte) => byte === 0)) return true;
    }
    return false;
  }

  /** Has a record say nothing any more. */
  #cancel(at: number): void {
    const bytes = headerBytes(this.#form);
    const found = this.#records.next(at, this.#file.size(), true);
    if (found?.at !== at) return;
    this.#file.overwrite(this.isOld ? new Uint8Array(bytes) : putHeader(this.#form, { ...found.header, kind: Kind.dropped, isEnd: false }), at);
  }

  /** Has a record be right at both ends. */
  #mend(at: number): void {
    const found = this.#records.next(at, this.#file.size(), true);
    if (found?.at !== at || found.isWhole) return;
    const { front, end } = frame(this.#form, found.header, found.index);
    this.#file.overwrite(front, at);
    this.#file.overwrite(end, found.next - end.length);
  }

  /** Adds a batch, and says what became of it. */
  append(batch: Puts, expectedHead: number): Outcome {
    this.#number += 1;
    for (const bytes of batchRecords(this.#form, this.#origin(), batch, expectedHead)) this.#file.append(bytes);
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
    this.#file.append(record(this.#form, { ...this.#origin(), kind }, noteIndex(number, name), []));
    this.walk();
  }

  #origin(): Pick<Header, "writer" | "number" | "flushed" | "upon"> {
    return { writer: this.#writer, number: this.#number, flushed: this.#flushed, upon: this.#last };
  }

  /** Brings everything to the disk. */
  async flush(): Promise<void> {
    const end = this.#end;
    await this.#file.flush();
    this.#flushed = Math.max(this.#flushed, end);
  }

  /** Takes back that it ended: the file that took its place is lost. */
  async revive(): Promise<void> {
    this.#cancel(this.#endedAt);
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

const idOf = ({ writer, number }: Header): string => `${writer}/${number}`;

const isEqual = (one: Uint8Array, other: Uint8Array): boolean => one.every((byte, index) => byte === other[index]);
