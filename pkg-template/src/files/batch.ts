/** What the records of a journal say: batches, in one part or several, and notes. */
import type { StorageBatch } from "../storage.js";
import { checksum } from "./checksum.js";
import { Kind, record, textOf, view, type Form, type Origin } from "./record.js";

/** What a part of a batch says. */
export interface Part {
  /** The counter of the head that the batch goes upon. */
  readonly expectedHead: number;
  /** The keys with the lengths and checksums of their values, which follow one another in the data. */
  readonly puts: ReadonlyArray<{ readonly key: string; readonly length: number; readonly sum: number }>;
  readonly deletes: readonly string[];
}

/** What a batch puts and deletes. */
export type Puts = Pick<StorageBatch, "puts" | "deletes">;

/** About how many bytes of values one record has at most: more are cut into several. */
const PART_BYTES = 4 * 1024 * 1024;

/** The records of a batch. */
export function* batchRecords(
  form: Form,
  origin: Omit<Origin, "kind" | "isLast" | "part">,
  { puts, deletes }: Puts,
  expectedHead: number,
): Generator<Uint8Array> {
  let first = 0;
  for (let part = 0, isLast = false; !isLast; part += 1) {
    let end = first;
    for (let bytes = 0; end < puts.length && bytes < PART_BYTES; end += 1) bytes += puts[end]![1].length;
    const group = puts.slice(first, end);
    isLast = end === puts.length;
    first = end;
    const sums = group.map(([key, value]) => ({ key, length: value.length, sum: checksum(value) }));
    const index = partIndex({ expectedHead, puts: sums, deletes: isLast ? deletes : [] });
    yield record(form, { ...origin, kind: Kind.batch, isLast, part }, index, group.map(([, value]) => value));
  }
}

/** The index of a part of a batch. */
function partIndex({ expectedHead, puts, deletes }: Part): Uint8Array {
  const puttingBytes = puts.reduce((sum, { key }) => sum + 9 + key.length, 0);
  const bytes = new Uint8Array(16 + puttingBytes + deletes.reduce((sum, key) => sum + 1 + key.length, 0));
  const numbers = view(bytes);
  numbers.setBigUint64(0, BigInt(expectedHead), true);
  numbers.setUint32(8, puts.length, true);
  numbers.setUint32(12, deletes.length, true);
  let at = 16;
  for (const { key, length, sum } of puts) {
    at = putKey(bytes, at, key);
    numbers.setUint32(at, length, true);
    numbers.setUint32(at + 4, sum, true);
    at += 8;
  }
  for (const key of deletes) at = putKey(bytes, at, key);
  return bytes;
}

/** What the index of a part says. */
export function readPart(bytes: Uint8Array): Part {
  const numbers = view(bytes);
  let at = 16;
  const key = (): string => {
    const length = bytes[at]!;
    const text = textOf(bytes.subarray(at + 1, at + 1 + length));
    at += 1 + length;
    return text;
  };
  const puts = Array.from({ length: numbers.getUint32(8, true) }, () => {
    const put = { key: key(), length: numbers.getUint32(at, true), sum: numbers.getUint32(at + 4, true) };
    at += 8;
    return put;
  });
  const deletes = Array.from({ length: numbers.getUint32(12, true) }, key);
  return { expectedHead: Number(numbers.getBigUint64(0, true)), puts, deletes };
}

/** The index of a record that says a number and a name. */
export function noteIndex(number: number, name = ""): Uint8Array {
  const bytes = new Uint8Array(9 + name.length);
  view(bytes).setBigUint64(0, BigInt(number), true);
  putKey(bytes, 8, name);
  return bytes;
}

/** What such an index says. */
export function readNote(bytes: Uint8Array): { number: number; name: string } {
  return { number: Number(view(bytes).getBigUint64(0, true)), name: textOf(bytes.subarray(9, 9 + bytes[8]!)) };
}

function putKey(into: Uint8Array, at: number, key: string): number {
  into[at] = key.length;
  for (let index = 0; index < key.length; index += 1) into[at + 1 + index] = key.charCodeAt(index);
  return at + 1 + key.length;
}
