/** What is imported, read: as parsed JSON, or as text when it is none. */
import { AbortedError, InvalidInputError } from "../errors.js";
import { isRecord, kind } from "../plain.js";
import { chatgpt } from "./chatgpt.js";
import { claude } from "./claude.js";
import type { ImportSource, Reader } from "./format.js";
import { graph } from "./graph.js";
import { langgraph } from "./langgraph.js";
import { mem0 } from "./mem0.js";

const READERS: readonly Reader[] = [graph, mem0, langgraph, chatgpt, claude];

/** The formats there are, for messages. */
export const FORMATS: readonly string[] = READERS.map(({ format }) => format);

/**
 * The format of data, and its items in order.
 *
 * @throws InvalidInputError when the data is of no known format, or not of the one that was named.
 */
export async function open(
  source: ImportSource,
  format: Reader["format"] | "auto",
  signal: AbortSignal | undefined,
): Promise<{ format: Reader["format"]; items: ReturnType<Reader["read"]> }> {
  const text = await textOf(source, signal);
  const data = text === undefined ? source : parsed(text);
  const candidates = format === "auto" ? READERS : READERS.filter((reader) => reader.format === format);
  // Only what the app has parsed can hold something that throws.
  const recognised = (): Reader | undefined => candidates.find((reader) => reader.recognises(data));
  const reader = text === undefined ? reading(recognised) : recognised();
  if (reader !== undefined) return { format: reader.format, items: text === undefined ? readable(reader.read(data)) : reader.read(data) };
  // An export of nothing is nothing, in the format that was named.
  const [named] = candidates;
  if (format !== "auto" && named !== undefined && Array.isArray(data) && data.length === 0) return { format: named.format, items: [] };
  const what = typeof data === "string" ? "text that is no JSON" : kind(data);
  throw new InvalidInputError(
    format === "auto"
      ? `data: ${what} has no known format; the formats are ${FORMATS.join(", ")}; name one as options.format`
      : `data: ${what} does not look like ${format}; leave options.format out, or name one of ${FORMATS.join(", ")}`,
    { details: { path: "data" } },
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Not one value: lines, or none of the formats.
    return text;
  }
}

/** The same items. @throws InvalidInputError when something in the data throws. */
function* readable<Value>(items: Iterable<Value>): Generator<Value, void> {
  const iterator = items[Symbol.iterator]();
  for (;;) {
    const next = reading(() => iterator.next());
    if (next.done) return;
    yield next.value;
  }
}

/** What some work on the app's data answers. @throws InvalidInputError when something in the data throws, such as a getter. */
function reading<Answer>(work: () => Answer): Answer {
  try {
    return work();
  } catch (cause) {
    throw new InvalidInputError("data: it cannot be read: something in it throws; pass plain data", { cause });
  }
}

/** The text of a source; undefined when it is parsed already. */
async function textOf(source: ImportSource, signal: AbortSignal | undefined): Promise<string | undefined> {
  if (typeof source === "string") return withoutMark(source);
  if (Array.isArray(source) || isRecord(source)) return undefined;
  if (source instanceof Blob) return withoutMark(await source.text());
  if (typeof source === "object" && source !== null && Symbol.asyncIterator in source) {
    let text = "";
    for await (const chunk of source as AsyncIterable<unknown>) {
      throwIfAborted(signal);
      checkPiece(chunk);
      text += chunk;
    }
    return withoutMark(text);
  }
  throw unimportable(source);
}

/** @throws InvalidInputError when a piece of a source is no text. */
export function checkPiece(piece: unknown): asserts piece is string {
  if (typeof piece === "string") return;
  throw new InvalidInputError(`data: a piece is ${kind(piece)}; decode it to text, such as by a TextDecoderStream`);
}

/** The error for what is no source. */
export function unimportable(source: unknown): InvalidInputError {
  return new InvalidInputError(`data: ${kind(source)} cannot be imported; pass a text, a Blob, parsed JSON or an async iterable of texts`);
}

/** Text without the mark that some programs write before it. */
const withoutMark = (text: string): string => (text.startsWith("\ufeff") ? text.slice(1) : text);

/** Throws when an import is to end. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) {
    throw new AbortedError("the import was aborted; what was imported stays; run the import again to continue", { cause: signal.reason });
  }
}
