/** Many arrays of numbers as one that moves to the other side. What the app gave is copied: it may use it again. */
import type { MnemicError } from "../errors.js";
import type { Vector } from "../models.js";
import type { Pairs, StorageBatch } from "../storage.js";
import { Moved } from "./wire.js";

/** Vectors of one length after one another; anything else as it is, for the engine to judge. */
type SentVectors = { readonly packed: Float32Array<ArrayBuffer>; readonly count: number } | { readonly given: unknown };

/** The answer of an embedding model, to be sent. */
export function packVectors(given: unknown): Moved {
  const vectors = Array.isArray(given) ? (given as unknown[]) : [];
  const [first] = vectors;
  const isPacked = first instanceof Float32Array && vectors.every((one) => one instanceof Float32Array && one.length === first.length);
  if (!isPacked) return new Moved({ given } satisfies SentVectors, []);
  const packed = new Float32Array(first.length * vectors.length);
  for (const [index, vector] of (vectors as Float32Array[]).entries()) packed.set(vector, index * first.length);
  return new Moved({ packed, count: vectors.length } satisfies SentVectors, [packed.buffer]);
}

/** The vectors that were sent. */
export function unpackVectors(sent: SentVectors): readonly Vector[] {
  if ("given" in sent) return sent.given as readonly Vector[];
  const { packed, count } = sent;
  const length = packed.length / count;
  return Array.from({ length: count }, (_, index) => packed.subarray(index * length, (index + 1) * length));
}

/** Keys with the lengths of their values, which follow one another; anything else as it is, for the engine to judge. */
type SentPairs =
  | { readonly keys: string[]; readonly lengths: number[]; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly given: unknown };

/** The answer of a storage's `read`, to be sent. */
export function packPairs(given: unknown): Moved {
  const isPacked = Array.isArray(given) && given.every((pair) => Array.isArray(pair) && typeof pair[0] === "string" && pair[1] instanceof Uint8Array);
  if (!isPacked) return new Moved({ given } satisfies SentPairs, []);
  const pairs = given as Pairs;
  const lengths = pairs.map(([, value]) => value.length);
  const bytes = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0));
  let at = 0;
  for (const [, value] of pairs) {
    bytes.set(value, at);
    at += value.length;
  }
  return new Moved({ keys: pairs.map(([key]) => key), lengths, bytes } satisfies SentPairs, [bytes.buffer]);
}

/** The pairs that were sent. */
export function unpackPairs(sent: SentPairs): Pairs {
  if ("given" in sent) return sent.given as Pairs;
  const { keys, lengths, bytes } = sent;
  let at = 0;
  return keys.map((key, index) => {
    const start = at;
    at += lengths[index] ?? 0;
    return [key, bytes.subarray(start, at)];
  });
}

/** A batch of writes with its values in one piece: browsers move only so many buffers at once to another process. */
interface SentBatch {
  readonly puts: SentPairs;
  readonly deletes: readonly string[];
}

/** A batch, to be sent. */
export function packBatch({ puts, deletes }: StorageBatch): Moved {
  const { value, transfer } = packPairs(puts);
  return new Moved({ puts: value as SentPairs, deletes } satisfies SentBatch, transfer);
}

/** The batch that was sent; its values are buffers of their own, because a storage may keep them as they are. */
export function unpackBatch({ puts, deletes }: SentBatch): StorageBatch {
  return { puts: unpackPairs(puts).map(([key, value]) => [key, value.slice()]), deletes };
}

/** What came of things that cross in pieces, by their numbers. */
export class Crossing<Piece> {
  readonly #came = new Map<number, Piece[]>();
  readonly #lost: (pieces: string) => MnemicError;

  /** @param lost what to say when so many pieces did not come. */
  constructor(lost: (pieces: string) => MnemicError) {
    this.#lost = lost;
  }

  take(number: number, piece: Piece): void {
    const came = this.#came.get(number) ?? [];
    came.push(piece);
    this.#came.set(number, came);
  }

  /** All pieces. A worker that ended in between has taken some with it. */
  all(number: number, count: number): Piece[] {
    const came = this.#came.get(number) ?? [];
    this.#came.delete(number);
    if (came.length !== count) throw this.#lost(`${count - came.length} of ${count} pieces`);
    return came;
  }
}
