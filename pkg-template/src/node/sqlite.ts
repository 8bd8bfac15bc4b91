/** A storage in a file of SQLite. */
import { joined } from "../bytes.js";
import { checkDurability, type Durability } from "../durability.js";
import { StorageError } from "../errors.js";
import { checkHead, HEAD_KEY } from "../head.js";
import { refused, shown } from "../plain.js";
import type { Pairs, StorageBatch, StorageObject } from "../storage.js";
import { checkWhole } from "../whole.js";
import { sqliteBinding, sqliteFailure, type SqliteDatabase } from "./binding.js";
import { checkPath } from "./path.js";

/** Options of {@link sqliteStorage}. */
export interface SqliteStorageOptions {
  /**
   * What a resolved call has survived: `"strict"` a power failure, `"relaxed"` a crash of the process; a power failure may then
   * take the last calls, each as a whole. Default: `"strict"`.
   */
  readonly durability?: Durability | undefined;
  /** How long a call waits for another connection to finish writing, in milliseconds, 0 to 600 000. Default: 5000. */
  readonly busyTimeoutMs?: number | undefined;
}

/** A storage that answers `readAt` at once. */
export interface SqliteStorage extends StorageObject {
  read(start: string, end: string): Pairs;
  write(batch: StorageBatch, expectedHead: number): void;
  /** Bytes of one value, fewer where it ends before; undefined when there is no such key. */
  readAt(key: string, offset: number, length: number): Uint8Array | undefined;
  close(): void;
}

const MAX_BUSY_MS = 600_000;

/** So long after another connection kept the log from being emptied, it is tried again. */
const RETRY_MS = 1000;

/** Values are stored in pieces of so many bytes, so that reading a few bytes of a large one is quick. */
const PIECE_BYTES = 32 * 1024;

/**
 * A storage in a file of SQLite: one file holds one memory, and several processes may open it at once.
 *
 * Needs Node 22.13 or newer, which brings SQLite along, or the package `better-sqlite3`: version 12 in Node 20.
 *
 * @param path The file, made when there is none; its folder must exist. Beside it SQLite keeps `<path>-wal` and `<path>-shm`.
 * @throws LoadError when there is no SQLite; InvalidInputError for options that are none; StorageError when the file cannot be
 * opened.
 *
 * @example
 * ```ts no-run
 * import { openMemory } from "mnemic";
 * import { sqliteStorage } from "mnemic/node";
 *
 * const memory = await openMemory({ name: "chat", storage: sqliteStorage("chat.db") });
 * await memory.scope({ userId: "alice" }).remember({ role: "user", content: "Hello!" });
 * await memory.close();
 * ```
 */
export function sqliteStorage(path: string, options: SqliteStorageOptions = {}): SqliteStorage {
  checkDatabasePath(path);
  const { busyTimeoutMs, pragmas } = settings(options);
  const open = sqliteBinding();
  const guarded = <Answer>(work: () => Answer): Answer => {
    try {
      return work();
    } catch (thrown) {
      throw sqliteFailure(thrown, path);
    }
  };
  const pairs = guarded(() => new SqlitePairs(open(path), pragmas, busyTimeoutMs));
  return {
    read: (start, end) => guarded(() => pairs.read(start, end)),
    write: (batch, expectedHead) => guarded(() => pairs.write(batch, expectedHead)),
    readAt: (key, offset, length) => guarded(() => pairs.readAt(key, offset, length)),
    close: () => guarded(() => pairs.close()),
  };
}

/** Bindings cut white space off, and open nothing that stays for names of SQLite's own. */
function checkDatabasePath(path: unknown): void {
  checkPath(path);
  if (path === ":memory:" || path.startsWith("file:")) throw refused("path", shown(path), "pass the name of a file, and no URI");
  if (path !== path.trim()) throw refused("path", "white space at an end", "pass another name");
}

function settings({ durability = "strict", busyTimeoutMs = 5000 }: SqliteStorageOptions): { busyTimeoutMs: number; pragmas: string } {
  checkDurability(durability);
  checkWhole("options.busyTimeoutMs", busyTimeoutMs, 0, MAX_BUSY_MS);
  const pragmas = `
    PRAGMA busy_timeout = ${busyTimeoutMs};
    PRAGMA synchronous = ${durability === "strict" ? "FULL" : "NORMAL"};
    PRAGMA fullfsync = ON;
    PRAGMA checkpoint_fullfsync = ON;
    PRAGMA secure_delete = ON;
  `;
  return { busyTimeoutMs, pragmas };
}

interface Row {
  readonly key: string;
  readonly value: Uint8Array | null;
}

