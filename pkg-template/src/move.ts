/** Moving a memory, as an app asks for it. */
import type { StorageName, StorageObject } from "./storage.js";

/** Where a memory is moved from or to. */
export type MovableStorage = Exclude<StorageName, "memory"> | StorageObject;

/** What is moved where. */
export interface MoveOptions {
  /** Where the memory is. */
  readonly from: MovableStorage;
  /** Where it is to be. There must be no memory yet. */
  readonly to: MovableStorage;
  /** The worker that opens `"opfs"`, as in `openMemory`: a page needs one for that. Default: false. */
  readonly worker?: boolean | (() => EventTarget) | undefined;
}

/**
 * Moves a memory from one storage to another, with its history and encryption. Its bytes are copied, compared, and deleted from the
 * old storage; the copy of the option `copy` is deleted too, and rebuilt at the next opening. Afterwards, open it with the new
 * `storage`.
 *
 * If it is interrupted, the memory is complete in one of the storages, or the same in both: call it again before you open the
 * memory. All bytes are in RAM while they are moved, because they are stored in one write. Storage objects that you pass stay open.
 *
 * @throws InvalidInputError when an argument is wrong, or both storages are the same place.
 * @throws NotFoundError when `from` has no memory, also after it was moved.
 * @throws ConflictError when `to` has another memory, or another writer keeps changing this one; the memory stays where it was.
 * @throws StorageError when the memory is open, in this page or another tab, or a storage fails or refuses.
 * @throws QuotaExceededError when there is no space; the memory stays where it was.
 */
export type MoveMemory = (name: string, options: MoveOptions) => Promise<void>;
