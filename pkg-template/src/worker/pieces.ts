/** What is imported, in pieces: each is short work for the page, which gives the next when the worker asks for it. */
import { bytesOf, isBackupSource } from "../backup/source.js";
import { InvalidInputError } from "../errors.js";
import type { ImportSource } from "../import/format.js";
import { checkPiece, unimportable } from "../import/source.js";
import { isRecord } from "../plain.js";

/** A source as the worker is told of it: a file crosses as it is, everything else in pieces. */
export type SentSource = { readonly file: Blob } | { readonly pieces: "texts" | "bytes" };

/** What the page gives out. */
export interface Pieces {
  readonly sent: SentSource;
  next(): Promise<IteratorResult<unknown>>;
  /** No more is wanted. */
  end(): void;
}

/** How many characters or bytes a piece has, about. */
const PIECE = 256 * 1024;

/** Parsed JSON is written this many levels deep a value at a time, and below that as a whole. */
const LEVELS = 3;

/**
 * The pieces of a source.
 *
 * @throws InvalidInputError when it is none.
 */
export function piecesOf(source: ImportSource): Pieces {
  if (source instanceof Blob) return given({ file: source }, [][Symbol.iterator]());
  if (isBackupSource(source)) return given({ pieces: "bytes" }, source instanceof ReadableStream ? bytesOf(source) : cut(new Uint8Array(source as Uint8Array)));
  if (typeof source === "string") return given({ pieces: "texts" }, cut(source));
  if (Array.isArray(source) || isRecord(source)) return given({ pieces: "texts" }, jsonPieces(source));
  if (typeof source !== "object" || source === null || !(Symbol.asyncIterator in source)) throw unimportable(source);
  return given({ pieces: "texts" }, source[Symbol.asyncIterator](), checkPiece);
}

function given(sent: SentSource, pieces: Iterator<unknown> | AsyncIterator<unknown>, check = (_piece: unknown): void => {}): Pieces {
  return {
    sent,
    async next() {
      const step = await pieces.next();
      // What is no text may be something that cannot cross.
      if (step.done !== true) check(step.value);
      return step;
    },
    end: () => void Promise.resolve(pieces.return?.()).catch(() => {}),
  };
}

function* cut(whole: string | Uint8Array): Iterator<string | Uint8Array> {
  for (let start = 0; start < whole.length; start += PIECE) yield whole.slice(start, start + PIECE);
}

/** @throws InvalidInputError when the value cannot be read to its end. */
function* jsonPieces(value: unknown): Iterator<string> {
  let piece = "";
  try {
    for (const text of jsonOf(value, 0)) {
      piece += text;
      if (piece.length < PIECE) continue;
      yield piece;
      piece = "";
    }
  } catch (cause) {
    throw new InvalidInputError("data: it cannot be written as JSON: something in it throws, or contains itself; pass plain data", { cause });
  }
  yield piece;
}

/** The JSON of a value, as `JSON.stringify` writes it, a little at a time. */
function* jsonOf(value: unknown, level: number): Iterable<string> {
  if (level < LEVELS && Array.isArray(value)) {
    let separator = "[";
    for (const item of value) {
      yield separator;
      yield* jsonOf(item, level + 1);
      separator = ",";
    }
    yield separator === "[" ? "[]" : "]";
  } else if (level < LEVELS && isRecord(value) && typeof value["toJSON"] !== "function") {
    let separator = "{";
    for (const key of Object.keys(value)) {
      if (isLeftOut(value[key])) continue;
      yield `${separator}${JSON.stringify(key)}:`;
      yield* jsonOf(value[key], level + 1);
      separator = ",";
    }
    yield separator === "{" ? "{}" : "}";
  } else {
    yield isLeftOut(value) ? "null" : JSON.stringify(value);
  }
}

const isLeftOut = (value: unknown): boolean => value === undefined || typeof value === "function" || typeof value === "symbol";
