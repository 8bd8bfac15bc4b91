/** Backups on their way between an engine and a stream. */
import type { Caller } from "../caller.js";
import { AbortedError, InvalidInputError, LockedError } from "../errors.js";
import type { Imported, ImportOptions, ImportSource } from "../import/format.js";
import { newDerivation, passphraseBytes, passphraseKey } from "../passphrase.js";
import { kind, known, shown } from "../plain.js";
import type { CallOptions, ScopePairs } from "../types.js";
import { seal, unseal, type SealingKey } from "./sealed.js";
import { openSource, type BackupSource, type OpenedSource } from "./source.js";

type Bytes = Uint8Array<ArrayBuffer>;

/** How many bytes a file may have: it is held in the memory of the module, which ends at 4 GiB and is shared by all memories. */
const MAX_BACKUP_BYTES = 512 * 1024 * 1024;

/** The way of bytes into an engine and out of it. */
export interface Line {
  /** The open memory; undefined when that is elsewhere. */
  readonly memory?: object;
  /** Calls a method of the whole memory, or of the scope that the line belongs to. */
  readonly call: Caller;
  /** Whether it is of the whole memory. */
  readonly whole: boolean;
  /** Moves a piece: takes bytes in, or answers the next, none after the last. */
  transfer(number: number, bytes: Bytes): Promise<Bytes>;
  /** Imports where the engine runs; undefined when that is here. */
  readonly import?: ((source: ImportSource, options: ImportOptions) => Promise<Imported>) | undefined;
}

/** Options of `export`. */
export interface ExportOptions extends CallOptions {
  /**
   * Encrypts the file. Nobody can read it without the passphrase, and a lost passphrase cannot be recovered. Default: the file is
   * readable.
   */
  readonly passphrase?: string | undefined;
}

/** Options of `memory.import`. */
export interface RestoreOptions extends CallOptions {
  /**
   * `"replace"`: replaces the memory by the file, with its history; this cannot be undone. `"merge"`: adds what only the file has
   * and takes its newer versions, in one commit per scope. Default: `"merge"`.
   */
  readonly mode?: "merge" | "replace" | undefined;
  /** Imports only this scope from the file; with `"replace"`, only this scope is replaced, in a commit. Default: all. */
  readonly scope?: ScopePairs | undefined;
  /** The passphrase of an encrypted file. */
  readonly passphrase?: string | undefined;
  /** Called while the file is read, with the bytes read and their `total`, which is absent for a stream. */
  readonly onProgress?: ((progress: RestoreProgress) => void) | undefined;
}

/** How far a file is read. */
export interface RestoreProgress {
  done: number;
  total?: number;
}

/** What an import did. */
export interface Restored {
  mode: "merge" | "replace";
  /** When the file was made. */
  createdAt: number;
  /** How many items are new here. */
  added: number;
  /** How many existed here and now have the file's version. */
  updated: number;
  /** How many were deleted here because they are deleted in the file. */
  removed: number;
  /** How many stay as they were. */
  unchanged: number;
  /** The commits, for `undo`; empty when nothing changed, and after everything was replaced. */
  commits: Array<{ scope: ScopePairs; commitId: string }>;
}

/** Reads a backup out of an engine as a stream; it begins at once, so that it is of this moment. */
export function exportStream(line: Line, options: ExportOptions | undefined): ReadableStream<Bytes> {
  const { passphrase, signal } = exportOptions(options);
  const key = passphrase === undefined ? undefined : freshKey(passphraseBytes(passphrase, "options.passphrase"));
  return streamOf(line, key, signal);
}

