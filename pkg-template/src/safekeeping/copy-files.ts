/** The second copy of a memory, in files of the origin's private file system: one file per value. */
import { errorOf, StorageError } from "../errors.js";
import { home, isMissing, removeEntry } from "../files/private.js";
import { HEAD_KEY, storedCounter } from "../head.js";
import type { CopyKind, Pairs, StorageBatch, StorageObject } from "../storage.js";

/** Iterating a folder, which the library of types leaves to another of its parts. */
interface Folder extends FileSystemDirectoryHandle {
  keys(): AsyncIterable<string>;
}

/** The name of the folder with the copy of a memory; no name of a memory makes it `.` or `..`. */
const folderOf = (name: string): string => `${name}.copy`;

/** Removes the copy of a memory; whether there was one. */
export async function removeCopy(kind: CopyKind, name: string): Promise<boolean> {
  return removeEntry(await home(kind), folderOf(name));
}

/**
 * A storage in files. A write puts in order with the head last, and then deletes, so a crash in between leaves values that the head
 * does not know of. The head is replaced at once: its bytes are written to another file, which takes its place.
 */
export class FileStorage implements StorageObject {
  readonly #name: string;
  readonly #home: FileSystemDirectoryHandle;

  private constructor(name: string, folder: FileSystemDirectoryHandle) {
    this.#name = name;
    this.#home = folder;
  }

  /** @throws StorageError where there are no private files, or none that can be written here. */
  static async open(kind: CopyKind, name: string): Promise<FileStorage> {
    if (typeof FileSystemFileHandle === "undefined" || !("createWritable" in FileSystemFileHandle.prototype)) {
      throw new StorageError("the browser cannot write private files here; Safari can from version 26");
    }
    return new FileStorage(name, await home(kind));
  }

  async read(start: string, end: string): Promise<Pairs> {
    const keys: string[] = [];
    const folder = await this.#opened();
    for await (const name of folder.keys()) {
      const key = name.replaceAll(",", "/");
      if (isWhole(name) && start <= key && key < end) keys.push(key);
    }
    const pairs = await Promise.all(keys.sort().map(async (key) => [key, await this.#value(folder, key)] as const));
    return pairs.filter((pair): pair is [string, Uint8Array] => pair[1] !== undefined);
  }

  async write({ puts, deletes }: StorageBatch, expectedHead: number): Promise<void> {
    const folder = await this.#opened();
    const stored = counterOf(await this.#value(folder, HEAD_KEY));
    if (stored !== expectedHead) throw errorOf("Conflict", `the head of the copy is ${stored}, not ${expectedHead}`);
    await Promise.all(puts.filter(([key]) => key !== HEAD_KEY).map(([key, value]) => put(folder, key, value)));
    for (const [key, value] of puts) if (key === HEAD_KEY) await put(folder, key, value);
    await Promise.all(deletes.map((key) => removeEntry(folder, fileOf(key))));
  }

  /** Removes what writes that were cut off have left. */
  async tidy(): Promise<void> {
    const folder = await this.#opened();
    for await (const name of folder.keys()) if (!isWhole(name)) await removeEntry(folder, name);
  }

  /** Removes everything. */
  async clear(): Promise<void> {
    await removeEntry(this.#home, folderOf(this.#name));
  }

  /** The folder; it may have been removed since the last time. */
  async #opened(): Promise<Folder> {
    return (await this.#home.getDirectoryHandle(folderOf(this.#name), { create: true })) as Folder;
  }

  async #value(folder: Folder, key: string): Promise<Uint8Array | undefined> {
    try {
      const file = await (await folder.getFileHandle(fileOf(key))).getFile();
      return new Uint8Array(await file.arrayBuffer());
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }
}

/** The counter that a stored head begins with; 0 without one, and of a damaged one. */
export const counterOf = (head: Uint8Array | undefined): number => storedCounter(head) ?? 0;

const fileOf = (key: string): string => key.replaceAll("/", ",");

/** Whether a file is not one that a browser writes to before it takes another's place. */
const isWhole = (name: string): boolean => !name.includes(".");

async function put(folder: FileSystemDirectoryHandle, key: string, value: Uint8Array): Promise<void> {
  const file = await folder.getFileHandle(fileOf(key), { create: true });
  const stream = await file.createWritable();
  try {
    await stream.write(value as Uint8Array<ArrayBuffer>);
  } catch (error) {
    // Why it could not be written is thrown.
    await stream.abort().catch(() => {});
    throw error;
  }
  await stream.close();
}
