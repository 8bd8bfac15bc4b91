/** Reading small pieces of a file that follow one another. */
import type { File } from "./file.js";

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

  /** Where a byte stands next, before `end`; -1 when it does not. */
  indexOf(byte: number, at: number, end: number): number {
    for (let from = at; from < end; from += WINDOW_BYTES) {
      const found = this.read(from, Math.min(WINDOW_BYTES, end - from)).indexOf(byte);
      if (found >= 0) return from + found;
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
