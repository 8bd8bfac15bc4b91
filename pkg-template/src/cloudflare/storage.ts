/** Storage of a memory in a Cloudflare Durable Object, in a table of its SQLite database. */
import { InvalidInputError, QuotaExceededError, StorageError } from "../errors.js";
import { checkHead, HEAD_KEY } from "../head.js";
import type { StorageBatch, StorageObject } from "../storage.js";

/** A row's column as the database takes it and gives it. */
type Column = ArrayBuffer | Uint8Array | string | number | null;

/** The part of a Durable Object's `ctx.storage` that is used. */
export interface DurableObjectStorageLike {
  readonly sql: {
    exec(query: string, ...bindings: Column[]): { toArray(): Array<Record<string, Column>> };
    /** Bytes of the whole database. */
    readonly databaseSize: number;
  };
  /** The object's key-value pairs, in which earlier versions kept memories. */
  readonly kv: {
    list(options: { prefix: string }): Iterable<[string, unknown]>;
    delete(key: string): boolean;
  };
  transactionSync<Result>(work: () => Result): Result;
}

/** Options of `durableObjectStorage`. */
export interface DurableObjectStorageOptions {
  /**
   * How many bytes the object's database may have; a write that would go beyond is refused with `QuotaExceededError`. Forgetting and
   * tidying are never refused. Default: what Cloudflare allows, 10 GB.
   */
  readonly maxBytes?: number | undefined;
}

/** A storage that can also read a part of a value at once. */
export type DurableObjectStorageObject = StorageObject & Required<Pick<StorageObject, "readAt">>;

/** The most bytes of a key with its value: Cloudflare's limit for a row. */
export const MAX_ROW_BYTES = 2_000_000;

/** Began the keys of memories among the object's key-value pairs. */
const FORMER_PREFIX = "mnemic:";

/**
 * A storage inside a Durable Object with SQLite (`new_sqlite_classes`). One object holds one memory, in the table `mnemic_values`.
 * A memory that an earlier version kept as key-value pairs is taken over by the first read or write, in one transaction.
 *
 * A write is confirmed before the disk has it, as all writes of a Durable Object: nothing leaves the object, no response and no request,
 * before what was written is durable.
 *
 * @param storage The object's `ctx.storage`.
 *
 * @example
 * ```ts no-run
 * import { DurableObject } from "cloudflare:workers";
 * import { openMemory, type Memory } from "mnemic";
 * import { durableObjectStorage } from "mnemic/cloudflare";
 *
 * export class Chat extends DurableObject {
 *   #memory: Promise<Memory> | undefined;
 *
 *   memory(): Promise<Memory> {
 *     const memory = (this.#memory ??= openMemory({ name: "chat", storage: durableObjectStorage(this.ctx.storage) }));
 *     memory.catch(() => (this.#memory = undefined)); // the next call tries again
 *     return memory;
 *   }
 *
 *   override async fetch(request: Request): Promise<Response> {
 *     const user = (await this.memory()).scope({ userId: "alice" });
 *     await user.remember({ role: "user", content: await request.text() });
 *     return Response.json(await user.threads.list());
 *   }
 * }
 * ```
 */
export function durableObjectStorage(
  storage: DurableObjectStorageLike,
  options: DurableObjectStorageOptions = {},
): DurableObjectStorageObject {
  const { maxBytes = Number.POSITIVE_INFINITY } = options;
  if (typeof storage?.sql?.exec !== "function") {
    throw new InvalidInputError(
      "storage: this is no storage with SQLite; name the class in `new_sqlite_classes` of a migration, and pass ctx.storage",
      { details: { path: "storage" } },
    );
  }
  let isPrepared = false;
  const rows = (query: string, ...bindings: Column[]): Array<Record<string, Column>> => {
    try {
      if (!isPrepared) {
        // A memory that is only looked at leaves no database behind.
        if (query !== PUT && !holdsMemory(storage)) return [];
        prepare(storage);
        isPrepared = true;
      }
      return storage.sql.exec(query, ...bindings).toArray();
    } catch (cause) {
      throw storageError(cause);
    }
  };
  return {
    read(start, end) {
      const found = rows("SELECT key, value FROM mnemic_values WHERE key >= ? AND key < ? ORDER BY key", start, end);
      return found.map(({ key, value }): [string, Uint8Array] => [key as string, bytesOf(value)]);
    },
    readAt(key, offset, length) {
      // SQLite counts from 1.
      const [row] = rows("SELECT substr(value, ?, ?) AS piece FROM mnemic_values WHERE key = ?", offset + 1, length, key);
      return row && bytesOf(row["piece"]);
    },
    write(batch, expectedHead) {
      fits(batch, storage.sql.databaseSize, maxBytes);
      const [stored] = rows("SELECT substr(value, 1, 8) AS piece FROM mnemic_values WHERE key = ?", HEAD_KEY);
      checkHead(stored && bytesOf(stored["piece"]), expectedHead);
      storage.transactionSync(() => {
        for (const key of batch.deletes) rows("DELETE FROM mnemic_values WHERE key = ?", key);
        for (const [key, value] of batch.puts) rows(PUT, key, value);
      });
    },
  };
}

