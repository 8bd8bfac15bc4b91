/** The bytes of a journal: its beginning, and its records. `docs/format.md` describes them. */
import { CorruptError, UnsupportedVersionError } from "../errors.js";
import type { StorageBatch } from "../storage.js";
import { BEGINNING_BYTES } from "./beginning.js";
import { checksum } from "./checksum.js";

/** What a journal begins with. */
const MAGIC = "mnemicJ\n";
const VERSION = 1;

/** How long the header of a record is. */
export const HEADER_BYTES = 52;

/** How long the end of a record is. */
export const TRAILER_BYTES = 9;

/** The random bytes that every record of one journal begins with. None of them is 0, and a record ends with 0. */
export const TAG_BYTES = 8;

/** What a record says. */
export const Kind = { batch: 1, building: 2, ended: 3, wiped: 4 } as const;

/** The header of a record. */
export interface Header {
  readonly kind: number;
  /** Whether no further part of the batch follows. */
  readonly isLast: boolean;
  readonly indexBytes: number;
  readonly dataBytes: number;
  /** Which part of the batch it is, from 0. */
  readonly part: number;
  /** Who wrote it: random bytes of an opening, in hex. */
  readonly writer: string;
  /** Counts the batches of the writer. */
  readonly number: number;
  readonly indexSum: number;
  /** Up to which position all bytes are known to be on the disk. */
  readonly flushed: number;
  /** The checksum of the header itself. */
  readonly sum: number;
}

/** What a part of a batch says. */
export interface Part {
  /** The counter of the head that the batch goes upon. */
  readonly expectedHead: number;
  /** The keys with the lengths and checksums of their values, which follow one another in the data. */
  readonly puts: ReadonlyArray<{ readonly key: string; readonly length: number; readonly sum: number }>;
  readonly deletes: readonly string[];
}

/** A whole record has this many bytes. */
export const bytesOf = ({ indexBytes, dataBytes }: Header): number => HEADER_BYTES + indexBytes + dataBytes + TRAILER_BYTES;

/** Random bytes, in hex. */
export function randomName(): string {
  return hex(crypto.getRandomValues(new Uint8Array(TAG_BYTES)).map((byte) => byte || 1));
}

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

function putHex(into: Uint8Array, at: number, text: string): void {
  for (let index = 0; index < text.length; index += 2) into[at + index / 2] = parseInt(text.slice(index, index + 2), 16);
}

const view = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView => new DataView(buffer, byteOffset, byteLength);

/** The beginning of a new journal. */
export function newBeginning(): Uint8Array {
  const bytes = new Uint8Array(BEGINNING_BYTES);
  putText(bytes, 0, MAGIC);
  bytes[8] = VERSION;
  putHex(bytes, 12, randomName());
  view(bytes).setUint32(20, checksum(bytes.subarray(0, 20)), true);
  return bytes;
}

/**
 * The tag in the beginning of a journal; undefined when the beginning is not whole.
 *
 * @throws UnsupportedVersionError when a newer version wrote it.
 * @throws CorruptError when it is of something else.
 */
export function readBeginning(bytes: Uint8Array): Uint8Array | undefined {
  if (bytes.length < BEGINNING_BYTES) return undefined;
  if (view(bytes).getUint32(20, true) !== checksum(bytes.subarray(0, 20)) || textOf(bytes.subarray(0, 8)) !== MAGIC) {
    throw new CorruptError("the file is no journal of mnemic, or its beginning is damaged; name another file, or restore a backup");
  }
  if (bytes[8] !== VERSION) {
    throw new UnsupportedVersionError(`the file was written by version ${bytes[8]} of the journal, and this one reads ${VERSION}; update the package`);
  }
  return bytes.slice(12, 20);
}

/** Where the beginning of a journal says that another took its place, and what it says then. One byte changes as a whole or not at all. */
export const REPLACED_AT = 6;
export const REPLACED = new Uint8Array([0x52]);

/** Whether another journal took the place of the one that begins with these bytes. */
export const isReplaced = (bytes: Uint8Array): boolean => textOf(bytes.subarray(0, 8)) === "mnemicR\n";

/** Where a record is from. */
export type Origin = Pick<Header, "kind" | "writer" | "number" | "flushed"> & Partial<Pick<Header, "isLast" | "part">>;

