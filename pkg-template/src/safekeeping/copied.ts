/** What is loaded only when a memory has a copy: opening a storage together with it. */
import type { Configuration } from "../configuration.js";
import { typed, type MnemicError } from "../errors.js";
import type { Instance } from "../instance.js";
import type { StorageHandle } from "../mnemic.js";
import type { CopyKind, StorageObject } from "../storage.js";
import { removeDatabase } from "./deletion.js";
import { FileStorage } from "./copy-files.js";
import { isSame, lineageOf } from "./lineage.js";
import { Mirror, withCopy } from "./mirror.js";

/** A storage with its copy. */
export interface Copied {
  /** What the engine is opened on; undefined when there is no copy, so that it opens its own storage. */
  readonly storage: StorageObject | undefined;
  /** Undefined when the memory works on the copy itself, or without one. */
  readonly mirror: Mirror | undefined;
  /** The counter that the storage had before it was filled from the copy; undefined when it was not filled. */
  readonly filledFrom: number | undefined;
  /** Whether damaged values were replaced from the copy. */
  readonly isRepaired: boolean;
  /** Why there is no copy, or why the memory works on the copy itself. */
  readonly error: MnemicError | undefined;
}

/** What an earlier attempt found out. */
export interface Findings {
  /** Keys whose values are taken from the copy. */
  readonly damaged?: readonly string[];
  /** Why the storage could not be used. */
  readonly failed?: MnemicError;
}

/**
 * Opens a storage of the browser with its copy. Without private files, there is no copy. A database that cannot be read is replaced by
 * its copy; where there is none to be had, the memory works on the copy.
 */
export async function openCopied(
  instance: Instance,
  configuration: Configuration,
  kind: "indexeddb" | "localstorage",
  copy: CopyKind,
  { damaged = [], failed }: Findings,
): Promise<Copied> {
  const { engine } = configuration;
  const without = (error: unknown, storage?: StorageObject): Copied => {
    return { storage, mirror: undefined, filledFrom: undefined, isRepaired: false, error: typed(error) };
  };
  const opened = (): Promise<StorageHandle> => {
    return instance.openStorage({ name: engine.name, storage: kind, durability: engine.durability });
  };
  let files: FileStorage;
  try {
    files = await FileStorage.open(copy, engine.name);
  } catch (error) {
    return without(error);
  }
  const onCopy = (error: unknown): Copied => {
    return without(error, {
      read: (start, end) => files.read(start, end),
      write: (batch, expectedHead) => withCopy(engine.name, () => files.write(batch, expectedHead)),
    });
  };
  let original;
  try {
    original = await opened();
  } catch (cause) {
    const error = typed(cause);
    if (error.code === "Storage" && (await lineageOf(files)).counter > 0) return onCopy(error);
    throw error;
  }
  try {
    if (failed !== undefined) {
      const state = await unreadable(original, files);
      original.close();
      if (state === "no") return without(failed);
      if (state === "ahead" || kind === "localstorage") return onCopy(failed);
      await removeDatabase(`mnemic:${engine.name}`);
      original = await opened();
    }
    const { mirror, filledFrom } = await Mirror.open(original, files, engine.name);
    const isRepaired = damaged.length > 0 && (await mirror.repair(damaged));
    return { storage: mirror, mirror, filledFrom, isRepaired, error: undefined };
  } catch (error) {
    original.close();
    if (failed !== undefined) return without(error);
    return openCopied(instance, configuration, kind, copy, { damaged, failed: typed(error) });
  }
}

/**
 * Whether a storage cannot be read while its copy can: `"no"`; `"ahead"` when the copy does not have all of it, as far as can be seen;
 * `"covered"` when it has.
 */
async function unreadable(original: StorageHandle, files: FileStorage): Promise<"no" | "ahead" | "covered"> {
  const copied = await lineageOf(files);
  await files.read("", "~");
  const isReadable = await original.read("", "~").then(
    () => true,
    () => false,
  );
  if (isReadable || copied.counter === 0) return "no";
  const stored = await lineageOf(original).catch(() => undefined);
  return stored !== undefined && isSame(stored, copied) && stored.counter <= copied.counter ? "covered" : "ahead";
}
