/** The origin's private files: where those of memories are, and removing them, from wherever. */
import { QuotaExceededError, StorageError } from "../errors.js";
import { alone } from "../lock.js";
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

/** The name of the folder of a memory. */
export const folderOf = (name: string): string => `${name}.files`;

/** The name of its lock, and of the channel on which its files are asked back. */
export const lineOf = (name: string): string => `mnemic:${name}:files`;

/** How long those who have files open are waited for, and how often they are asked. */
const PATIENCE_MS = 3000;
const ASKING_MS = 50;

/** Removes what a memory keeps there, also while it is open somewhere; whether there was anything. */
export async function removeOpfs(name: string): Promise<boolean> {
  const place = await home("opfs");
  return alone(lineOf(name), async () => {
    const line = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel(lineOf(name));
    try {
      for (let waited = 0; ; waited += ASKING_MS) {
        try {
          return await removeEntry(place, folderOf(name));
        } catch (error) {
          if (waited >= PATIENCE_MS) throw error;
          line?.postMessage("release");
          await new Promise((resolve) => setTimeout(resolve, ASKING_MS));
        }
      }
    } finally {
      line?.close();
    }
  });
}

