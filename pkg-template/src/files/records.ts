/** Finding the records of a journal, also where bytes before them are damaged. */
import { checksum } from "./checksum.js";
import type { File } from "./file.js";
import { bytesOf, endBytes, headerBytes, Kind, readHeader, type Form, type Header } from "./record.js";
import { Window } from "./window.js";

/** A record, and where it stands. */
export interface Found {
  readonly at: number;
  /** Where the next one may stand. */
  readonly next: number;
  readonly header: Header;
  readonly index: Uint8Array;
  /** Whether its header and index are right at both ends. */
  readonly isWhole: boolean;
}

/** The records of a file. No value holds the tag of its file, so whatever begins with that and has the right checksum is a header. */
export class Records {
  readonly #form: Form;
  readonly #window: Window;

  constructor(file: File, form: Form) {
    this.#form = form;
    this.#window = new Window(file);
  }

  /** The bytes from a position, as many as there are. They are valid until the next call. */
  read(at: number, length: number): Uint8Array {
    return this.#window.read(at, length);
  }

  /** Forgets what was read. */
  clear(): void {
    this.#window.clear();
  }

  /** The record that begins at a position, as {@link next} finds it. */
  at(at: number, size: number, isQuiet: boolean): Found | undefined {
    const header = this.#header(at);
    return header === undefined || header.isEnd ? undefined : this.#byFront(at, header, size, isQuiet);
  }

  /**
   * The first record from a position on; undefined when there is none, or not all of it yet. The last one is
   * still being written when its end is wrong, unless it `isQuiet`.
   */
  next(at: number, size: number, isQuiet: boolean): Found | undefined {
    for (let from = this.#tagFrom(at, size); from >= 0; from = this.#tagFrom(from + 1, size)) {
      const header = this.#header(from);
      if (header === undefined) continue;
      const found = header.isEnd ? this.#byEnd(at, from, header, size) : this.#byFront(from, header, size, isQuiet);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The record of which this is the first header. */
  #byFront(at: number, header: Header, size: number, isQuiet: boolean): Found | undefined {
    const next = at + bytesOf(this.#form, header);
    if (next > size) return undefined;
    if (header.kind === Kind.dropped) return { at, next, header, index: new Uint8Array(), isWhole: true };
    const index = this.#index(at + headerBytes(this.#form), header);
    const end = this.#end(next - endBytes(this.#form, header), header);
    if (end !== undefined) {
      // The end of version 1 has no index.
      const known = index ?? end.index;
      return known && { at, next, header, index: known, isWhole: index !== undefined };
    }
    // Of a record that was cut off, others stand where it would go on.
    const behind = index && this.#begins(at + 1, at, size);
    if (index === undefined || (behind === undefined ? !isQuiet : behind < next)) return undefined;
    return { at, next, header, index, isWhole: false };
  }

  /** The record of which this is the last header, when it begins at `from` or behind. */
  #byEnd(from: number, end: number, header: Header, size: number): Found | undefined {
    const at = end - header.dataBytes - header.indexBytes - headerBytes(this.#form);
    const next = end + endBytes(this.#form, header);
    if (at < from || next > size) return undefined;
    const index = this.#end(end, header)?.index;
    return index && { at, next, header, index, isWhole: false };
  }

  /** What the end of a record says of it; undefined when it is not right. */
  #end(at: number, header: Header): { index: Uint8Array | undefined } | undefined {
    const length = endBytes(this.#form, header);
    const bytes = this.#window.read(at, length);
    if (bytes.length < length || bytes[length - 1] !== 0) return undefined;
    if (this.#form.version === 1) {
      const numbers = new DataView(bytes.buffer, bytes.byteOffset);
      const isRight = numbers.getUint32(0, true) === header.sum && numbers.getUint32(4, true) === header.indexSum;
      return isRight ? { index: undefined } : undefined;
    }
    const other = readHeader(this.#form, bytes);
    if (other === undefined || !other.isEnd || other.writer !== header.writer || other.number !== header.number || other.part !== header.part) return undefined;
    const index = bytes.subarray(headerBytes(this.#form), length - 1);
    return checksum(index) === header.indexSum ? { index } : undefined;
  }

  #index(at: number, { indexBytes, indexSum }: Header): Uint8Array | undefined {
    const index = this.#window.read(at, indexBytes);
    return index.length === indexBytes && checksum(index) === indexSum ? index : undefined;
  }

  #header(at: number): Header | undefined {
    return readHeader(this.#form, this.#window.read(at, headerBytes(this.#form)));
  }

  /** Where the next record begins of which a header stands from a position on, other than the one that begins at `own`. */
  #begins(from: number, own: number, size: number): number | undefined {
    for (let at = this.#tagFrom(from, size); at >= 0; at = this.#tagFrom(at + 1, size)) {
      const header = this.#header(at);
      if (header === undefined) continue;
      const begins = header.isEnd ? at - header.dataBytes - header.indexBytes - headerBytes(this.#form) : at;
      if (begins > own) return begins;
    }
    return undefined;
  }

  /** Where the tag stands next; -1 when it does not. */
  #tagFrom(from: number, end: number): number {
    return this.#window.find(this.#form.tag, from, end);
  }
}
