/** Storage of a memory in a file. */
import { checkDurability, type Durability } from "../durability.js";
import { JournalStorage } from "../files/storage.js";
import { known } from "../plain.js";
import type { StorageObject } from "../storage.js";
import { checkPath } from "./path.js";
import { NodePlace } from "./place.js";

/** How a file is kept. */
export interface FileStorageOptions {
  /**
   * `"strict"` brings every write to the disk before it resolves. `"relaxed"` leaves that to the system: what was written survives the end of
   * the process, and the last writes may be lost in a power failure. Default: `"strict"`.
   */
  readonly durability?: Durability | undefined;
}

/**
 * A storage in one file of a local disk. Several processes may have it open at once, and a process that is killed loses nothing that
 * was confirmed. Beside it, a file whose name begins with its name may be there for a moment.
 *
 * @param path The file; it is made if there is none, in a folder that exists.
 *
 * @throws InvalidInputError when the path or an option is wrong. What is wrong with the file is thrown when a memory is opened on it: StorageError,
 * CorruptError when it is something else, UnsupportedVersionError when a newer version wrote it.
 *
 * @example
 * ```ts
 * import { openMemory } from "mnemic";
 * import { fileStorage } from "mnemic/node";
 *
 * const memory = await openMemory({ name: "chat", storage: fileStorage("chat.mnemic") });
 * await memory.close();
 * ```
 */
export function fileStorage(path: string, options: FileStorageOptions = {}): StorageObject {
  checkPath(path);
  known(options, ["durability"]);
  const { durability = "strict" } = options;
  checkDurability(durability);
  return new JournalStorage(new NodePlace(path), durability);
}
