/** Storage in the origin's private file system, for dedicated workers. */
import { StorageError } from "../errors.js";
import { alone } from "../lock.js";
import type { StorageAddress } from "../mnemic.js";
import type { StorageObject } from "../storage.js";
import { AccessFile, areShared, canAccess } from "./access-file.js";
import { BEGINNING_BYTES } from "./beginning.js";
import type { File, Place } from "./file.js";
import { folderOf, home, isMissing, lineOf, removeEntry } from "./private.js";
import { isReplaced, newBeginning, randomName } from "./record.js";
import { JournalStorage, lostFile } from "./storage.js";

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
    throw new StorageError('"opfs" needs a dedicated worker: pass worker: true, or open the memory in a worker of your own; to do without, move it with moveMemory()');
  }
  return new JournalStorage(await OpfsPlace.open(name), durability);
}

/**
 * How long a file is kept after another took its place. Nobody can bring the names of private files to the disk; systems do it by themselves,
 * within half a minute.
 */
const KEPT_MS = 60_000;

/**
 * A folder of journals, whose names begin with a number that counts up. The first that none took the place of counts. One that another took
 * the place of is emptied once the name of that one is on the disk, or when something is erased, and removed later.
 */
class OpfsPlace implements Place {
  readonly name: string;
  readonly #name: string;
  readonly #home: FileSystemDirectoryHandle;
  readonly #line: BroadcastChannel | undefined;
  /** Files that are in use here. */
  readonly #files = new Set<AccessFile>();
  #current: AccessFile | undefined;
  /** The name of the file that took the place of one that is still there. */
  #successor: string | undefined;
  #former: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly isHeld = areShared();
  readonly isKept = false;

  private constructor(name: string, home: FileSystemDirectoryHandle) {
    this.#name = name;
    this.name = `the private file of "${name}"`;
    this.#home = home;
    this.#line = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel(lineOf(name));
    if (this.#line !== undefined) this.#line.onmessage = () => this.#files.forEach((file) => file.release());
  }

  static async open(name: string): Promise<OpfsPlace> {
    return new OpfsPlace(name, await home("opfs"));
  }

  async open(): Promise<File> {
    const folder = await this.#folder();
    const entries = await journalsIn(folder);
    // Mostly there is one file, and it is soonest looked at from within.
    const only = entries.length === 1 ? await this.#take(entries[0]!.name, false).catch(noneIfMissing) : undefined;
    if (only !== undefined) {
      const beginning = new Uint8Array(BEGINNING_BYTES);
      if (only.read(beginning, 0) === BEGINNING_BYTES && !isReplaced(beginning)) return (this.#current = only);
      only.close();
    }
    const names: string[] = [];
    const replaced: string[] = [];
    for (const entry of entries) {
      const { name } = entry;
      // What was never finished may be removed at any time.
      const file = await entry.getFile().catch(noneIfMissing);
      if (file === undefined) continue;
      if (file.size < BEGINNING_BYTES) {
        // Others may still have it open.
        await removeEntry(folder, name).catch(() => {});
      } else if (isReplaced(new Uint8Array(await file.slice(0, BEGINNING_BYTES).arrayBuffer()))) {
        replaced.push(name);
        if (file.size > BEGINNING_BYTES) await this.#retire(name);
      } else {
        names.push(name);
      }
    }
    const counting = names.find((name) => name === this.#successor) ?? names.sort()[0];
    if (counting !== undefined) {
      for (const name of replaced) if (await isOld(folder, name)) await removeEntry(folder, name).catch(() => {});
    } else if (replaced.length > 0) {
      throw lostFile(this.name);
    } else {
      // What was deleted while it was open here begins anew, as no successor of anything.
      this.#current = undefined;
    }
    this.#current = counting === undefined ? await this.#begin(this.nextName(), false) : await this.#take(counting, false);
    return this.#current;
  }

  get #number(): number {
    return this.#current === undefined ? 0 : numberOf(this.#current.name);
  }

  nextName(): string {
    return `${String(this.#number + 1).padStart(10, "0")}-${randomName()}`;
  }

  async create(name: string): Promise<File> {
    const folder = await this.#folder();
    // What a crash left would be taken for this one later.
    for (const { name: other } of await journalsIn(folder)) {
      if (other !== name && numberOf(other) === numberOf(name)) await removeEntry(folder, other);
    }
    return this.#begin(name, true);
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

  async replace(name: string): Promise<boolean> {
    const former = this.#current?.name;
    if (former === undefined || former === name) return true;
    const folder = await this.#folder();
    try {
      await folder.getFileHandle(name);
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
    [this.#successor, this.#former] = [name, former];
    if (await isOld(folder, former)) await this.clear();
    else this.#timer ??= setTimeout(() => void this.alone(() => this.clear()).catch(() => {}), KEPT_MS);
    return true;
  }

  async clear(): Promise<void> {
    if (this.#former === undefined) return;
    await this.#retire(this.#former);
    this.#former = undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #retire(name: string): Promise<void> {
    try {
      const file = await AccessFile.open(await this.#folder(), name, false);
      try {
        file.retire();
      } finally {
        file.close();
      }
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
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
    clearTimeout(this.#timer);
    this.#line?.close();
    for (const file of this.#files) file.close();
  }

  async #folder(): Promise<Folder> {
    return (await this.#home.getDirectoryHandle(folderOf(this.#name), { create: true })) as Folder;
  }

  async #begin(name: string, isMade: boolean): Promise<AccessFile> {
    const file = await this.#take(name, true);
    file.append(newBeginning(isMade));
    file.flush();
    return file;
  }

  async #take(name: string, create: boolean): Promise<AccessFile> {
    const file = await AccessFile.open(await this.#folder(), name, create);
    this.#files.add(file);
    return file;
  }
}

const numberOf = (name: string): number => parseInt(name, 10);

/** The files of a folder that have names of journals. */
async function journalsIn(folder: Folder): Promise<FileSystemFileHandle[]> {
  const found: FileSystemFileHandle[] = [];
  for await (const entry of folder.values()) {
    if (entry.kind === "file" && /^\d{10}-[0-9a-f]{16}$/.test(entry.name)) found.push(entry as FileSystemFileHandle);
  }
  return found;
}

/** Nothing in place of what is not there any more. */
function noneIfMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

/** Whether a file was written long enough ago for all names to be on the disk since. */
async function isOld(folder: FileSystemDirectoryHandle, name: string): Promise<boolean> {
  const { lastModified } = await (await folder.getFileHandle(name)).getFile();
  return lastModified < Date.now() - KEPT_MS;
}
