/** Running an import: items into batches, batches into the engine. */
import { isBackupSource, openSource } from "../backup/source.js";
import { restoreOpened, type Line } from "../backup/transfer.js";
import { InvalidInputError } from "../errors.js";
import { kind, known, shown } from "../plain.js";
import { pause } from "../slices.js";
import type { FailedItem, Imported, ImportFormat, ImportOptions, ImportSource, Item } from "./format.js";
import { json } from "./shape.js";
import { FORMATS, open, throwIfAborted } from "./source.js";
import { Store, type Stored } from "./store.js";

/** The most items of one batch, and about the most characters. */
const BATCH = { items: 100, characters: 128 * 1024 };
/** The same of facts; even at three bytes a character, a commit stays within its limit. */
const FACTS = { items: 250, characters: 512 * 1024 };
/** How many items are read at a stretch. */
const READ_AT_ONCE = 500;

const OPTIONS = ["format", "onProgress", "signal", "learn", "mode", "passphrase"];

/** Imports data into one scope. */
export async function importInto(line: Line, source: ImportSource, given: ImportOptions | undefined): Promise<Imported> {
  const options = checked(given);
  const { format, onProgress, signal, learn, ...ofBackup } = options;
  throwIfAborted(signal);
  if (line.import !== undefined) return line.import(source, options);
  let texts = source;
  if (isBackupSource(source)) {
    const opened = await openSource(source);
    if (opened.kind !== "other" || format === "mnemic") {
      const { added, updated, removed, unchanged, commits } = await restoreOpened(line, opened, { ...ofBackup, signal }, undefined);
      const done = added + updated + removed;
      onProgress?.({ format: "mnemic", done, skipped: unchanged, failed: 0, total: done + unchanged });
      return { format: "mnemic", done, skipped: unchanged, failed: [], commitIds: commits.map(({ commitId }) => commitId) };
    }
    texts = decoded(opened.pieces);
  }
  if (format === "mnemic") throw new InvalidInputError("data: a backup is bytes; pass a File, a Blob, a stream or a Uint8Array");
  const found = await open(texts, format, signal);
  const failed: FailedItem[] = [];
  const items: Item[] = [];
  for (const item of found.items) {
    if ("kind" in item) items.push(item);
    else failed.push(item);
    if ((items.length + failed.length) % READ_AT_ONCE === 0) await pause();
  }
  const total = items.length + failed.length;
  const store = new Store(line.call, learn);
  let [done, skipped] = [0, 0];
  for (const batch of batches(items)) {
    throwIfAborted(signal);
    const stored = await storeAll(store, batch);
    done += stored.done;
    skipped += stored.skipped;
    failed.push(...(stored.failed ?? []));
    onProgress?.({ format: found.format, done, skipped, failed: failed.length, total });
  }
  return { format: found.format, done, skipped, failed, commitIds: store.commitIds };
}

/** The texts of bytes in UTF-8. */
async function* decoded(pieces: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  const decoder = new TextDecoder();
  for await (const piece of pieces) yield decoder.decode(piece, { stream: true });
  yield decoder.decode();
}

/** Items in order, in batches of one kind and, for messages, of one thread. */
function* batches(items: readonly Item[]): Iterable<Item[]> {
  let batch: Item[] = [];
  let characters = 0;
  for (const item of items) {
    const most = item.kind === "fact" ? FACTS : BATCH;
    const size = json(item)?.length ?? most.characters;
    const isFull = batch.length >= most.items || characters + size > most.characters;
    if (batch[0] !== undefined && (isFull || groupOf(batch[0]) !== groupOf(item))) {
      yield batch;
      [batch, characters] = [[], 0];
    }
    batch.push(item);
    characters += size;
  }
  if (batch.length > 0) yield batch;
}

const groupOf = (item: Item): string => (item.kind === "message" ? item.threadId : "");

/** Stores a batch; one that is refused is halved until what is to blame stands alone, and the rest is stored. */
async function storeAll(store: Store, batch: readonly Item[]): Promise<Stored> {
  try {
    return await storeOnce(store, batch);
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const [only] = batch;
    if (only === undefined || batch.length === 1) {
      return { done: 0, skipped: 0, failed: [{ place: only?.place ?? "", reason: error.message }] };
    }
    const first = await storeAll(store, batch.slice(0, batch.length / 2));
    const second = await storeAll(store, batch.slice(batch.length / 2));
    return {
      done: first.done + second.done,
      skipped: first.skipped + second.skipped,
      failed: [...(first.failed ?? []), ...(second.failed ?? [])],
    };
  }
}

function storeOnce(store: Store, batch: readonly Item[]): Promise<Stored> {
  const of = <Kind extends Item["kind"]>(kind: Kind) => batch.filter((item): item is Extract<Item, { kind: Kind }> => item.kind === kind);
  switch (batch[0]?.kind) {
    case "message":
      return store.messages(of("message"));
    case "document":
      return store.documents(of("document"));
    case "fact":
      return store.facts(of("fact"));
    default:
      return store.lines(of("line"));
  }
}

/** The options, checked. */
function checked(given: ImportOptions | undefined): {
  format: ImportFormat | "auto";
  onProgress: ImportOptions["onProgress"];
  signal: AbortSignal | undefined;
  learn: boolean;
  mode: ImportOptions["mode"];
  passphrase: string | undefined;
} {
  known(given, OPTIONS);
  const { format = "auto", onProgress, signal, learn = false, mode, passphrase } = (given ?? {}) as ImportOptions;
  if (mode !== undefined && mode !== "merge" && mode !== "replace") {
    throw new InvalidInputError(`options.mode: ${shown(mode)} is no mode; pass "merge" or "replace"`);
  }
  if (format !== "auto" && format !== "mnemic" && !FORMATS.includes(format)) {
    throw new InvalidInputError(`options.format: ${shown(format)} is not a format; the formats are auto, mnemic, ${FORMATS.join(", ")}`);
  }
  if (onProgress !== undefined && typeof onProgress !== "function") {
    throw new InvalidInputError(`options.onProgress: ${kind(onProgress)} is not a function`);
  }
  if (typeof learn !== "boolean") throw new InvalidInputError(`options.learn: ${kind(learn)} is not true or false`);
  if (signal !== undefined && typeof signal?.aborted !== "boolean") {
    throw new InvalidInputError(`options.signal: ${kind(signal)} is not an AbortSignal; pass controller.signal`);
  }
  return { format, onProgress, signal, learn, mode, passphrase };
}
