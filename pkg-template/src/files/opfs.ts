/** Storage in the origin's private file system, for dedicated workers. */
import { StorageError } from "../errors.js";
import { alone } from "../lock.js";
import type { StorageAddress } from "../mnemic.js";
import { home, isMissing, removeEntry } from "../safekeeping/files.js";
import type { StorageObject } from "../storage.js";
import { AccessFile, canAccess } from "./access-file.js";
import type { File, Place } from "./file.js";
import { folderOf, lineOf } from "./removal.js";
import { BEGINNING_BYTES, newBeginning, randomName } from "./record.js";
import { JournalStorage } from "./storage.js";

interface Folder extends FileSystemDirectoryHandle {
  values(): AsyncIterable<FileSystemHandle>;
}

/**
 * Opens the storage `"opfs"` of a name.
 *
 * @throws StorageError where there are no such files.
 */
export async function openOpfs({ name, durability }: StorageAddress): Promise<StorageObject> {
  if (!canAccess()) {
    throw new StorageError('"opfs" needs a dedicated worker: pass worker: true, or open the memory in a worker of your own');
  }
  return new JournalStorage(await OpfsPlace.open(name), durability);
}

async function sizeOf(entry: FileSystemHandle): Promise<number> {
  return entry.kind === "file" ? (await (entry as FileSystemFileHandle).getFile()).size : 0;
}

/**
 * A folder of journals, whose names begin with a number that counts up. The first that is not empty counts: one that another took the place
 * of is emptied, and removed once nobody has it open.
 */
class OpfsPlace implements Place {
  readonly #name: string;
  readonly #home: FileSystemDirectoryHandle;
  readonly #line: BroadcastChannel | undefined;
  /** Files that are in use here. */
  readonly #files = new Set<AccessFile>();
  #current: AccessFile | undefined;
  readonly isHeld: boolean;

  private constructor(name: string, home: FileSystemDirectoryHandle, isHeld: boolean) {
    this.#name = name;
    this.#home = home;
    this.isHeld = isHeld;
    this.#line = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel(lineOf(name));
    if (this.#line !== undefined) this.#line.onmessage = () => this.#files.forEach((file) => file.release());
  }

  static async open(name: string): Promise<OpfsPlace> {
    const folder = await home("opfs");
    // Whether the browser lets several have a file open is known when one is.
    const isHeld = await alone(lineOf(name), async () => {
      const probe = await AccessFile.open(folder, `${name}.probe`, true);
      const { isShared } = probe;
      probe.close();
      await removeEntry(folder, `${name}.probe`);
      return isShared;
    });
    return new OpfsPlace(name, folder, isHeld);
  }

  async open(): Promise<File> {
    const folder = await this.#folder();
    const names: string[] = [];
    for await (const entry of folder.values()) {
      if ((await sizeOf(entry)) >= BEGINNING_BYTES) names.push(entry.name);
      // Others may still have it open.
      else await removeEntry(folder, entry.name).catch(() => {});
    }
    const [first] = names.sort();
    this.#current = first === undefined ? await this.#begin(this.nextName()) : await this.#take(first, false);
    return this.#current;
  }

  nextName(): string {
    const number = this.#current === undefined ? 0 : Number(this.#current.name.split("-")[0]);
    return `${String(number + 1).padStart(10, "0")}-${randomName()}`;
  }

  async create(name: string): Promise<File> {
    return this.#begin(name);
  }

  async remove(name: string): Promise<void> {
    const mine = [...this.#files].find((file) => file.name === name && !file.isGone());
    try {
      const file = mine ?? (await AccessFile.open(await this.#folder(), name, false));
      file.empty();
      if (mine === undefined) file.close();
    } catch (error) {
      if (!isMissing(error)) throw error;
      return;
    }
    await removeEntry(await this.#folder(), name).catch(() => {});
  }

  async replace(): Promise<void> {
    this.#current?.empty();
  }

  async alone<Result>(work: () => Promise<Result>): Promise<Result> {
    return alone(lineOf(this.#name), async () => {
      if (!this.isHeld) for (const file of this.#files) await file.take();
      try {
        return await work();
      } finally {
        for (const file of this.#files) {
          if (file.isClosed) this.#files.delete(file);
          else if (!this.isHeld) file.release();
        }
      }
    });
  }

  close(): void {
    this.#line?.close();
    for (const file of this.#files) file.close();
  }

  async #folder(): Promise<Folder> {
    return (await this.#home.getDirectoryHandle(folderOf(this.#name), { create: true })) as Folder;
  }

  async #begin(name: string): Promise<AccessFile> {
    const file = await this.#take(name, true);
    file.append(newBeginning());
    file.flush();
    return file;
  }

  async #take(name: string, create: boolean): Promise<AccessFile> {
    const file = await AccessFile.open(await this.#folder(), name, create);
    this.#files.add(file);
    return file;
  }
}
