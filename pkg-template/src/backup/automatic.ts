/** Automatic backups, to a file or folder that the user chose. */
import { InvalidInputError, NotFoundError, StorageError, typed, failure, type MnemicError } from "../errors.js";
import type { ChangeEvent } from "../events.js";
import { passphraseBytes } from "../passphrase.js";
import { alone } from "../lock.js";
import { kind, known, shown } from "../plain.js";
import type { Failure, Usage } from "../types.js";
import { Choice, type Kept } from "./kept.js";
import { Schedule } from "./schedule.js";
import { fileOf, permissionOf, unusable, type Asking } from "./target.js";
import { freshKey, restore, streamOf, type Line, type Restored, type RestoreOptions } from "./transfer.js";

/** How backups are made. */
export interface BackupOptions {
  /** At most one backup in this many milliseconds, 10 s to a day; also one when the page is hidden. Default: 300 000. */
  readonly everyMs?: number | undefined;
  /**
   * Encrypts the backups. The derived key is kept in the browser, so that backups continue after a reload. Default: they are
   * readable.
   */
  readonly passphrase?: string | undefined;
}

/**
 * Where backups go: the handle that `showSaveFilePicker()`, `showDirectoryPicker()` or `navigator.storage.getDirectory()` returns.
 * Only the properties that Node's types know are declared.
 */
export interface BackupTarget {
  readonly kind: "file" | "directory";
  readonly name: string;
}

/** The state of automatic backups. */
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

const DEFAULT_MS = 300_000;
const BOUNDS = { least: 10_000, most: 86_400_000 };

/** The backups of one memory. */
export class Backup {
  readonly #name: string;
  readonly #line: Line;
  readonly #made: (at: number) => Promise<void>;
  /** Tells the application of a failure that no call reports. */
  readonly #failed: (error: Failure) => void;
  readonly #choice: Choice;
  readonly #schedule = new Schedule(() => this.#alone());
  /** The choice as it was last read. */
  #kept: Kept | undefined;
  #isRead = false;
  /** Why the choice could not be read. */
  #unread: MnemicError | undefined;
  #isDue = false;
  /** Whether something was forgotten that the last backup still holds. */
  #isSoon = false;
  #changedAt = 0;
  #running: Promise<void> | undefined;
  #error: Failure | undefined;
  /** What was told last; the same failure is told once until a backup succeeds. */
  #told: string | undefined;
  #isClosed = false;
  /** Whether the memory was lost since its last backup, and did not come back. */
  #isLost = false;
  readonly #hidden = (): void => {
    if (document.visibilityState === "hidden" && this.#isDue) this.#alone();
  };

  /** @internal Made by `openMemory()`. */
  constructor(name: string, line: Line, made: (at: number) => Promise<void>, failed: (error: Failure) => void) {
    this.#name = name;
    this.#choice = new Choice(name);
    this.#line = line;
    this.#made = made;
    this.#failed = failed;
  }