/** The bytes of a record. */
export function record(tag: Uint8Array, origin: Origin, index: Uint8Array, values: readonly Uint8Array[]): Uint8Array {
  const dataBytes = values.reduce((sum, { length }) => sum + length, 0);
  const bytes = new Uint8Array(HEADER_BYTES + index.length + dataBytes + TRAILER_BYTES);
  const numbers = view(bytes);
  const indexSum = checksum(index);
  bytes.set(tag);
  bytes[8] = origin.kind;
  bytes[9] = origin.isLast === false ? 0 : 1;
  numbers.setUint32(12, index.length, true);
  numbers.setUint32(16, dataBytes, true);
  numbers.setUint32(20, origin.part ?? 0, true);
  putHex(bytes, 24, origin.writer);
  numbers.setUint32(32, origin.number, true);
  numbers.setUint32(36, indexSum, true);
  numbers.setBigUint64(40, BigInt(origin.flushed), true);
  const sum = checksum(bytes.subarray(0, 48));
  numbers.setUint32(48, sum, true);
  bytes.set(index, HEADER_BYTES);
  let at = HEADER_BYTES + index.length;
  for (const value of values) {
    bytes.set(value, at);
    at += value.length;
  }
  // What is added behind a record that was cut off cannot be taken for its end: the sums are random, and no tag has a 0.
  numbers.setUint32(at, sum, true);
  numbers.setUint32(at + 4, indexSum, true);
  return bytes;
}

/** The header that these bytes begin with; undefined when they do not. */
export function readHeader(tag: Uint8Array, bytes: Uint8Array): Header | undefined {
  if (bytes.length < HEADER_BYTES || tag.some((byte, index) => bytes[index] !== byte)) return undefined;
  const numbers = view(bytes);
  const sum = numbers.getUint32(48, true);
  if (sum !== checksum(bytes.subarray(0, 48))) return undefined;
  return {
    kind: bytes[8]!,
    isLast: bytes[9] === 1,
    indexBytes: numbers.getUint32(12, true),
    dataBytes: numbers.getUint32(16, true),
    part: numbers.getUint32(20, true),
    writer: hex(bytes.subarray(24, 32)),
    number: numbers.getUint32(32, true),
    indexSum: numbers.getUint32(36, true),
    flushed: Number(numbers.getBigUint64(40, true)),
    sum,
  };
}

/** Whether these bytes end the record. */
export function isTrailer({ sum, indexSum }: Header, bytes: Uint8Array): boolean {
  return bytes.length === TRAILER_BYTES && view(bytes).getUint32(0, true) === sum && view(bytes).getUint32(4, true) === indexSum && bytes[8] === 0;
}

/** The index of a part of a batch. */
export function partIndex({ expectedHead, puts, deletes }: Part): Uint8Array {
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

/** About how many bytes of values one record has at most: more are cut into several. */
const PART_BYTES = 4 * 1024 * 1024;

/** A value, and its checksum when that is known. */
export type Value = readonly [key: string, value: Uint8Array, sum?: number];

/** The records of a batch. */
export function* batchRecords(
  tag: Uint8Array,
  origin: Omit<Origin, "kind" | "isLast" | "part">,
  batch: { readonly puts: readonly Value[]; readonly deletes: StorageBatch["deletes"] },
  expectedHead: number,
): Generator<Uint8Array> {
  const { puts, deletes } = batch;
  let first = 0;
  for (let part = 0, isLast = false; !isLast; part += 1) {
    let end = first;
    for (let bytes = 0; end < puts.length && bytes < PART_BYTES; end += 1) bytes += puts[end]![1].length;
    const group = puts.slice(first, end);
    isLast = end === puts.length;
    first = end;
    const sums = group.map(([key, value, sum]) => ({ key, length: value.length, sum: sum ?? checksum(value) }));
    const index = partIndex({ expectedHead, puts: sums, deletes: isLast ? deletes : [] });
    yield record(tag, { ...origin, kind: Kind.batch, isLast, part }, index, group.map(([, value]) => value));
  }
}

function putKey(into: Uint8Array, at: number, key: string): number {
  into[at] = key.length;
  putText(into, at + 1, key);
  return at + 1 + key.length;
}

function putText(into: Uint8Array, at: number, text: string): void {
  for (let index = 0; index < text.length; index += 1) into[at + index] = text.charCodeAt(index);
}

const textOf = (bytes: Uint8Array): string => String.fromCharCode(...bytes);
