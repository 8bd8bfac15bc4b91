/** The bytes of a journal: its beginning, and its records. `docs/format.md` describes them. */
import { UnsupportedVersionError } from "../errors.js";
import { BEGINNING_BYTES } from "./beginning.js";
import { checksum } from "./checksum.js";
import { holdsAt, masked, maskFor } from "./mask.js";

/** What a journal begins with. */
const MAGIC = "mnemicJ\n";

/** The version that is written. Version 1 is read, and added to as it is. */
export const VERSION = 2;

/** The random bytes that every record of one journal begins with. */
export const TAG_BYTES = 8;

/** Where they stand in the beginning. */
export const TAG_AT = 12;

/** What a record says. One that was dropped says nothing any more. */
export const Kind = { batch: 1, building: 2, ended: 3, wiped: 4, dropped: 5 } as const;

/** What the beginning of a journal says. */
export interface Form {
  readonly version: number;
  readonly tag: Uint8Array;
  /** Whether the journal was made of another. */
  readonly isMade: boolean;
}

/** The header of a record. */
export interface Header {
  readonly kind: number;
  /** Whether no further part of the batch follows. */
  readonly isLast: boolean;
  /** Whether it is the one that stands at the end of the record. */
  readonly isEnd: boolean;
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
  /** The position of the batch that was the last to count when it was written, 0 for none; version 1 does not say it. */
  readonly upon: number | undefined;
  /** What the data are masked with; 0 for nothing. */
  readonly mask: number;
  /** The checksum of the header itself. */
  readonly sum: number;
}

/** How long the header of a record is. */
export const headerBytes = ({ version }: Pick<Form, "version">): number => (version === 1 ? 52 : 64);

/** How long the end of a record is, behind its data. */
export const endBytes = (form: Form, { indexBytes }: Pick<Header, "indexBytes">): number => (form.version === 1 ? 9 : headerBytes(form) + indexBytes + 1);

/** A whole record has this many bytes. */
export function bytesOf(form: Form, header: Pick<Header, "indexBytes" | "dataBytes">): number {
  return headerBytes(form) + header.indexBytes + header.dataBytes + endBytes(form, header);
}

/** Random bytes, in hex. */
export const randomName = (): string => hex(crypto.getRandomValues(new Uint8Array(TAG_BYTES)).map((byte) => byte || 1));

/** Bytes in hex. */
export const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Bytes as numbers. */
export const view = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView => new DataView(buffer, byteOffset, byteLength);

/** Bytes as characters. */
export const textOf = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

/** The beginning of a new journal, or of one that is made of another. */
export function newBeginning(isMade = false): Uint8Array {
  // Neither keys nor numbers have eight such bytes in a row, so no index holds it either.
  const tag = crypto.getRandomValues(new Uint8Array(TAG_BYTES)).map((byte) => byte | 0x80);
  return beginningOf({ version: VERSION, tag, isMade });
}

/** The beginning that says this. */
export function beginningOf({ version, tag, isMade }: Form): Uint8Array {
  const bytes = new Uint8Array(BEGINNING_BYTES);
  for (let index = 0; index < MAGIC.length; index += 1) bytes[index] = MAGIC.charCodeAt(index);
  bytes[8] = version;
  bytes[9] = isMade ? 1 : 0;
  bytes.set(tag, TAG_AT);
  view(bytes).setUint32(20, checksum(bytes.subarray(0, 20)), true);
  return bytes;
}

/**
 * What the beginning of a journal says; undefined when it is of something else, or damaged. `name` is what the file is called.
 *
 * @throws UnsupportedVersionError when a newer version wrote it.
 */
export function readBeginning(bytes: Uint8Array, name: string): Form | undefined {
  const isWhole = bytes.length >= BEGINNING_BYTES && view(bytes).getUint32(20, true) === checksum(bytes.subarray(0, 20));
  if (!isWhole || textOf(bytes.subarray(0, 8)) !== MAGIC) return undefined;
  const version = bytes[8]!;
  if (version > VERSION) {
    throw new UnsupportedVersionError(`${name} was written by version ${version} of the journal, and this one reads ${VERSION}; update the package`);
  }
  return { version, tag: bytes.slice(TAG_AT, TAG_AT + TAG_BYTES), isMade: bytes[9] === 1 };
}

/** Where the beginning of a journal says that another took its place, and what it says then. One byte changes as a whole or not at all. */
export const REPLACED_AT = 6;
export const REPLACED = new Uint8Array([0x52]);

