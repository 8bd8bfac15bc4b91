/** Where a backup is read from. */
import { InvalidInputError } from "../errors.js";
import { kind } from "../plain.js";
import { SEALED } from "./sealed.js";

/** A file as `<input>` and drag and drop give it, a stream of bytes such as `response.body`, or the bytes. */
export type BackupSource = Blob | ReadableStream<Uint8Array> | Uint8Array | ArrayBuffer;

const PLAIN: Uint8Array = new TextEncoder().encode("mnemic\r\n");

/** Bytes, and whether they begin as an encrypted backup, as a plain one, or as neither. */
export interface OpenedSource {
  readonly kind: "sealed" | "plain" | "other";
  readonly pieces: AsyncIterable<Uint8Array<ArrayBuffer>>;
}

/** Whether something can hold a backup. */
export function isBackupSource(source: unknown): source is BackupSource {
  return (
    source instanceof Blob ||
    source instanceof ArrayBuffer ||
    source instanceof Uint8Array ||
    (typeof ReadableStream !== "undefined" && source instanceof ReadableStream)
  );
}

/**
 * Looks at the first bytes of a source.
 *
 * @throws InvalidInputError when it holds no bytes.
 */
export async function openSource(source: BackupSource): Promise<OpenedSource> {
  if (!isBackupSource(source)) {
    throw new InvalidInputError(`data: ${kind(source)} is no backup; pass a File, a Blob, a stream of bytes or a Uint8Array`, {
      details: { path: "data" },
    });
  }
  const pieces = bytesOf(source)[Symbol.asyncIterator]();
  const begun: Array<Uint8Array<ArrayBuffer>> = [];
  let start = new Uint8Array(0);
  while (start.length < PLAIN.length) {
    const { done, value } = await pieces.next();
    if (done) break;
    begun.push(value);
    start = new Uint8Array([...start, ...value.subarray(0, PLAIN.length)]);
  }
  const isBegun = (magic: Uint8Array): boolean => magic.every((byte, at) => byte === start[at]);
  return {
    kind: isBegun(SEALED) ? "sealed" : isBegun(PLAIN) ? "plain" : "other",
    pieces: (async function* () {
      yield* begun;
      for (;;) {
        const { done, value } = await pieces.next();
        if (done) return;
        yield value;
      }
    })(),
  };
}

/** The bytes of a source, piece by piece. @throws InvalidInputError when a stream holds something else. */
export async function* bytesOf(source: BackupSource): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (source instanceof ArrayBuffer) yield new Uint8Array(source);
  else if (source instanceof Uint8Array) yield source as Uint8Array<ArrayBuffer>;
  else {
    const reader = (source instanceof Blob ? source.stream() : source).getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        if (!(value instanceof Uint8Array)) throw new InvalidInputError(`data: a piece is ${kind(value)}; pass a stream of bytes`);
        yield value as Uint8Array<ArrayBuffer>;
      }
    } finally {
      // What is left is of no use to anybody.
      await reader.cancel().catch(() => {});
    }
  }
}