const PUT = "INSERT INTO mnemic_values (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value";

/** Whether a memory is stored, also one that an earlier version stored. */
export function holdsMemory(storage: DurableObjectStorageLike): boolean {
  return holds(storage, "= 'mnemic_values'", FORMER_PREFIX);
}

/** Whether anything at all is stored, but for what the runtime keeps for itself. */
export function holdsAnything(storage: DurableObjectStorageLike): boolean {
  return holds(storage, "NOT GLOB '_cf*'", "");
}

function holds({ sql, kv }: DurableObjectStorageLike, table: string, prefix: string): boolean {
  return [...sql.exec(`SELECT 1 FROM sqlite_master WHERE name ${table}`).toArray(), ...kv.list({ prefix })].length > 0;
}

/** Makes the table, once, and moves what an earlier version kept as key-value pairs into it. */
function prepare(storage: DurableObjectStorageLike): void {
  const { sql, kv } = storage;
  storage.transactionSync(() => {
    // Without row ids a value is one row to write, and not a second one in an index.
    sql.exec("CREATE TABLE IF NOT EXISTS mnemic_values (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID");
    const moved: string[] = [];
    for (const [key, value] of kv.list({ prefix: FORMER_PREFIX })) {
      if (!(value instanceof Uint8Array)) continue;
      sql.exec(PUT, key.slice(FORMER_PREFIX.length), value);
      moved.push(key);
    }
    for (const key of moved) kv.delete(key);
  });
}

/** @throws InvalidInputError or QuotaExceededError when a batch cannot be stored; it is known before anything is written. */
function fits({ puts, deletes }: StorageBatch, databaseBytes: number, maxBytes: number): void {
  let added = 0;
  for (const [key, value] of puts) {
    const bytes = key.length + value.byteLength;
    added += bytes;
    if (bytes <= MAX_ROW_BYTES) continue;
    throw new InvalidInputError(
      `the value of ${key} has ${bytes} bytes with its key, and a row of a Durable Object at most ${MAX_ROW_BYTES}; nothing was written`,
      { details: { key, bytes, limit: MAX_ROW_BYTES } },
    );
  }
  // What deletes makes room in the end: it replaces or erases.
  if (deletes.length > 0 || databaseBytes + added <= maxBytes) return;
  throw new QuotaExceededError(
    `the object's database has ${databaseBytes} bytes, ${added} more go beyond its limit of ${maxBytes}; forget something or raise the limit`,
    { details: { bytes: databaseBytes, added, limit: maxBytes } },
  );
}

function bytesOf(value: Column | undefined): Uint8Array {
  // SQLite's part of no bytes is null; whole values never are.
  if (value === null) return new Uint8Array();
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  throw new StorageError("the table mnemic_values holds something that is no bytes; something else wrote to it");
}

/** What the database throws, by what it means. */
function storageError(cause: unknown): Error {
  const message = cause instanceof Error ? cause.message : String(cause);
  if (message.includes("SQLITE_FULL")) return new QuotaExceededError(`the object's database is full: ${message}`, { cause });
  return cause instanceof StorageError ? cause : new StorageError(`the object's database failed: ${message}`, { cause });
}
