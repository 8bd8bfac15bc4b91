/** The vectors of texts that were embedded already. */

/** What an entry takes besides its text and its vector: roughly the objects around them. */
const ENTRY_BYTES = 100;

/** Vectors by text, up to a number of bytes; what was used longest ago goes first. */
export class VectorCache {
  readonly #maxBytes: number;
  readonly #vectors = new Map<string, Float32Array>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The vector of a text; undefined when it is not here. */
  get(text: string): Float32Array | undefined {
    const vector = this.#vectors.get(text);
    if (vector === undefined) return undefined;
    this.#vectors.delete(text);
    this.#vectors.set(text, vector);
    return vector;
  }

  /** Keeps a vector; one that is larger than the cache is not kept. */
  set(text: string, vector: Float32Array): void {
    const bytes = bytesOf(text, vector);
    const known = this.#vectors.get(text);
    if (known !== undefined) this.#remove(text, known);
    if (bytes > this.#maxBytes) return;
    for (const [oldest, old] of this.#vectors) {
      if (this.#bytes + bytes <= this.#maxBytes) break;
      this.#remove(oldest, old);
    }
    this.#vectors.set(text, vector);
    this.#bytes += bytes;
  }

  #remove(text: string, vector: Float32Array): void {
    this.#vectors.delete(text);
    this.#bytes -= bytesOf(text, vector);
  }
}

const bytesOf = (text: string, vector: Float32Array): number => text.length * 2 + vector.byteLength + ENTRY_BYTES;