/** The same with a key that is there already. */
export function streamOf(
  line: Line,
  key: Promise<SealingKey> | undefined,
  signal?: AbortSignal | undefined,
): ReadableStream<Bytes> {
  const begun = line.call<{ transfer: number }>("backups.export", {});
  // Who reads the stream is told.
  begun.catch(() => {});
  key?.catch(() => {});
  const pieces = (async function* () {
    const plain = outOf(line, await begun);
    yield* key === undefined ? plain : seal(plain, await key);
  })();
  return new ReadableStream<Bytes>(
    {
      async pull(controller) {
        if (signal?.aborted) {
          await pieces.return(undefined);
          throw new AbortedError("the export was aborted", { cause: signal.reason });
        }
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

/** A key for a new file. */
export async function freshKey(passphrase: Bytes): Promise<SealingKey> {
  const derivation = newDerivation();
  return { key: await passphraseKey(passphrase, derivation), derivation };
}

async function* outOf(line: Line, { transfer }: { transfer: number }): AsyncIterable<Bytes> {
  try {
    for (;;) {
      const piece = await line.transfer(transfer, new Uint8Array(0));
      if (piece.length === 0) return;
      yield piece;
    }
  } finally {
    // A transfer that cannot be ended is over with the memory, which is closed.
    await line.call("backups.end", { transfer }).catch(() => {});
  }
}

/** What a file says of itself once it was checked. */
interface Described {
  createdAt: number;
  commits: number;
  bytes: number;
  scope?: ScopePairs;
}

/** Takes a file in: all of it is checked before anything is changed. */
export async function restore(line: Line, source: BackupSource, given: RestoreOptions | undefined, ofScope = false): Promise<Restored> {
  const options = restoreOptions(given, ofScope);
  const opened = await openSource(source);
  return restoreOpened(line, opened, options, source instanceof Blob ? source.size : (source as Partial<Uint8Array>).byteLength);
}

/** The same for a source whose first bytes were looked at. */
export async function restoreOpened(
  line: Line,
  opened: OpenedSource,
  { mode = "merge", scope, passphrase, onProgress, signal }: RestoreOptions,
  total: number | undefined,
): Promise<Restored> {
  if (total !== undefined) fits(total);
  const { transfer } = await line.call<{ transfer: number }>("backups.import", {});
  try {
    let done = 0;
    const counted = async function* (): AsyncIterable<Bytes> {
      for await (const piece of opened.pieces) {
        if (signal?.aborted) throw new AbortedError("the import was aborted; nothing was changed", { cause: signal.reason });
        done += piece.length;
        fits(done);
        yield piece;
        onProgress?.({ done, ...(total !== undefined && { total }) });
      }
    };
    if (opened.kind === "sealed" && passphrase === undefined) {
      throw new LockedError("the backup is encrypted; pass its passphrase. Nothing was changed");
    }
    const isSealed = opened.kind === "sealed" && passphrase !== undefined;
    const plain = isSealed ? unseal(counted(), passphraseBytes(passphrase, "options.passphrase")) : counted();
    for await (const piece of plain) await line.transfer(transfer, piece);
    const { createdAt } = await line.call<Described>("backups.check", { transfer });
    if (mode === "replace" && scope === undefined && line.whole) {
      const { records } = await line.call<{ records: number }>("backups.replace", { transfer });
      return { mode, createdAt, added: records, updated: 0, removed: 0, unchanged: 0, commits: [] };
    }
    const merged = await line.call<Omit<Restored, "mode" | "createdAt">>("backups.merge", {
      transfer,
      mode,
      ...(scope !== undefined && { scope }),
    });
    return { mode, createdAt, ...merged };
  } finally {
    // A transfer that cannot be ended is over with the memory, which is closed.
    await line.call("backups.end", { transfer }).catch(() => {});
  }
}

/** @throws InvalidInputError when a file is too large. */
function fits(bytes: number): void {
  if (bytes <= MAX_BACKUP_BYTES) return;
  throw new InvalidInputError(
    `data: the backup has ${bytes} bytes or more, and at most ${MAX_BACKUP_BYTES} are taken in; import its scopes one by one, each ` +
      "from an export of its own. Nothing was changed",
    { details: { path: "data", limit: MAX_BACKUP_BYTES } },
  );
}

function exportOptions(given: ExportOptions | undefined): ExportOptions {
  known(given, ["passphrase", "signal"]);
  return given ?? {};
}

function restoreOptions(given: RestoreOptions | undefined, ofScope: boolean): RestoreOptions {
  known(given, ["mode", "passphrase", "onProgress", "signal", ...(ofScope ? [] : ["scope"])]);
  const { mode, onProgress } = given ?? {};
  if (mode !== undefined && mode !== "merge" && mode !== "replace") {
    throw new InvalidInputError(`options.mode: ${shown(mode)} is no mode; pass "merge" or "replace"`);
  }
  if (onProgress !== undefined && typeof onProgress !== "function") {
    throw new InvalidInputError(`options.onProgress: ${kind(onProgress)} is not a function`);
  }
  return given ?? {};
}
