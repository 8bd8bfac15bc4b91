/** Files of Node that a journal is kept in. */
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  fdatasync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
  type Stats,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { StorageError } from "../errors.js";
import type { File, Place } from "../files/file.js";
import { newBeginning, randomName } from "../files/record.js";

/**
 * A file whose bytes are added at its end by the system: what several processes add stands one behind the other, and never over one
 * another.
 */
class NodeFile implements File {
  /** A system may ignore positions where it appends, so there are two. */
  readonly #appending: number;
  readonly #writing: number;
  #isGone = false;

  constructor(path: string) {
    this.#writing = openSync(path, constants.O_RDWR);
    try {
      this.#appending = openSync(path, constants.O_WRONLY | constants.O_APPEND);
    } catch (error) {
      closeSync(this.#writing);
      throw error;
    }
  }

  size(): number {
    const { size, nlink } = fstatSync(this.#writing);
    this.#isGone = nlink === 0;
    return size;
  }

  isGone(): boolean {
    return this.#isGone;
  }

  read(into: Uint8Array, at: number): number {
    let done = 0;
    for (let read = 1; read > 0 && done < into.length; done += read) {
      read = readSync(this.#writing, into, done, into.length - done, at + done);
    }
    return done;
  }

  append(bytes: Uint8Array): void {
    const written = writeSync(this.#appending, bytes);
    // The rest would not stand behind it for sure.
    if (written < bytes.length) throw Object.assign(new Error(`${written} of ${bytes.length} bytes were written`), { code: "ENOSPC" });
  }

  overwrite(bytes: Uint8Array, at: number): void {
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#writing, bytes, done, bytes.length - done, at + done);
  }

  flush(): Promise<void> {
    return new Promise((resolve, reject) => fdatasync(this.#writing, (error) => (error ? reject(error) : resolve())));
  }

  close(): void {
    closeSync(this.#writing);
    closeSync(this.#appending);
  }
}

/** What the name of a file ends with that could not take the place of another, and never will. */
const SET_ASIDE = ".aside";

/** A path, and files whose names begin with it. */
export class NodePlace implements Place {
  readonly isHeld = true;
  readonly isKept = true;
  /** Where the file itself is: what is put in the place of a link takes the place of the link alone. */
  #path: string;

  get name(): string {
    return `the file ${this.#path}`;
  }

  constructor(path: string) {
    // The process may go to another folder later.
    this.#path = resolve(path);
  }

  async open(): Promise<File> {
    for (;;) {
      try {
        this.#path = realpathSync(this.#path);
        const file = new NodeFile(this.#path);
        // Who made it may have died before its name was on the disk.
        this.#syncFolder();
        return file;
      } catch (error) {
        if (!isCode(error, "ENOENT")) throw error;
      }
      if (lstatSync(this.#path, { throwIfNoEntry: false })?.isSymbolicLink()) {
        throw new StorageError(`${this.#path} is a link to a file that is not there; remove the link, or name the file itself`);
      }
      // Whole or not at all, and by one alone.
      const name = this.nextName();
      this.#begin(name);
      try {
        linkSync(this.#beside(name), this.#path);
      } catch (error) {
        if (!isCode(error, "EEXIST")) throw error;
      } finally {
        await this.remove(name);
      }
    }
  }

  nextName(): string {
    return randomName();
  }

  async create(name: string): Promise<File> {
    this.#begin(name, statSync(this.#path));
    // A journal that names it must not be on the disk before it is.
    this.#syncFolder();
    return new NodeFile(this.#beside(name));
  }

  async remove(name: string): Promise<void> {
    for (const path of [this.#beside(name), this.#beside(name) + SET_ASIDE]) rmSync(path, { force: true });
  }

  async replace(name: string): Promise<boolean> {
    const beside = this.#beside(name);
    try {
      renameSync(beside, this.#path);
    } catch (error) {
      // Else another process was first. A file that is a mount is never replaced, and one that is open not on every system.
      if (!isCode(error, "ENOENT")) setAside(beside);
      if (existsSync(beside + SET_ASIDE)) return false;
    }
    this.#syncFolder();
    return true;
  }

  async clear(): Promise<void> {}

  alone<Result>(work: () => Promise<Result>): Promise<Result> {
    return work();
  }

  close(): void {}

  #beside(name: string): string {
    return `${this.#path}.${name}`;
  }

  /** Makes a new journal, or one that takes the place of another, for those who may use that. */
  #begin(name: string, like?: Stats): void {
    let file;
    try {
      file = openSync(this.#beside(name), "wx", like === undefined ? 0o666 : 0o600);
    } catch (cause) {
      if (!isCode(cause, "ENOENT")) throw cause;
      throw new StorageError(`there is no folder ${dirname(this.#path)} for the file of the memory; make it first`, { cause });
    }
    try {
      if (like !== undefined) handOver(file, like);
      writeSync(file, newBeginning(like !== undefined));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  }

  /** Brings the names of files to the disk. */
  #syncFolder(): void {
    // Windows cannot, and need not.
    if (process.platform === "win32") return;
    const folder = openSync(dirname(this.#path), constants.O_RDONLY);
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  }
}

/** Gives a file the owner and the permissions of another. @throws what the system says when somebody else owns that. */
function handOver(file: number, { mode, uid, gid }: Stats): void {
  const own = fstatSync(file);
  if (own.uid !== uid || own.gid !== gid) fchownSync(file, uid, gid);
  fchmodSync(file, mode & 0o7777);
}

/** Renames a file, so that no process can put it in the place of another from then on. */
function setAside(path: string): void {
  try {
    renameSync(path, path + SET_ASIDE);
  } catch (error) {
    if (!isCode(error, "ENOENT")) throw error;
  }
}

function isCode(error: unknown, code: string): boolean {
  return (error as { code?: unknown }).code === code;
}