  /**
   * Starts automatic backups to a file or folder: one immediately, then one after changes. Each replaces the previous backup once
   * it is complete. The choice survives a reload.
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
    known(options, ["everyMs", "passphrase"]);
    const { everyMs = DEFAULT_MS, passphrase } = options;
    if (handle?.kind !== "file" && handle?.kind !== "directory") {
      throw new InvalidInputError(`handle: ${kind(handle)} is no handle of a file or folder; pass what showSaveFilePicker() gives`);
    }
    if (typeof everyMs !== "number" || !(everyMs >= BOUNDS.least && everyMs <= BOUNDS.most)) {
      throw new InvalidInputError(`options.everyMs: ${shown(everyMs)} is not allowed; pass ${BOUNDS.least} to ${BOUNDS.most}`);
    }
    const sealing = passphrase === undefined ? undefined : await freshKey(passphraseBytes(passphrase, "options.passphrase"));
    const kept = { id: crypto.randomUUID(), handle: handle as FileSystemHandle, everyMs, ...(sealing && { sealing }) };
    await this.#choice.write(kept);
    this.#isLost = false;
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
    await this.#read();
    this.#target();
    await this.#hold(false);
    // One that began earlier may lack what was written since.
    await this.#ended();
    this.#changedAt = Infinity;
    this.#isDue = true;
    await this.#run();
    return this.state();
  }

  /**
   * The state of automatic backups.
   *
   * @example
   * ```ts
   * const { target, lastAt, permission, error } = await memory.backup.state();
   * console.log(target === undefined ? "no file was chosen" : lastAt);
   * ```
   */
  async state(): Promise<BackupState> {
    await this.#read();
    const error = this.#unread ? failure(this.#unread) : this.#error;
    const flags = { isDue: this.#isDue, isRunning: this.#running !== undefined, ...(error && { error }) };
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
   * Asks the user again for the permission to write, which browsers may withdraw when the page is closed. Call it in a click
   * handler.
   *
   * @throws NotFoundError when no file was chosen.
   *
   * @example
   * ```ts no-run
   * document.querySelector("button")!.onclick = () => memory.backup.allow();
   * ```
   */
  async allow(): Promise<BackupState> {
    // The browser asks only while the click lasts, so what was read is not read again.
    if (!this.#isRead) await this.#read();
    const handle = this.#target().handle as Asking;
    await handle.requestPermission?.({ mode: "readwrite" });
    if ((await permissionOf(handle)) === "granted" && this.#isDue) await this.#run();
    return this.state();
  }

  /**
   * Stops automatic backups and forgets the chosen file or folder. The file stays. Waits for a backup in progress.
   *
   * @throws StorageError when the browser cannot forget it; then backups continue.
   *
   * @example
   * ```ts
   * await memory.backup.stop();
   * ```
   */
  async stop(): Promise<void> {
    await this.#choice.remove();
    this.#schedule.clear();
    await this.#ended();
    [this.#kept, this.#isDue, this.#isSoon] = [undefined, false, false];
    [this.#error, this.#unread, this.#told] = [undefined, undefined, undefined];
  }

  /**
   * Replaces the memory by the last backup, from the chosen file or from another one.
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
    await this.#read();
    // Nothing is written to the file while it is read, nor before the memory is what it holds.
    await this.#ended();
    this.#schedule.clear();
    const from = handle ?? (this.#target().handle as BackupTarget);
    let file: File;
    try {
      file = await (await fileOf(this.#name, from, false)).getFile();
    } catch (cause) {
      throw cause instanceof DOMException && cause.name === "NotFoundError"
        ? new NotFoundError(`there is no backup of "${this.#name}" in ${shown(from.name)}`, { cause })
        : unusable(from, cause);
    }
    try {
      const restored = await restore(this.#line, file, { mode: "replace", ...options });
      await this.#hold(false);
      return restored;
    } finally {
      this.#plan();
    }
  }

  /** @internal Goes on with what an earlier visit began. `isLost`: the memory was lost, and did not come back. */
  begin(isLost: boolean): void {
    this.#isLost = isLost;
    this.#goOn().catch((cause: unknown) => this.#tell(cause));
  }

  async #goOn(): Promise<void> {
    if (typeof document !== "undefined") document.addEventListener("visibilitychange", this.#hidden);
    await this.#read();
    if (this.#unread !== undefined) throw this.#unread;
    if (this.#kept === undefined) return;
    const { commits } = await this.#line.call<Usage>("usage", {});
    const { lastCommits = 0 } = this.#kept;
    // Nothing at all where there was something is a loss, whether it was noticed as one or not.
    if (this.#isLost || (commits === 0 && lastCommits > 0)) await this.#hold(true);
    if (commits === lastCommits) return;
    this.#changedAt = Date.now();
    this.#due();
  }

  /** @internal Hears of a change. */
  changed({ cause }: ChangeEvent): void {
    this.#changedAt = Date.now();
    if (this.#kept === undefined) return;
    this.#isSoon ||= cause === "forget";
    this.#due();
  }

  /** @internal */
  close(): void {
    this.#isClosed = true;
    this.#schedule.close();
    if (typeof document !== "undefined") document.removeEventListener("visibilitychange", this.#hidden);
  }

  /** Keeps the last backup from being overwritten by what is left of a memory that was lost, or lets it be. */
  async #hold(isHeld: boolean): Promise<void> {
    this.#isLost = isHeld;
    if (this.#kept === undefined || (this.#kept.isHeld ?? false) === isHeld) return;
    this.#kept = await this.#choice.change(this.#kept.id, { isHeld });
  }

  /** A backup is to be made in a while; soon after something was forgotten, which the last one still holds. */
  #due(): void {
    this.#isDue = true;
    this.#plan();
  }

  #plan(): void {
    if (!this.#isDue || this.#kept === undefined || this.#running !== undefined) return;
    const { lastAt = 0, everyMs } = this.#kept;
    // That the last backup is held is told soon, too.
    this.#schedule.plan(this.#isSoon || this.#isLost ? 0 : lastAt + everyMs);
  }

  /** Makes a backup that no call asked for. */
  #alone(): void {
    this.#run().catch((cause: unknown) => this.#tell(cause));
  }

  /** Tells of a failure that no call reports. A page that is closing is told nothing: the next visit makes the backup. */
  #tell(cause: unknown): void {
    this.#error = failure(typed(cause));
    if (this.#isClosed || this.#told === this.#error.message) return;
    this.#told = this.#error.message;
    this.#failed(this.#error);
  }

  /** Waits until none is being made; whether it succeeded is told to who began it. */
  async #ended(): Promise<void> {
    if (this.#running !== undefined) await Promise.allSettled([this.#running]);
  }

  #run(): Promise<void> {
    this.#schedule.clear();
    return (this.#running ??= this.#locked().finally(() => {
      this.#running = undefined;
      this.#plan();
    }));
  }

  /** Makes a backup, unless another tab has made one since the last change, or there is no file for it any more. */
  async #locked(): Promise<void> {
    const work = async (): Promise<void> => {
      const kept = await this.#choice.read();
      this.#kept = kept;
      if (kept === undefined || (kept.lastAt ?? 0) > this.#changedAt) [this.#isDue, this.#isSoon] = [false, false];
      else await this.#make(kept);
    };
    try {
      await alone(`mnemic-backup:${this.#name}`, work);
      this.#schedule.ended(true);
      [this.#error, this.#told] = [undefined, undefined];
    } catch (cause) {
      const error = typed(cause);
      this.#schedule.ended(false);
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
    const isSoon = this.#isSoon;
    [this.#isDue, this.#isSoon] = [false, false];
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
      this.#kept = await this.#choice.change(kept.id, { lastAt, lastBytes, lastCommits: commits });
      // The backup is there, whether its time can be noted beside the memory or not.
      await this.#made(lastAt).catch((cause: unknown) => this.#tell(cause));
    } catch (cause) {
      this.#isDue = true;
      this.#isSoon ||= isSoon;
      throw cause instanceof DOMException ? unusable(kept.handle, cause) : cause;
    }
  }

  #target(): Kept {
    if (this.#kept !== undefined) return this.#kept;
    throw this.#unread ?? new NotFoundError("no file was chosen for backups; call memory.backup.to(handle) first");
  }

  /** Reads the choice, which another tab may have changed. That it cannot be read is told by `state()`, and by who needs it. */
  async #read(): Promise<void> {
    this.#isRead = true;
    try {
      [this.#kept, this.#unread] = [await this.#choice.read(), undefined];
    } catch (cause) {
      this.#unread = typed(cause);
    }
  }
}
