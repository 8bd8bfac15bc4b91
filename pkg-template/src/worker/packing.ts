/** Many arrays of numbers as one that moves to the other side. What the app gave is copied: it may use it again. */
import type { Vector } from "../models.js";
import type { Pairs } from "../storage.js";
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

/** The buffers of values that are nobody else's. */
export function buffersOf(values: ReadonlyArray<readonly [string, Uint8Array]>): ArrayBuffer[] {
  return values.map(([, value]) => value.buffer as ArrayBuffer);
}
