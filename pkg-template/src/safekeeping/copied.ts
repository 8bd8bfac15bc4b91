/** What is loaded only when a memory has a copy: opening a storage together with it. */
import type { Configuration } from "../configuration.js";
import { typed, type MnemicError } from "../errors.js";
import type { Instance } from "../instance.js";
import type { CopyKind, StorageObject } from "../storage.js";
import { FileStorage } from "./files.js";
import { Mirror } from "./mirror.js";

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

/**
 * Opens a storage of the browser with its copy. Without private files, there is no copy; without the storage but with a copy, the
 * memory works on the copy.
 *
 * @param damaged keys whose values are taken from the copy.
 */
export async function openCopied(
  instance: Instance,
  { engine }: Configuration,
  kind: "indexeddb" | "localstorage",
  copy: CopyKind,
  damaged: readonly string[],
): Promise<Copied> {
  const without = (error: unknown, storage?: StorageObject): Copied => {
    return { storage, mirror: undefined, filledFrom: undefined, isRepaired: false, error: typed(error) };
  };
  let files;
  try {
    files = await FileStorage.open(copy, engine.name);
  } catch (error) {
    return without(error);
  }
  let original;
  try {
    original = await instance.openStorage({ name: engine.name, storage: kind, durability: engine.durability });
  } catch (cause) {
    const error = typed(cause);
    if (error.code === "Storage" && (await files.read("head", "head!")).length > 0) return without(error, files);
    throw error;
  }
  try {
    const { mirror, filledFrom } = await Mirror.open(original, files, engine.name);
    const isRepaired = damaged.length > 0 && (await mirror.repair(damaged));
    return { storage: mirror, mirror, filledFrom, isRepaired, error: undefined };
  } catch (error) {
    original.close();
    return without(error);
  }
}
