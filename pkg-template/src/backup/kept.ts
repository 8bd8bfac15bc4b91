/** Where backups go, kept from one visit to the next: handles of files can be kept in IndexedDB, and nowhere else. */
import { StorageError } from "../errors.js";
import type { SealingKey } from "./sealed.js";

/** Where the backups of a memory go, and what is known of the last one. */
export interface Kept {
  /** Of this choice; another has another. Missing in what earlier versions kept. */
  id?: string;
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

/**
 * The choice of where the backups of one memory go; all tabs share it. Without IndexedDB it lasts as long as this object. All methods
 * throw a StorageError when the database fails.
 */
export class Choice {
  readonly #name: string;
  #own: Kept | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  /** What is kept; undefined when nothing is. */
  async read(): Promise<Kept | undefined> {
    return isStored() ? inDatabase(false, (store) => store.get(this.#name) as IDBRequest<Kept | undefined>) : this.#own;
  }

  /** Keeps a choice in place of any other. */
  async write(kept: Kept): Promise<void> {
    if (isStored()) await inDatabase(true, (store) => store.put(kept, this.#name));
    else this.#own = kept;
  }

  /** Changes what is kept, unless it is another choice by now, or none; answers what is kept then. */
  async change(id: string | undefined, changes: Partial<Kept>): Promise<Kept | undefined> {
    let kept = this.#own;
    const changed = (): Kept | undefined => (kept === undefined || kept.id !== id ? kept : (kept = { ...kept, ...changes }));
    if (!isStored()) return (this.#own = changed());
    await inDatabase(true, (store) => {
      const request = store.get(this.#name) as IDBRequest<Kept | undefined>;
      request.onsuccess = () => {
        kept = request.result;
        if (changed() !== request.result) store.put(kept, this.#name);
      };
      return request;
    });
    return kept;
  }

  /** Keeps nothing any more. */
  async remove(): Promise<void> {
    this.#own = undefined;
    if (isStored()) await inDatabase(true, (store) => store.delete(this.#name));
  }
}

function isStored(): boolean {
  return typeof indexedDB !== "undefined";
}

/** Asks the database; only who may write makes one where there is none. */
async function inDatabase<Result>(
  mayWrite: boolean,
  ask: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result | undefined> {
  try {
    if (!mayWrite && !(await isThere())) return undefined;
    const database = await opened();
    try {
      return await new Promise<Result>((resolve, reject) => {
        const transaction = database.transaction(STORE, mayWrite ? "readwrite" : "readonly");
        const request = ask(transaction.objectStore(STORE));
        transaction.oncomplete = () => resolve(request.result);
        transaction.onabort = () => reject(transaction.error);
      });
    } finally {
      database.close();
    }
  } catch (cause) {
    const what = mayWrite ? "kept" : "read";
    throw new StorageError(`where backups go cannot be ${what} (${String(cause)}); call memory.backup.to(handle) again`, { cause });
  }
}

async function isThere(): Promise<boolean> {
  // A browser that lists no databases is asked for it.
  if (typeof indexedDB.databases !== "function") return true;
  return (await indexedDB.databases()).some(({ name }) => name === DATABASE);
}

function opened(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
    opening.onblocked = () => reject(new Error("another tab holds the database of backups"));
  });
}
