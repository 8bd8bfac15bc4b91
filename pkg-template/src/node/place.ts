/** Files of Node that a journal is kept in. */
import { closeSync, constants, fdatasync, fstatSync, fsyncSync, linkSync, openSync, readSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
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

/** A path, and files whose names begin with it. */
export class NodePlace implements Place {
  readonly isHeld = true;
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  async open(): Promise<File> {
    for (;;) {
      try {
        const file = new NodeFile(this.#path);
        // Who made it may have died before its name was on the disk.
        this.#syncFolder();
        return file;
      } catch (error) {
        if (!isCode(error, "ENOENT")) throw error;
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
    this.#begin(name);
    // A journal that names it must not be on the disk before it is.
    this.#syncFolder();
    return new NodeFile(this.#beside(name));
  }

  async remove(name: string): Promise<void> {
    rmSync(this.#beside(name), { force: true });
  }

  async replace(name: string): Promise<boolean> {
    try {
      renameSync(this.#beside(name), this.#path);
    } catch (error) {
      // Another process was first.
      if (!isCode(error, "ENOENT")) throw error;
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

  #begin(name: string): void {
    let file;
    try {
      file = openSync(this.#beside(name), "wx");
    } catch (cause) {
      if (!isCode(cause, "ENOENT")) throw cause;
      throw new StorageError(`there is no folder ${dirname(this.#path)} for the file of the memory; make it first`, { cause });
    }
    try {
      writeSync(file, newBeginning());
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

function isCode(error: unknown, code: string): boolean {
  return (error as { code?: unknown }).code === code;
}