/** The pairs of a database. */
class SqlitePairs {
  readonly #database: SqliteDatabase;
  readonly #busyTimeoutMs: number;
  readonly #statements;
  /** Whether bytes that were deleted may still stand in the write-ahead log. */
  #leavings = false;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(database: SqliteDatabase, pragmas: string, busyTimeoutMs: number) {
    this.#database = database;
    this.#busyTimeoutMs = busyTimeoutMs;
    try {
      database.exec(pragmas);
      writeAhead(database, busyTimeoutMs);
      database.exec(
        "CREATE TABLE IF NOT EXISTS mnemic_pairs (key TEXT, piece INTEGER, guard BLOB, value BLOB, PRIMARY KEY (key, piece)) WITHOUT ROWID",
      );
      this.#statements = statements(database);
      // What a killed process deleted last may still be in the log.
      this.#leavings = true;
    } catch (thrown) {
      database.close();
      throw thrown;
    }
    try {
      this.#truncateLog();
    } catch {
      // A full disk does not keep a memory from being read. It is tried again with the next write.
    }
  }

  read(start: string, end: string): Pairs {
    const pieces = new Map<string, Uint8Array[]>();
    for (const { key, value } of this.#statements.range.all(start, end) as Row[]) {
      const piece = value ?? NOTHING;
      pieces.get(key)?.push(piece) ?? pieces.set(key, [piece]);
    }
    return Array.from(pieces, ([key, pieces]): [string, Uint8Array] => [key, joined(pieces)]);
  }

  readAt(key: string, offset: number, length: number): Uint8Array | undefined {
    const end = offset + length;
    const pieces: Uint8Array[] = [];
    for (let piece = Math.floor(offset / PIECE_BYTES); piece * PIECE_BYTES < end; piece += 1) {
      const from = Math.max(0, offset - piece * PIECE_BYTES);
      const count = Math.min(PIECE_BYTES, end - piece * PIECE_BYTES) - from;
      const row = this.#statements.part.get(from + 1, count, key, piece) as Row | undefined;
      if (row === undefined) break;
      pieces.push(row.value ?? NOTHING);
    }
    return pieces.length > 0 || this.#statements.part.get(1, 0, key, 0) !== undefined ? joined(pieces) : undefined;
  }

  write({ puts, deletes }: StorageBatch, expectedHead: number): void {
    const { begin, commit, rollback } = this.#statements;
    begin.run();
    try {
      checkHead(this.#head(), expectedHead);
      for (const key of deletes) this.#remove(key);
      for (const [key, value] of puts) this.#put(key, value);
      commit.run();
    } catch (thrown) {
      try {
        rollback.run();
      } catch {
        // SQLite has rolled back by itself, as it does when the disk is full.
      }
      throw thrown;
    }
    if (!this.#leavings) return;
    try {
      this.#truncateLog();
    } catch (cause) {
      // Not the error of a write that changed nothing: what was to be written is stored.
      throw new StorageError(`what was written is stored, but what it deleted could not be erased yet (${String(cause)})`, { cause });
    }
  }

  close(): void {
    clearTimeout(this.#retry);
    try {
      if (this.#leavings) this.#truncateLog();
    } finally {
      this.#database.close();
    }
  }

  #head(): Uint8Array | undefined {
    const row = this.#statements.part.get(1, PIECE_BYTES, HEAD_KEY, 0) as Row | undefined;
    return row && (row.value ?? NOTHING);
  }

  #remove(key: string): void {
    const { changes } = this.#statements.remove.run(key);
    // The head is replaced by every write, and holds nothing that anybody said.
    if (changes > 0 && key !== HEAD_KEY) this.#leavings = true;
  }

  #put(key: string, value: Uint8Array): void {
    this.#remove(key);
    let piece = 0;
    do {
      const from = piece * PIECE_BYTES;
      this.#statements.insert.run(key, piece, value.subarray(from, from + PIECE_BYTES));
      piece += 1;
    } while (piece * PIECE_BYTES < value.byteLength);
  }

  /**
   * Brings the write-ahead log into the file and empties it. While another connection reads, this is left to a later moment or to the
   * next write: waiting for a reader would hold up the whole process, at every write until it is done.
   */
  #truncateLog(): void {
    clearTimeout(this.#retry);
    this.#database.exec("PRAGMA busy_timeout = 0");
    try {
      const { busy } = this.#statements.truncate.get() as { busy: number };
      this.#leavings = busy !== 0;
    } finally {
      this.#database.exec(`PRAGMA busy_timeout = ${this.#busyTimeoutMs}`);
    }
    if (this.#leavings) this.#retryLater();
  }

  #retryLater(): void {
    this.#retry = setTimeout(() => {
      try {
        this.#truncateLog();
      } catch {
        // The next write tells of it.
      }
    }, RETRY_MS);
    this.#retry.unref();
  }
}

/**
 * Gives the file a write-ahead log. While another connection writes without one, or gives it one, SQLite refuses this at once,
 * whatever its timeout says; what begins a transaction waits for that connection.
 */
function writeAhead(database: SqliteDatabase, busyTimeoutMs: number): void {
  const end = performance.now() + busyTimeoutMs;
  for (;;) {
    try {
      database.exec("PRAGMA journal_mode = WAL");
      return;
    } catch (thrown) {
      if (performance.now() >= end) throw thrown;
      database.exec("BEGIN IMMEDIATE; COMMIT");
    }
  }
}

function statements(database: SqliteDatabase) {
  const { page_size: pageBytes } = database.prepare("PRAGMA page_size").get() as { page_size: number };
  // SQLite moves the beginning of a row from page to page and may leave a copy where it stood, which no deleting overwrites. What
  // is longer goes to pages of its own, which are overwritten. With this many bytes in front of it a value begins there: as many
  // as a row of a page of an index can have (https://www.sqlite.org/fileformat2.html, "B-tree Cell Format").
  const guardBytes = Math.floor(((pageBytes - 12) * 64) / 255) - 23;
  return {
    begin: database.prepare("BEGIN IMMEDIATE"),
    commit: database.prepare("COMMIT"),
    rollback: database.prepare("ROLLBACK"),
    range: database.prepare("SELECT key, value FROM mnemic_pairs WHERE key >= ? AND key < ? ORDER BY key, piece"),
    part: database.prepare("SELECT substr(value, ?, ?) AS value FROM mnemic_pairs WHERE key = ? AND piece = ?"),
    insert: database.prepare(`INSERT INTO mnemic_pairs (key, piece, guard, value) VALUES (?, ?, zeroblob(${guardBytes}), ?)`),
    remove: database.prepare("DELETE FROM mnemic_pairs WHERE key = ?"),
    truncate: database.prepare("PRAGMA wal_checkpoint(TRUNCATE)"),
  };
}

const NOTHING = new Uint8Array();
