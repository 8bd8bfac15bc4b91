/** The files that the browser keeps for an origin: where ours are, and removing them. */
import { QuotaExceededError, StorageError } from "../errors.js";
import type { CopyKind } from "../storage.js";
import { isFull } from "./file.js";

/** The folder of all memories, and the bucket. */
const HOME = "mnemic";

interface Buckets {
  open(name: string): Promise<{ getDirectory(): Promise<FileSystemDirectoryHandle> }>;
}

/**
 * The folder of all memories, copies and markers.
 *
 * @throws StorageError where the browser has no such file system, or refuses it; QuotaExceededError when there is no room.
 */
export async function home(kind: CopyKind): Promise<FileSystemDirectoryHandle> {
  try {
    const { storage, storageBuckets } = navigator as Navigator & { storageBuckets?: Buckets };
    const bucket = kind === "bucket" ? await storageBuckets?.open(HOME) : storage;
    if (bucket === undefined) throw new Error("it has no storage buckets");
    return await (await bucket.getDirectory()).getDirectoryHandle(HOME, { create: true });
  } catch (cause) {
    if (isFull(cause)) throw new QuotaExceededError(`there is no room for private files here (${String(cause)}); make room on the disk`, { cause });
    throw new StorageError(`the browser gives no private files here (${String(cause)}); leave the copy out, or allow site data`, { cause });
  }
}

/** The same folder of the default bucket, if it is there. @throws what the browser throws where it has no private files. */
export async function homeThere(): Promise<FileSystemDirectoryHandle | undefined> {
  const root = await navigator.storage.getDirectory();
  return root.getDirectoryHandle(HOME).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
}

/** Removes a file or folder; whether there was one. */
export async function removeEntry(folder: FileSystemDirectoryHandle, name: string): Promise<boolean> {
  try {
    await folder.removeEntry(name, { recursive: true });
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Whether an error says that a file or folder is not there. */
export function isMissing(error: unknown): boolean {
  return (error as { name?: unknown } | null)?.name === "NotFoundError";
}
