/** Where backups go, kept from one visit to the next: handles of files can be kept in IndexedDB, and nowhere else. */
import type { SealingKey } from "./sealed.js";

/** Where the backups of a memory go, and what is known of the last one. */
export interface Kept {
  handle: FileSystemHandle;
  everyMs: number;
  /** The key of encrypted backups; it cannot be read out of the browser. */
  sealing?: SealingKey;
  /** When the last backup was begun and how many bytes it had. */
  lastAt?: number;
  lastBytes?: number;
  /** How many commits there were then. */
  lastCommits?: number;
  /** Whether the memory was lost since, so that the last backup may be all that is left of it. */
  isHeld?: boolean;
}

const [DATABASE, STORE] = ["mnemic-backups", "backups"];

/** What is kept for a memory; undefined when nothing is, or nothing can be. */
export async function read(name: string): Promise<Kept | undefined> {
  // Looking makes no database where there is none.
  const isThere = async (): Promise<boolean> => (await indexedDB.databases()).some((database) => database.name === DATABASE);
  if (typeof indexedDB === "undefined" || (typeof indexedDB.databases === "function" && !(await isThere()))) return undefined;
  return run("readonly", (store) => store.get(name) as IDBRequest<Kept | undefined>);
}

/** Keeps something for a memory. */
export async function write(name: string, kept: Kept | undefined): Promise<void> {
  await run("readwrite", (store): IDBRequest => (kept === undefined ? store.delete(name) : store.put(kept, name)));
}

async function run<Result>(mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest<Result>): Promise<Result | undefined> {
  if (typeof indexedDB === "undefined") return undefined;
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
    opening.onblocked = () => reject(new Error("another tab holds the database of backups"));
  });
  try {
    return await new Promise<Result>((resolve, reject) => {
      const transaction = database.transaction(STORE, mode);
      const request = ask(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}
