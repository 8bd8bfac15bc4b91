/** A file of the origin's private file system that is read and written at once, which only dedicated workers can. */
import { BEGINNING_BYTES } from "./beginning.js";
import type { File } from "./file.js";
import { REPLACED, REPLACED_AT } from "./record.js";
import { isMissing } from "./private.js";

/** How a handle is asked for; browsers that do not know the mode give one that excludes others. */
interface Mode {
  readonly mode: "readwrite-unsafe";
}

/** A handle as it is, which the library of types leaves to workers. */
interface Handle {
  getSize(): number;
  read(into: Uint8Array, options: { at: number }): number;
  write(bytes: Uint8Array, options: { at: number }): number;
  truncate(size: number): void;
  flush(): void;
  close(): void;
}

interface Accessible extends FileSystemFileHandle {
  createSyncAccessHandle(options: Mode): Promise<Handle>;
}

/** Whether this is a place where such files can be had. */
export function canAccess(): boolean {
  return typeof FileSystemFileHandle !== "undefined" && "createSyncAccessHandle" in FileSystemFileHandle.prototype;
}

/** Whether several may have a file open at the same time: where handles have a mode, it may be asked for. */
export function areShared(): boolean {
  const { FileSystemSyncAccessHandle } = globalThis as { FileSystemSyncAccessHandle?: { readonly prototype: object } };
  return FileSystemSyncAccessHandle !== undefined && "mode" in FileSystemSyncAccessHandle.prototype;
}

/** Such a file. One that excludes others is let go of after each use. */
export class AccessFile implements File {
  readonly name: string;
  readonly #entry: FileSystemFileHandle;
  #handle: Handle | undefined;
  /** Whether it is not used any more. */
  isClosed = false;

  private constructor(name: string, entry: FileSystemFileHandle) {
    this.name = name;
    this.#entry = entry;
  }

  static async open(folder: FileSystemDirectoryHandle, name: string, create: boolean): Promise<AccessFile> {
    const file = new AccessFile(name, await folder.getFileHandle(name, { create }));
    await file.take();
    return file;
  }

  /** Takes the handle again. A file that is not there any more has no bytes. */
  async take(): Promise<void> {
    if (this.#handle !== undefined || this.isClosed) return;
    try {
      this.#handle = await (this.#entry as Accessible).createSyncAccessHandle({ mode: "readwrite-unsafe" });
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }

  /** Lets go of the handle. */
  release(): void {
    this.#handle?.close();
    this.#handle = undefined;
  }

  size(): number {
    return this.#handle?.getSize() ?? 0;
  }

  isGone(): boolean {
    return this.#handle === undefined;
  }

  read(into: Uint8Array, at: number): number {
    return this.#handle?.read(into, { at }) ?? 0;
  }

  append(bytes: Uint8Array): void {
    const handle = this.#usable();
    const size = handle.getSize();
    let isWritten = false;
    try {
      write(handle, bytes, size);
      isWritten = true;
    } finally {
      // Nobody else appends at the same time.
      if (!isWritten) handle.truncate(size);
    }
  }

  overwrite(bytes: Uint8Array, at: number): void {
    write(this.#usable(), bytes, at);
  }

  flush(): void {
    this.#handle?.flush();
  }

  /** Takes all bytes away. */
  empty(): void {
    this.#handle?.truncate(0);
    this.#handle?.flush();
  }

  /** Takes all bytes away but those that say that another file took its place. */
  retire(): void {
    const handle = this.#usable();
    write(handle, REPLACED, REPLACED_AT);
    // Otherwise the rest might be gone first, and it would look like a new journal.
    handle.flush();
    handle.truncate(BEGINNING_BYTES);
    handle.flush();
  }

  close(): void {
    this.isClosed = true;
    this.release();
  }

  #usable(): Handle {
    if (this.#handle === undefined) throw new DOMException("the file was removed", "InvalidStateError");
    return this.#handle;
  }
}

/** @throws DOMException when not all of it was written. Beyond the quota Chromium answers a code of its own, as a number far over the length. */
function write(handle: Handle, bytes: Uint8Array, at: number): void {
  const written = handle.write(bytes, { at });
  if (written !== bytes.length) throw new DOMException(`${bytes.length} bytes could not be written`, "QuotaExceededError");
}
