/** Backups by themselves, to a file or folder that the user chose. */
import { InvalidInputError, NotFoundError, StorageError, typed, failure } from "../errors.js";
import type { ChangeEvent } from "../events.js";
import { passphraseBytes } from "../passphrase.js";
import { kind, shown } from "../plain.js";
import type { Failure, Usage } from "../types.js";
import { read, write, type Kept } from "./kept.js";
import { freshKey, restore, streamOf, type Line, type Restored, type RestoreOptions } from "./transfer.js";

/** How backups are made. */
export interface BackupOptions {
  /** At most one backup in so many milliseconds, 10 s to a day; also one when the page is hidden. Default: 300 000. */
  readonly everyMs?: number | undefined;
  /** Encrypts the backups. The derived key is kept in the browser, so that backups go on after a reload. Default: they are readable. */
  readonly passphrase?: string | undefined;
}

/**
 * Where backups go: the handle that `showSaveFilePicker()`, `showDirectoryPicker()` or `navigator.storage.getDirectory()` gives. Only
 * what Node's types know is declared of it.
 */
export interface BackupTarget {
  readonly kind: "file" | "directory";
  readonly name: string;
}

/** How it stands with the backups. */
export interface BackupState {
  /** Where they go; absent when nothing was chosen. */
  target?: { kind: "file" | "directory"; name: string };
  /** `"prompt"`: the browser asks the user again, after `memory.backup.allow()` in a click. Absent without a target. */
  permission?: "granted" | "prompt" | "denied";
  /** When the last backup was made; absent when none was. */
  lastAt?: number;
  /** How many bytes it has. */
  lastBytes?: number;
  /** Whether something was written since. */
  isDue: boolean;
  /** Whether one is being made. */
  isRunning: boolean;
  /** Why the last attempt failed; absent when it did not. */
  error?: Failure;
}

/** What browsers have and the types of TypeScript do not. */
type Asking = FileSystemHandle & {
  queryPermission?(options: { mode: "readwrite" }): Promise<PermissionState>;
  requestPermission?(options: { mode: "readwrite" }): Promise<PermissionState>;
};

const DEFAULT_MS = 300_000;
const BOUNDS = { least: 10_000, most: 86_400_000 };
/** How long after a change a backup is made when none was made lately, so that one backup holds what is written together. */
const SETTLE_MS = 2000;

/** The backups of one memory. */
export class Backup {
  readonly #name: string;
  readonly #line: Line;
  readonly #made: (at: number) => Promise<void>;
  /** Tells the application of a failure that no call reports. */
  readonly #failed: (error: Failure) => void;
  #kept: Kept | undefined;
  #loaded: Promise<void> | undefined;
  #isDue = false;
  #changedAt = 0;
  #running: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #error: Failure | undefined;
  #isClosed = false;
  /** Whether the memory was lost since its last backup, and did not come back. */
  #isLost = false;
  readonly #hidden = (): void => {
    if (document.visibilityState === "hidden" && this.#isDue) this.#alone();
  };

  /** @internal Made by `openMemory()`. */
  constructor(name: string, line: Line, made: (at: number) => Promise<void>, failed: (error: Failure) => void) {
    this.#name = name;
    this.#line = line;
    this.#made = made;
    this.#failed = failed;
  }

