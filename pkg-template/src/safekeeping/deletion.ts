/** Deleting a memory with everything that was kept of it. */
import { StorageError } from "../errors.js";
import { checkClosed } from "../lock.js";
import { checkName } from "../name.js";
import { known, refused, shown } from "../plain.js";
import { Choice } from "../backup/kept.js";
import { removeOpfs } from "../files/private.js";
import { removeCopy } from "./copy-files.js";
import { removeMarker } from "./marker.js";

/** What a deletion leaves. */
export interface DeleteOptions {
  /**
   * `"copy"` keeps the second copy, from which the next opening restores the memory. `"memory"` keeps the memory and deletes only
   * the copy, even while the memory is open. Default: neither is kept.
   */
  readonly keep?: "copy" | "memory" | undefined;
}

/**
 * Deletes a memory of the browser: its database, its files, its values in localStorage, its copies, and the note about it, so that
 * no loss is reported. Backups in files stay, and no further ones are made. A name without a memory is not an error.
 *
 * Close it in this page first. Other tabs that have it open show what they have read until they write or are reloaded; then they
 * start a new memory.
 *
 * The browser may keep bytes of deleted data on the disk for a while; encryption makes them unreadable.
 *
 * @throws InvalidInputError when the name or an option is wrong.
 * @throws StorageError when the memory is open in this page, or outside of browsers; then nothing is deleted. Also when the browser
 * refuses.
 *
 * @example
 * ```ts no-run
 * import { deleteMemory } from "mnemic";
 *
 * await deleteMemory("an-old-chat");
 * ```
 */
export async function deleteMemory(name: string, options?: DeleteOptions): Promise<void> {
  checkName(name, "name");
  known(options, ["keep"]);
  const { keep } = options ?? {};
  if (keep !== undefined && keep !== "copy" && keep !== "memory") {
    throw refused("options.keep", shown(keep), 'pass "copy", "memory", or leave it out');
  }
  if (typeof indexedDB === "undefined" && globalThis.navigator?.storage === undefined) {
    throw new StorageError("there is no browser's storage to delete it from; close the memory, and delete the file or database that you gave it", { details: { name } });
  }
  if (keep !== "memory") checkClosed(name, name);
  // The copies first: an open tab brings an emptied memory back from its copy.
  if (keep !== "copy") await removeCopies(name);
  if (keep === "memory") return;
  await removeDatabase(`mnemic:${name}`);
  await removeFiles(name);
  removeItems(`mnemic:${name}:`);
  await removeMarker(name);
  // A new memory of the name is not to overwrite the backups of this one.
  const choice = new Choice(name);
  if ((await choice.read()) !== undefined) await choice.remove();
}

/** Removes what a memory keeps in private files. */
export async function removeFiles(name: string): Promise<void> {
  try {
    await removeOpfs(name);
  } catch (error) {
    // Where there are no such files, there is no memory in them.
    if (!(error instanceof StorageError)) throw new StorageError(`the files of the memory cannot be deleted (${String(error)}); close it, and try again`, { cause: error });
  }
}

/** Removes the copies of a memory. */
export async function removeCopies(name: string): Promise<void> {
  for (const kind of ["opfs", "bucket"] as const) {
    try {
      await removeCopy(kind, name);
    } catch (error) {
      // Where there are no such files, there is no copy.
      if (!(error instanceof StorageError)) throw new StorageError(`the copy cannot be deleted (${String(error)})`, { cause: error });
    }
  }
}

/** Deletes an IndexedDB database, and waits until those who have it open let go. */
export async function removeDatabase(name: string): Promise<void> {
  let request: IDBOpenDBRequest;
  try {
    request = indexedDB.deleteDatabase(name);
  } catch {
    // A runtime or a frame without IndexedDB has no database.
    return;
  }
  await new Promise<void>((resolve, reject) => {
    request.onsuccess = () => resolve();
    request.onerror = () => {
      reject(new StorageError(`the browser did not delete the database (${String(request.error)}); try again`, { cause: request.error }));
    };
  });
}

function removeItems(prefix: string): void {
  if (typeof window === "undefined") return;
  let items: Storage;
  try {
    items = window.localStorage;
  } catch {
    // A frame that may not use localStorage has nothing in it.
    return;
  }
  const keys = Array.from({ length: items.length }, (_, index) => items.key(index));
  for (const key of keys) if (key?.startsWith(prefix)) items.removeItem(key);
}
