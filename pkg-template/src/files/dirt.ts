/** Bytes that no longer count, and may hold words that somebody wants to be gone. */
import type { File } from "./file.js";

interface Range {
  readonly at: number;
  readonly length: number;
  /** The position of the record that made them worthless. */
  readonly cause: number;
}

/** How many zeros are written at once. */
const ZEROS = new Uint8Array(64 * 1024);

/** Such bytes in one file. */
export class Dirt {
  #ranges: Range[] = [];

  get isEmpty(): boolean {
    return this.#ranges.length === 0;
  }

  add(at: number, length: number, cause: number): void {
    if (length > 0) this.#ranges.push({ at, length, cause });
  }

  /** Leaves out what was worthless before this position, and is overwritten. */
  forget(before: number): void {
    this.#ranges = this.#ranges.filter(({ cause }) => cause >= before);
  }

  /** Whether some of what records from a position on made worthless is overwritten: then these were on the disk. */
  isWiped(file: File, from: number): boolean {
    return this.#ranges.some(({ at, length, cause }) => {
      const bytes = new Uint8Array(Math.min(length, ZEROS.length));
      return cause >= from && file.read(bytes, at) === bytes.length && bytes.every((byte) => byte === 0);
    });
  }

  /** Overwrites all of it. */
  wipe(file: File): void {
    for (const { at, length } of this.#ranges) {
      for (let done = 0; done < length; done += ZEROS.length) {
        file.overwrite(ZEROS.subarray(0, Math.min(ZEROS.length, length - done)), at + done);
      }
    }
  }
}
