/** Where memories are stored. */

/** The kind of storage of a memory. */
export type StorageKind = "indexeddb" | "localstorage" | "opfs" | "memory" | "object";

/** Where a copy is kept: the private file system of the default bucket, or that of a bucket of its own. */
export type CopyKind = "opfs" | "bucket";

/** A storage that is chosen by its name. */
export type StorageName = Exclude<StorageKind, "object">;

/**
 * A storage that the app supplies: an ordered map from text keys to bytes.
 *
 * Keys are ASCII, ordered by their bytes; values have at most a little over 1 MiB. The value of the key `"head"` begins with the head
 * counter, a little-endian unsigned 64-bit number; without that key the counter is 0.
 *
 * @example
 * ```ts
 * import { openMemory, type StorageObject } from "mnemic";
 *
 * function inMap(pairs = new Map<string, Uint8Array>()): StorageObject {
 *   const head = () => {
 *     const bytes = pairs.get("head");
 *     return bytes ? Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true)) : 0;
 *   };
 *   return {
 *     async read(start, end) {
 *       return [...pairs].filter(([key]) => start <= key && key < end).sort(([a], [b]) => (a < b ? -1 : 1));
 *     },
 *     async write({ puts, deletes }, expectedHead) {
 *       if (head() !== expectedHead) throw Object.assign(new Error("the head has moved"), { code: "Conflict" });
 *       for (const key of deletes) pairs.delete(key);
 *       for (const [key, value] of puts) pairs.set(key, value);
 *     },
 *   };
 * }
 *
 * const memory = await openMemory({ name: "chat", storage: inMap() });
 * await memory.close();
 * ```
 */
export interface StorageObject {
  /**
   * All pairs with `start <= key < end`, in key order; empty when there are none. It may reject with an error whose `code` is `"Corrupt"` or
   * `"UnsupportedVersion"`, which `openMemory` then rejects with too.
   */
  read(start: string, end: string): Pairs | Promise<Pairs>;
  /**
   * Applies a batch as a whole or not at all, and resolves when it is stored.
   *
   * Rejects with an error whose `code` is `"Conflict"` when the head counter is not `expectedHead`, and may reject with
   * `"QuotaExceeded"` when there is no space; in both cases nothing was changed.
   */
  write(batch: StorageBatch, expectedHead: number): void | Promise<void>;
  /**
   * Synchronously returns bytes of one stored value: `length` of them from `offset`, or fewer when the value ends before; undefined
   * when there is no such key. Omit it if the storage cannot read synchronously. If it cannot at the moment, throw; never return
   * fewer bytes than are stored.
   */
  readAt?(key: string, offset: number, length: number): Uint8Array | undefined;
  /** Releases the medium; no other function is called afterwards. */
  close?(): void;
}

/** Keys with their values, in key order. */
export type Pairs = Array<[key: string, value: Uint8Array]>;

/** An atomic change of a storage. */
export interface StorageBatch {
  /** Keys to set, with their values. */
  readonly puts: ReadonlyArray<readonly [key: string, value: Uint8Array]>;
  /** Keys to remove; a missing key is not an error. */
  readonly deletes: readonly string[];
}

/** What to store in where there is no browser, for messages. */
export const WITHOUT_BROWSER = "pass fileStorage() or sqliteStorage() of mnemic/node, or another object with read() and write()";

/** Whether this is a browser, in which storages have names. */
export function isBrowser(): boolean {
  return browserStorage().length > 0 || globalThis.navigator?.storage !== undefined;
}

/** The storages of a page or worker, in the order in which they are tried: IndexedDB, then localStorage; empty when there is neither. */
export function browserStorage(): Array<"indexeddb" | "localstorage"> {
  const found: Array<"indexeddb" | "localstorage"> = [];
  if (has("indexedDB")) found.push("indexeddb");
  if (has("localStorage")) found.push("localstorage");
  return found;
}

function has(name: "indexedDB" | "localStorage"): boolean {
  try {
    return Boolean(globalThis[name]);
  } catch {
    // A page without an origin, or with site data blocked, throws on the mere mention.
    return false;
  }
}
