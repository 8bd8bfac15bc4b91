/** Storage of a memory in a Cloudflare Durable Object, in a table of its SQLite database. */
import { joined } from "../bytes.js";
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

/** Large values are stored in pieces of so many bytes, each a row: SQLite reads a whole row for a few bytes of it. */
const PIECE_BYTES = 32 * 1024;

/** The keys of values that may be large. */
const LARGE = "segment/";

/** Stands between the key of a large value and the number of a piece but the first, which has the key itself; before all other characters. */
const PART = "\u0001";

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
  const removeParts = (key: string): void => {
    if (key.startsWith(LARGE)) rows("DELETE FROM mnemic_values WHERE key > ? AND key < ?", key + PART, `${key}\u0002`);
  };
  /** The bytes of the pieces of the values that were read in part. */
  const sizes = new Map<string, number>();
  /** The bytes of all pieces of a value but the last; they have not always been as many. Undefined when there is no value. */
  const pieceBytes = (key: string): number | undefined => {
    const known = sizes.get(key);
    if (known !== undefined) return known;
    const [first, second] = rows("SELECT length(value) AS bytes FROM mnemic_values WHERE key IN (?, ?) ORDER BY key", key, partKey(key, 1));
    if (first === undefined) return undefined;
    const size = second === undefined ? Number.MAX_SAFE_INTEGER : (first["bytes"] as number);
    sizes.set(key, size);
    return size;
  };
  return {
    read(start, end) {
      // Another handle may have written.
      sizes.clear();
      const found = rows("SELECT key, value FROM mnemic_values WHERE key >= ? AND key < ? ORDER BY key", start, end);
      const values: Array<{ key: string; pieces: Uint8Array[] }> = [];
      for (const { key, value } of found) {
        const [whole, part] = (key as string).split(PART);
        if (part === undefined) values.push({ key: whole as string, pieces: [] });
        values.at(-1)?.pieces.push(bytesOf(value));
      }
      return values.map(({ key, pieces }): [string, Uint8Array] => [key, joined(pieces)]);
    },
    readAt(key, offset, length) {
      const size = pieceBytes(key);
      if (size === undefined) return undefined;
      const pieces: Uint8Array[] = [];
      const end = offset + length;
      for (let part = Math.floor(offset / size); part * size < end; part += 1) {
        const from = Math.max(0, offset - part * size);
        // SQLite counts from 1.
        const query = "SELECT substr(value, ?, ?) AS piece FROM mnemic_values WHERE key = ?";
        const [row] = rows(query, from + 1, Math.min(size, end - part * size) - from, partKey(key, part));
        if (row === undefined) break;
        pieces.push(bytesOf(row["piece"]));
      }
      return joined(pieces);
    },
    write(batch, expectedHead) {
      fits(batch, storage.sql.databaseSize, maxBytes);
      const [stored] = rows("SELECT substr(value, 1, 8) AS piece FROM mnemic_values WHERE key = ?", HEAD_KEY);
      checkHead(stored && bytesOf(stored["piece"]), expectedHead);
      for (const key of [...batch.deletes, ...batch.puts.map(([key]) => key)]) sizes.delete(key);
      storage.transactionSync(() => {
        for (const key of batch.deletes) {
          rows("DELETE FROM mnemic_values WHERE key = ?", key);
          removeParts(key);
        }
        for (const [key, value] of batch.puts) {
          removeParts(key);
          const piece = key.startsWith(LARGE) ? PIECE_BYTES : MAX_ROW_BYTES;
          let part = 0;
          do rows(PUT, partKey(key, part), value.subarray(part * piece, (part + 1) * piece));
          while (++part * piece < value.byteLength);
        }
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

/** The key of a piece. */
function partKey(key: string, part: number): string {
  return part === 0 ? key : key + PART + part.toString(16).padStart(4, "0");
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
