/**
 * Sealed files: a backup encrypted with AES-256-GCM, piece by piece.
 *
 * ```text
 * header: "mnemic\r\0"  version:u8  derivation:u8  iterations:u32  salt:16  prefix:7  check:16  sum:4
 * piece:  up to 256 KiB, encrypted, and a tag of 16 bytes
 * ```
 * The nonce of a piece is the prefix, its number (`u32`) and whether it is the last (`u8`), after Hoang, Reyhanitabar, Rogaway and
 * Vizár, "Online Authenticated-Encryption and its Nonce-Reuse Misuse-Resistance" (2015), so that pieces can be neither cut off nor
 * moved. The header goes along as associated data. `check` is the tag of an empty text under the number 2^32 - 1: with it a wrong
 * passphrase is told from damage; `sum` is the beginning of the SHA-256 of the header before it.
 */
import { CorruptError, UnsupportedVersionError, WrongKeyError } from "../errors.js";
import { isBelievable, passphraseKey, type Derivation } from "../passphrase.js";

/** What sealed files begin with. */
export const SEALED: Uint8Array = new TextEncoder().encode("mnemic\r\0");

const VERSION = 1;
/** PBKDF2 with HMAC-SHA-256. */
const PBKDF2 = 1;
const HEADER_BYTES = 57;
const PIECE_BYTES = 256 * 1024;
const TAG_BYTES = 16;
const CHECK_NUMBER = 0xffffffff;

/** A key, and how it came of a passphrase. */
export interface SealingKey {
  readonly key: CryptoKey;
  readonly derivation: Derivation;
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Encrypts what passes through. */
export async function* seal(pieces: AsyncIterable<Bytes>, { key, derivation }: SealingKey): AsyncIterable<Bytes> {
  const prefix = crypto.getRandomValues(new Uint8Array(7));
  const start = startOf(derivation, prefix);
  const check = await encrypted(key, prefix, CHECK_NUMBER, true, start, new Uint8Array(0));
  const header = joined(start, check);
  yield joined(header, await sum(header));
  let number = 0;
  let last: Bytes | undefined;
  for await (const piece of inPieces(pieces, PIECE_BYTES)) {
    if (last !== undefined) yield encrypted(key, prefix, number++, false, start, last);
    last = piece;
  }
  yield encrypted(key, prefix, number, true, start, last ?? new Uint8Array(0));
}

/**
 * Decrypts a sealed file.
 *
 * @throws WrongKeyError for a wrong passphrase, CorruptError for damage, UnsupportedVersionError for a newer version.
 */
export async function* unseal(pieces: AsyncIterable<Bytes>, passphrase: Bytes): AsyncIterable<Bytes> {
  let opened: { key: CryptoKey; prefix: Bytes; start: Bytes } | undefined;
  let header = new Uint8Array(0);
  let number = 0;
  let last: Bytes | undefined;
  const rest = async function* (): AsyncIterable<Bytes> {
    for await (const piece of pieces) {
      if (header.length >= HEADER_BYTES) {
        yield piece;
        continue;
      }
      header = joined(header, piece);
      if (header.length >= HEADER_BYTES) yield header.slice(HEADER_BYTES);
    }
  };
  for await (const piece of inPieces(rest(), PIECE_BYTES + TAG_BYTES)) {
    opened ??= await open(header.slice(0, HEADER_BYTES), passphrase);
    if (last !== undefined) yield decrypted(opened, number++, false, last);
    last = piece;
  }
  if (header.length < HEADER_BYTES) throw damaged("it ends early");
  opened ??= await open(header.slice(0, HEADER_BYTES), passphrase);
  if (last === undefined) throw damaged("it ends early");
  yield decrypted(opened, number, true, last);
}

/** The key of a sealed file, from its header. */
async function open(header: Bytes, passphrase: Bytes): Promise<{ key: CryptoKey; prefix: Bytes; start: Bytes }> {
  const at = HEADER_BYTES - 4;
  if (!equal(header.slice(at), await sum(header.slice(0, at)))) throw damaged("its header does not match its checksum");
  const view = new DataView(header.buffer);
  if (view.getUint8(8) > VERSION || view.getUint8(9) !== PBKDF2) {
    throw new UnsupportedVersionError("a newer version encrypted this backup; update mnemic. Nothing was changed");
  }
  const iterations = view.getUint32(10, true);
  if (!isBelievable(iterations)) throw damaged(`its key takes ${iterations} rounds, which no version wrote`);
  const key = await passphraseKey(passphrase, { salt: header.slice(14, 30), iterations });
  const [prefix, start] = [header.slice(30, 37), header.slice(0, 37)];
  try {
    await crypto.subtle.decrypt(algorithm(prefix, CHECK_NUMBER, true, start), key, header.slice(37, at));
  } catch (cause) {
    throw new WrongKeyError("the passphrase is not the one that this backup was encrypted with; nothing was changed", { cause });
  }
  return { key, prefix, start };
}

function startOf({ salt, iterations }: Derivation, prefix: Bytes): Bytes {
  const start = new Uint8Array(37);
  start.set(SEALED);
  start.set([VERSION, PBKDF2], 8);
  new DataView(start.buffer).setUint32(10, iterations, true);
  start.set(salt, 14);
  start.set(prefix, 30);
  return start;
}

function algorithm(prefix: Bytes, number: number, isLast: boolean, additionalData: Bytes): AesGcmParams {
  const iv = new Uint8Array(12);
  iv.set(prefix);
  new DataView(iv.buffer).setUint32(7, number, true);
  iv[11] = isLast ? 1 : 0;
  return { name: "AES-GCM", iv, additionalData };
}

async function encrypted(key: CryptoKey, prefix: Bytes, number: number, isLast: boolean, start: Bytes, piece: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.encrypt(algorithm(prefix, number, isLast, start), key, piece));
}

async function decrypted(
  { key, prefix, start }: { key: CryptoKey; prefix: Bytes; start: Bytes },
  number: number,
  isLast: boolean,
  piece: Bytes,
): Promise<Bytes> {
  try {
    return new Uint8Array(await crypto.subtle.decrypt(algorithm(prefix, number, isLast, start), key, piece));
  } catch (cause) {
    throw damaged(`piece ${number + 1} is not as it was written`, cause);
  }
}

/** The same bytes in pieces of one size; the last may be shorter. */
async function* inPieces(pieces: AsyncIterable<Bytes>, size: number): AsyncIterable<Bytes> {
  const piece = new Uint8Array(size);
  let filled = 0;
  for await (const bytes of pieces) {
    for (let at = 0; at < bytes.length; ) {
      const count = Math.min(size - filled, bytes.length - at);
      piece.set(bytes.subarray(at, at + count), filled);
      filled += count;
      at += count;
      if (filled === size) {
        yield piece.slice();
        filled = 0;
      }
    }
  }
  if (filled > 0) yield piece.slice(0, filled);
}

async function sum(bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).slice(0, 4);
}

function joined(one: Bytes, other: Bytes): Bytes {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

const equal = (one: Bytes, other: Bytes): boolean => one.length === other.length && one.every((byte, at) => byte === other[at]);

function damaged(why: string, cause?: unknown): CorruptError {
  return new CorruptError(`the backup is damaged or incomplete: ${why}; nothing was changed. Use another copy`, { cause });
}
