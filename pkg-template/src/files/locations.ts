/** Where the values of a journal stand. */
import type { File } from "./file.js";
import { maskAt, masked } from "./mask.js";

/** Where a value stands, with its checksum. */
export interface Location {
  readonly at: number;
  readonly length: number;
  readonly sum: number;
  /** What its bytes are masked with. */
  readonly mask: number;
}

/** How much of no use is read between two values rather than reading twice. */
const GAP_BYTES = 4096;

/** How much is read at once. */
const READ_BYTES = 8 * 1024 * 1024;

/** What is read in small pieces gets its bytes from an array of this size: to make one takes as long as to fill it. */
const ROOM_BYTES = 256 * 1024;

/** An ordered map from keys to places in a file. */
export class Locations {
  readonly #file: File;
  readonly #locations = new Map<string, Location>();
  #sorted: string[] | undefined;
  /** Bytes that nobody has yet. */
  #room = new Uint8Array(0);
  /** How many bytes the values have. */
  bytes = 0;

  constructor(file: File) {
    this.#file = file;
  }

  get isEmpty(): boolean {
    return this.#locations.size === 0;
  }

  get(key: string): Location | undefined {
    return this.#locations.get(key);
  }

  /** Sets the place of a key; the one it had before. */
  set(key: string, location: Location): Location | undefined {
    const before = this.#locations.get(key);
    if (before === undefined && this.#sorted !== undefined) this.#sorted.splice(indexIn(this.#sorted, key), 0, key);
    this.#locations.set(key, location);
    this.bytes += location.length - (before?.length ?? 0);
    return before;
  }

  /** Removes a key; the place it had. */
  delete(key: string): Location | undefined {
    const before = this.#locations.get(key);
    if (before === undefined) return undefined;
    this.#locations.delete(key);
    this.#sorted = undefined;
    this.bytes -= before.length;
    return before;
  }

  /** The keys from `start` up to `end`, in order. */
  keys(start: string, end: string): string[] {
    this.#sorted ??= [...this.#locations.keys()].sort((one, other) => (one < other ? -1 : 1));
    return this.#sorted.slice(indexIn(this.#sorted, start), indexIn(this.#sorted, end));
  }

  /** The bytes at a place, or some of them; fewer when the file has not so many any more. */
  read({ at, length, mask }: Location, offset = 0, wanted = length): Uint8Array {
    const bytes = this.#bytes(Math.max(0, Math.min(wanted, length - offset)));
    return masked(this.#filled(bytes, at + offset), maskAt(mask, offset));
  }

  #filled(bytes: Uint8Array, at: number): Uint8Array {
    return bytes.subarray(0, bytes.length === 0 ? 0 : this.#file.read(bytes, at));
  }

  #bytes(length: number): Uint8Array {
    if (length === 0 || length > ROOM_BYTES / 4) return new Uint8Array(length);
    if (length > this.#room.length) this.#room = new Uint8Array(ROOM_BYTES);
    const bytes = this.#room.subarray(0, length);
    this.#room = this.#room.subarray(length);
    return bytes;
  }

  /** The values of keys that are there, in the order of the keys. What stands together is read at once. */
  values(keys: readonly string[]): Array<[string, Uint8Array]> {
    const found = keys.map((key, index) => ({ index, key, ...this.#locations.get(key)! })).sort((one, other) => one.at - other.at);
    const pairs: Array<[string, Uint8Array]> = [];
    for (let first = 0, next = 0; first < found.length; first = next) {
      const begins = found[first]!.at;
      let ends = begins;
      for (; next < found.length; next += 1) {
        const { at, length } = found[next]!;
        if (next > first && (at - ends > GAP_BYTES || at + length - begins > READ_BYTES)) break;
        ends = at + length;
      }
      const bytes = this.#filled(new Uint8Array(ends - begins), begins);
      for (const { index, key, at, length, mask } of found.slice(first, next)) {
        pairs[index] = [key, masked(bytes.subarray(at - begins, at - begins + length), mask)];
      }
    }
    return pairs;
  }
}

/** Where a key stands in a sorted list, or would stand. */
function indexIn(sorted: readonly string[], key: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
