/** Running an import: items into batches, batches into the engine. */
import type { Caller } from "../caller.js";
import { InvalidInputError } from "../errors.js";
import { kind, record, shown } from "../plain.js";
import type { FailedItem, Imported, ImportFormat, ImportOptions, ImportSource, Item } from "./format.js";
import { json } from "./shape.js";
import { FORMATS, open, throwIfAborted } from "./source.js";
import { Store, type Stored } from "./store.js";

/** The most items of one batch, and about the most characters. */
const BATCH = { items: 100, characters: 128 * 1024 };
/** The same of facts, of which one call takes so many; even at three bytes a character, a commit stays within its limit. */
const FACTS = { items: 1000, characters: 2 * 1024 * 1024 };

const OPTIONS = ["format", "onProgress", "signal", "learn"];

/** Imports data into one scope. */
export async function importInto(call: Caller, source: ImportSource, given: ImportOptions | undefined): Promise<Imported> {
  const { format, onProgress, signal, learn } = checked(given);
  throwIfAborted(signal);
  const { reader, data } = await open(source, format, signal);
  const failed: FailedItem[] = [];
  const items: Item[] = [];
  for (const item of reader.read(data)) {
    if ("kind" in item) items.push(item);
    else failed.push(item);
  }
  const total = items.length + failed.length;
  const store = new Store(call, learn);
  let [done, skipped] = [0, 0];
  for (const batch of batches(items)) {
    throwIfAborted(signal);
    const stored = await storeAll(store, batch);
    done += stored.done;
    skipped += stored.skipped;
    failed.push(...(stored.failed ?? []));
    onProgress?.({ format: reader.format, done, skipped, failed: failed.length, total });
  }
  return { format: reader.format, done, skipped, failed };
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
} {
  const options = record(given, "options");
  const unknown = Object.keys(options).find((name) => !OPTIONS.includes(name));
  if (unknown !== undefined) {
    throw new InvalidInputError(`options.${unknown}: unknown option; the options are ${OPTIONS.join(", ")}`);
  }
  const { format = "auto", onProgress, signal, learn = false } = (given ?? {}) as ImportOptions;
  if (format !== "auto" && !FORMATS.includes(format)) {
    throw new InvalidInputError(`options.format: ${shown(format)} is not a format; the formats are auto, ${FORMATS.join(", ")}`);
  }
  if (onProgress !== undefined && typeof onProgress !== "function") {
    throw new InvalidInputError(`options.onProgress: ${kind(onProgress)} is not a function`);
  }
  if (typeof learn !== "boolean") throw new InvalidInputError(`options.learn: ${kind(learn)} is not true or false`);
  if (signal !== undefined && typeof signal?.aborted !== "boolean") {
    throw new InvalidInputError(`options.signal: ${kind(signal)} is not an AbortSignal; pass controller.signal`);
  }
  return { format, onProgress, signal, learn };
}