  /**
   * Makes backups from now on, after changes, to the file or into the folder; the first at once. Each takes the place of the one before
   * when it is complete. The choice is kept, also after a reload.
   *
   * @throws StorageError when the file cannot be written.
   *
   * @example
   * ```ts no-run
   * // Or showSaveFilePicker(), in a click, for a file that the user chooses.
   * const folder = await navigator.storage.getDirectory();
   * await memory.backup.to(folder, { everyMs: 60_000 });
   * ```
   */
  async to(handle: BackupTarget, options: BackupOptions = {}): Promise<BackupState> {
    const { everyMs = DEFAULT_MS, passphrase, ...others } = options;
    const unknown = Object.keys(others)[0];
    if (unknown !== undefined) throw new InvalidInputError(`options.${unknown}: unknown option; the options are everyMs, passphrase`);
    if (handle?.kind !== "file" && handle?.kind !== "directory") {
      throw new InvalidInputError(`handle: ${kind(handle)} is no handle of a file or folder; pass what showSaveFilePicker() gives`);
    }
    if (typeof everyMs !== "number" || !(everyMs >= BOUNDS.least && everyMs <= BOUNDS.most)) {
      throw new InvalidInputError(`options.everyMs: ${shown(everyMs)} is not allowed; pass ${BOUNDS.least} to ${BOUNDS.most}`);
    }
    const sealing = passphrase === undefined ? undefined : await freshKey(passphraseBytes(passphrase, "options.passphrase"));
    await this.#load();
    this.#isLost = false;
    this.#kept = { handle: handle as FileSystemHandle, everyMs, ...(sealing && { sealing }) };
    await write(this.#name, this.#kept);
    this.#isDue = true;
    return this.now();
  }

  /**
   * Makes a backup now.
   *
   * @throws NotFoundError when no file was chosen.
   * @throws StorageError when the file cannot be written; `state()` says whether the permission is missing.
   *
   * @example
   * ```ts no-run
   * const { lastAt, lastBytes } = await memory.backup.now();
   * ```
   */
  async now(): Promise<BackupState> {
    await this.#load();
    this.#target();
    await this.#hold(false);
    this.#changedAt = Infinity;
    this.#isDue = true;
    await this.#run();
    return this.state();
  }

  /**
   * How it stands with the backups.
   *
   * @example
   * ```ts
   * const { target, lastAt, permission, error } = await memory.backup.state();
   * console.log(target === undefined ? "no file was chosen" : lastAt);
   * ```
   */
  async state(): Promise<BackupState> {
    await this.#load();
    const flags = { isDue: this.#isDue, isRunning: this.#running !== undefined, ...(this.#error && { error: this.#error }) };
    if (this.#kept === undefined) return { ...flags, isDue: false };
    const { handle, lastAt, lastBytes } = this.#kept;
    return {
      target: { kind: handle.kind, name: handle.name },
      permission: await permissionOf(handle),
      ...(lastAt !== undefined && { lastAt }),
      ...(lastBytes !== undefined && { lastBytes }),
      ...flags,
    };
  }

  /**
   * Asks the user for the permission to write again, which browsers may take back when the page is closed. Call it in a click.
   *
   * @throws NotFoundError when no file was chosen.
   *
   * @example
   * ```ts no-run
   * document.querySelector("button")!.onclick = () => memory.backup.allow();
   * ```
   */
  async allow(): Promise<BackupState> {
    // The browser asks only while the click lasts, so what is loaded is not loaded again.
    if (this.#loaded === undefined) await this.#load();
    const handle = this.#target().handle as Asking;
    await handle.requestPermission?.({ mode: "readwrite" });
    if ((await permissionOf(handle)) === "granted" && this.#isDue) await this.#run();
    return this.state();
  }

  /**
   * Makes no backups any more, and forgets where they went. The file stays.
   *
   * @example
   * ```ts
   * await memory.backup.stop();
   * ```
   */
  async stop(): Promise<void> {
    await this.#load();
    clearTimeout(this.#timer);
    [this.#kept, this.#isDue, this.#error] = [undefined, false, undefined];
    await write(this.#name, undefined);
  }

  /**
   * Puts the last backup in the place of the memory: from the file that was chosen, or from another.
   *
   * @throws NotFoundError when no file was chosen, or it holds no backup.
   * @throws CorruptError, InvalidInputError, UnsupportedVersionError, LockedError, WrongKeyError as `memory.import`; then nothing was changed.
   *
   * @example
   * ```ts no-run
   * // Or the handle of showOpenFilePicker(), in a click.
   * const folder = await navigator.storage.getDirectory();
   * await memory.backup.restore(folder);
   * ```
   */
  async restore(handle?: BackupTarget, options?: Omit<RestoreOptions, "scope">): Promise<Restored> {
    await this.#load();
    // Nothing is written to the file while it is read, nor before the memory is what it holds.
    if (this.#running !== undefined) await Promise.allSettled([this.#running]);
    clearTimeout(this.#timer);
    const from = handle ?? (this.#target().handle as BackupTarget);
    let file: File;
    try {
      file = await (await fileOf(this.#name, from, false)).getFile();
    } catch (cause) {
      throw cause instanceof DOMException && cause.name === "NotFoundError"
        ? new NotFoundError(`there is no backup of "${this.#name}" in ${shown(from.name)}`, { cause })
        : unwritable(from, cause);
    }
    const restored = await restore(this.#line, file, { mode: "replace", ...options });
    await this.#hold(false);
    return restored;
  }

  /** @internal Goes on with what an earlier visit began. `isLost`: the memory was lost, and did not come back. */
  begin(isLost: boolean): void {
    this.#isLost = isLost;
    this.#goOn(isLost).catch((cause: unknown) => this.#tell(cause));
  }

  async #goOn(isLost: boolean): Promise<void> {
    if (typeof document !== "undefined") document.addEventListener("visibilitychange", this.#hidden);
    await this.#load();
    if (isLost) await this.#hold(true);
    if (this.#kept === undefined) return;
    const { commits } = await this.#line.call<Usage>("usage", {});
    if (commits !== this.#kept.lastCommits) this.#due(false);
  }

  /** @internal Hears of a change. */
  changed({ cause }: ChangeEvent): void {
    this.#changedAt = Date.now();
    if (this.#kept !== undefined) this.#due((cause as string) === "forget");
  }

  /** @internal */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    if (typeof document !== "undefined") document.removeEventListener("visibilitychange", this.#hidden);
  }

  /** Keeps the last backup from being overwritten by what is left of a memory that was lost, or lets it be. */
  async #hold(isHeld: boolean): Promise<void> {
    this.#isLost = isHeld;
    if (this.#kept === undefined || (this.#kept.isHeld ?? false) === isHeld) return;
    this.#kept = { ...this.#kept, isHeld };
    await write(this.#name, this.#kept);
  }

  /** Makes a backup in a while; soon after something was forgotten, which the last one still holds. */
  #due(soon: boolean): void {
    this.#isDue = true;
    if (this.#isClosed || this.#kept === undefined || this.#running !== undefined) return;
    const { lastAt = 0, everyMs } = this.#kept;
    const wait = soon ? SETTLE_MS : Math.max(SETTLE_MS, lastAt + everyMs - Date.now());
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#alone(), wait);
    // A Node process does not wait for it.
    (this.#timer as { unref?: () => void }).unref?.();
  }

  /** Makes a backup that no call asked for. */
  #alone(): void {
    this.#run().catch((cause: unknown) => this.#tell(cause));
  }

  #tell(cause: unknown): void {
    if (!this.#isClosed) this.#failed(failure(typed(cause)));
  }

  #run(): Promise<void> {
    clearTimeout(this.#timer);
    return (this.#running ??= this.#locked().finally(() => {
      this.#running = undefined;
      if (this.#isDue && this.#error === undefined) this.#due(false);
    }));
  }

  /** Makes a backup, unless another tab has made one since the last change. */
  async #locked(): Promise<void> {
    const work = async (): Promise<void> => {
      const kept = (await read(this.#name)) ?? this.#kept;
      if (kept === undefined) return;
      if ((kept.lastAt ?? 0) > this.#changedAt) {
        [this.#kept, this.#isDue] = [kept, false];
        return;
      }
      await this.#make(kept);
    };
    try {
      const locks = globalThis.navigator?.locks;
      await (locks === undefined ? work() : locks.request(`mnemic-backup:${this.#name}`, work));
      this.#error = undefined;
    } catch (cause) {
      const error = typed(cause);
      this.#error = failure(error);
      throw error;
    }
  }

  async #make(kept: Kept): Promise<void> {
    if (this.#isLost || kept.isHeld) {
      throw new StorageError(
        `the memory was lost after its last backup, which is kept; call memory.backup.restore(), or memory.backup.now() to overwrite it`,
      );
    }
    if ((await permissionOf(kept.handle)) !== "granted") {
      throw new StorageError(`the browser does not let ${shown(kept.handle.name)} be written; call memory.backup.allow() in a click`);
    }
    const lastAt = Date.now();
    this.#isDue = false;
    this.#changedAt = Math.min(this.#changedAt, lastAt);
    let lastBytes = 0;
    try {
      const { commits } = await this.#line.call<Usage>("usage", {});
      const file = await fileOf(this.#name, kept.handle, true);
      const writable = await file.createWritable();
      const count = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform(piece, controller) {
          lastBytes += piece.length;
          controller.enqueue(piece);
        },
      });
      const sealing = kept.sealing && Promise.resolve(kept.sealing);
      // What is written takes the place of the file when the stream closes, and is dropped when it fails.
      await streamOf(this.#line, sealing).pipeThrough(count).pipeTo(writable);
      this.#kept = { ...kept, lastAt, lastBytes, lastCommits: commits };
      await write(this.#name, this.#kept);
      // The backup is there, whether its time can be noted beside the memory or not.
      await this.#made(lastAt).catch((cause: unknown) => this.#tell(cause));
    } catch (cause) {
      this.#isDue = true;
      throw cause instanceof DOMException ? unwritable(kept.handle, cause) : cause;
    }
  }

  #target(): Kept {
    if (this.#kept === undefined) throw new NotFoundError("no file was chosen for backups; call memory.backup.to(handle) first");
    return this.#kept;
  }

  #load(): Promise<void> {
    return (this.#loaded ??= read(this.#name).then(
      (kept) => {
        this.#kept ??= kept;
      },
      // Without the database of handles, a choice lasts as long as the page.
      (cause: unknown) => {
        const unread = new StorageError(`where backups go cannot be read (${String(cause)}); call memory.backup.to(handle) again`, { cause });
        this.#error = failure(unread);
        this.#tell(unread);
      },
    ));
  }
}

/** The file of a memory: the file itself, or the one with its name in a folder. */
function fileOf(name: string, handle: BackupTarget, create: boolean): Promise<FileSystemFileHandle> | FileSystemFileHandle {
  if (handle.kind === "file") return handle as FileSystemFileHandle;
  return (handle as FileSystemDirectoryHandle).getFileHandle(`${name}.mnemic`, { create });
}

async function permissionOf(handle: Asking): Promise<PermissionState> {
  // The files of the site's own need none.
  return (await handle.queryPermission?.({ mode: "readwrite" })) ?? "granted";
}

function unwritable(handle: BackupTarget, cause: unknown): StorageError {
  return new StorageError(`${shown(handle.name)} cannot be used for backups (${String(cause)}); choose another file`, { cause });
}