/** Whether another journal took the place of the one that begins with these bytes. */
export const isReplaced = (bytes: Uint8Array): boolean => textOf(bytes.subarray(0, 8)) === "mnemicR\n";

/** Where a record is from. */
export type Origin = Pick<Header, "kind" | "writer" | "number" | "flushed" | "upon"> & Partial<Pick<Header, "isLast" | "part">>;

/** The bytes of a record. */
export function record(form: Form, origin: Origin, index: Uint8Array, values: readonly Uint8Array[]): Uint8Array {
  const dataBytes = values.reduce((sum, { length }) => sum + length, 0);
  const header = { isLast: true, part: 0, mask: 0, ...origin, isEnd: false, indexBytes: index.length, dataBytes, indexSum: checksum(index) };
  const begins = headerBytes(form) + index.length;
  const bytes = new Uint8Array(bytesOf(form, header));
  const data = bytes.subarray(begins, begins + dataBytes);
  put(data, values);
  if (form.version > 1 && (header.mask = maskFor(data, form.tag)) !== 0) data.set(masked(data, header.mask));
  const { front, end } = frame(form, header, index);
  bytes.set(front);
  bytes.set(end, begins + dataBytes);
  return bytes;
}

/** What stands before the data of a record, and behind them. */
export function frame(form: Form, header: Omit<Header, "sum">, index: Uint8Array): { front: Uint8Array; end: Uint8Array } {
  const bytes = putHeader(form, { ...header, isEnd: false });
  // What is added behind a record that was cut off cannot be taken for its end: the sums are random, and no tag has a 0.
  const end: Uint8Array[] = [new Uint8Array(1)];
  if (form.version === 1) end.unshift(bytes.slice(-4), uint32(header.indexSum));
  else end.unshift(putHeader(form, { ...header, isEnd: true }), index);
  return { front: joined([bytes, index]), end: joined(end) };
}

/** The bytes of a header. */
export function putHeader(form: Form, header: Omit<Header, "sum">): Uint8Array {
  const bytes = new Uint8Array(headerBytes(form));
  const numbers = view(bytes);
  bytes.set(form.tag);
  bytes[8] = header.kind;
  bytes[9] = header.isLast ? 1 : 0;
  bytes[10] = header.isEnd ? 1 : 0;
  numbers.setUint32(12, header.indexBytes, true);
  numbers.setUint32(16, header.dataBytes, true);
  numbers.setUint32(20, header.part, true);
  for (let index = 0; index < 8; index += 1) bytes[24 + index] = parseInt(header.writer.slice(2 * index, 2 * index + 2), 16);
  numbers.setUint32(32, header.number, true);
  numbers.setUint32(36, header.indexSum, true);
  numbers.setBigUint64(40, BigInt(header.flushed), true);
  if (form.version > 1) {
    numbers.setBigUint64(48, BigInt(header.upon ?? 0), true);
    numbers.setUint32(56, header.mask, true);
  }
  numbers.setUint32(bytes.length - 4, checksum(bytes.subarray(0, -4)), true);
  return bytes;
}

/** The header that these bytes begin with; undefined when they do not. */
export function readHeader(form: Form, bytes: Uint8Array): Header | undefined {
  const length = headerBytes(form);
  if (bytes.length < length || !holdsAt(bytes, 0, form.tag)) return undefined;
  const numbers = view(bytes);
  const sum = numbers.getUint32(length - 4, true);
  if (sum !== checksum(bytes.subarray(0, length - 4))) return undefined;
  const isFirst = form.version === 1;
  return {
    kind: bytes[8]!,
    isLast: bytes[9] === 1,
    isEnd: !isFirst && bytes[10] === 1,
    indexBytes: numbers.getUint32(12, true),
    dataBytes: numbers.getUint32(16, true),
    part: numbers.getUint32(20, true),
    writer: hex(bytes.subarray(24, 32)),
    number: numbers.getUint32(32, true),
    indexSum: numbers.getUint32(36, true),
    flushed: Number(numbers.getBigUint64(40, true)),
    upon: isFirst ? undefined : Number(numbers.getBigUint64(48, true)),
    mask: isFirst ? 0 : numbers.getUint32(56, true),
    sum,
  };
}

function uint32(number: number): Uint8Array {
  const bytes = new Uint8Array(4);
  view(bytes).setUint32(0, number, true);
  return bytes;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return put(new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0)), parts);
}

function put(into: Uint8Array, parts: readonly Uint8Array[]): Uint8Array {
  let at = 0;
  for (const part of parts) {
    into.set(part, at);
    at += part.length;
  }
  return into;
}
