/** Reading small pieces of a file that follow one another. */
import type { File } from "./file.js";
import { indexOf } from "./mask.js";

const WINDOW_BYTES = 64 * 1024;

/** What was read last, so that the next piece is often there. Bytes that were read as missing are read again. */
export class Window {
  readonly #file: File;
  #bytes = new Uint8Array(0);
  #at = 0;

  constructor(file: File) {
    this.#file = file;
  }

  /** The bytes from a position, as many as there are. They are valid until the next call. */
  read(at: number, length: number): Uint8Array {
    const offset = at - this.#at;
    if (offset < 0 || offset + length > this.#bytes.length) this.#fill(at, Math.max(length, WINDOW_BYTES));
    return this.#bytes.subarray(at - this.#at, at - this.#at + length);
  }

  /** Where bytes stand next, before `end`; -1 when they do not. */
  find(wanted: Uint8Array, at: number, end: number): number {
    for (let from = at; from + wanted.length <= end; ) {
      if (this.read(from, wanted.length).length < wanted.length) return -1;
      // All that was read with it.
      const bytes = this.#bytes.subarray(from - this.#at, end - this.#at);
      const found = indexOf(bytes, wanted);
      if (found >= 0) return from + found;
      from += bytes.length - wanted.length + 1;
    }
    return -1;
  }

  /** Forgets what was read. */
  clear(): void {
    this.#bytes = new Uint8Array(0);
  }

  #fill(at: number, length: number): void {
    const bytes = new Uint8Array(length);
    this.#at = at;
    this.#bytes = bytes.subarray(0, this.#file.read(bytes, at));
  }
}
