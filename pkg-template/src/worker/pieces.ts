/** What is imported, in pieces: each is short work for the page, which gives the next when the worker asks for it. */
import { isBackupSource } from "../backup/source.js";
import type { ImportSource } from "../import/format.js";
import { unimportable } from "../import/source.js";
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
  if (isBackupSource(source)) return given({ pieces: "bytes" }, source instanceof ReadableStream ? streamed(source) : cut(new Uint8Array(source as Uint8Array)));
  if (typeof source === "string") return given({ pieces: "texts" }, cut(source));
  if (Array.isArray(source) || isRecord(source)) return given({ pieces: "texts" }, joined(jsonOf(source, 0)));
  if (typeof source !== "object" || source === null || !(Symbol.asyncIterator in source)) throw unimportable(source);
  return given({ pieces: "texts" }, source[Symbol.asyncIterator]());
}

function given(sent: SentSource, pieces: Iterator<unknown> | AsyncIterator<unknown>): Pieces {
  return {
    sent,
    next: async () => pieces.next(),
    end: () => void Promise.resolve(pieces.return?.()).catch(() => {}),
  };
}

function* cut(whole: string | Uint8Array): Iterator<string | Uint8Array> {
  for (let start = 0; start < whole.length; start += PIECE) yield whole.slice(start, start + PIECE);
}

async function* streamed(stream: ReadableStream<unknown>): AsyncIterator<unknown> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function* joined(texts: Iterable<string>): Iterator<string> {
  let piece = "";
  for (const text of texts) {
    piece += text;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = "";
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
