/** Where a memory is, or begins, when the app leaves that to us. */
import type { Configuration } from "../configuration.js";
import { StorageError } from "../errors.js";
import { folderOf } from "../files/removal.js";
import type { StorageName } from "../storage.js";
import { HEAD_KEY } from "../head.js";
import { homeThere } from "./files.js";
import { readMarker } from "./marker.js";

/** Where a memory may be, in the order in which it is looked for: of files it is not known whether they hold one. */
const PLACES = ["indexeddb", "localstorage", "opfs"] as const;
type PlaceName = (typeof PLACES)[number];

/**
 * The storages of `"auto"`: the one that has the memory, and for a new one where it begins best.
 *
 * @throws StorageError when it is where the engine cannot reach it.
 */
export async function placed({ storages, engine, worker, copy }: Configuration): Promise<Configuration["storages"]> {
  const { name } = engine;
  const [marker, database, folder] = await Promise.all([readMarker(name), hasDatabase(`mnemic:${name}`), filesOf(name)]);
  const there: Record<PlaceName, boolean> = { indexeddb: database, opfs: folder === "some", localstorage: hasItems(`mnemic:${name}:`) };
  const marked = marker && (marker.storage ?? "indexeddb");
  // One that is noted and not there was lost, and is told as that where it was.
  const place = marked !== undefined && (there[marked] || !PLACES.some((name) => there[name])) ? marked : PLACES.find((name) => there[name]);
  if (place === undefined) return worker === "dedicated" && folder === "none" && copy === undefined ? ["opfs", ...storages] : storages;
  if (place === "localstorage" && worker !== undefined) {
    throw new StorageError(`the memory "${name}" is in localStorage, which workers do not have; leave options.worker out, or move it with moveMemory()`);
  }
  if (place === "opfs" && copy !== undefined) {
    throw new StorageError(`the memory "${name}" is in OPFS, of which there is no copy; leave options.copy out, or move it with moveMemory()`);
  }
  const others: readonly (StorageName | object)[] = there[place] ? [] : storages.filter((storage) => storage !== place);
  return [place, ...(others as Configuration["storages"])];
}

/** Whether there is a memory in a database; none is made. One that the browser refuses is none: its marker tells of it. */
async function hasDatabase(name: string): Promise<boolean> {
  return new Promise((resolve) => {
    try {
      const request = indexedDB.open(name);
      request.onupgradeneeded = () => request.transaction?.abort();
      request.onerror = (event) => {
        // Else Firefox tells the page of it.
        event.preventDefault();
        resolve(false);
      };
      request.onsuccess = () => {
        const database = request.result;
        try {
          const head = database.transaction("pairs").objectStore("pairs").getKey(HEAD_KEY);
          head.onsuccess = () => resolve(head.result !== undefined);
          head.onerror = () => resolve(false);
        } catch {
          // It has no such table.
          resolve(false);
        }
        // It waits for what was asked.
        database.close();
      };
    } catch {
      resolve(false);
    }
  });
}

/** Whether a memory has private files; undefined where there can be none. */
async function filesOf(name: string): Promise<"some" | "none" | undefined> {
  try {
    const home = await homeThere();
    if (home === undefined) return "none";
    for await (const _ of (await home.getDirectoryHandle(folderOf(name))) as FileSystemDirectoryHandle & AsyncIterable<unknown>) return "some";
    return "none";
  } catch (error) {
    return (error as { name?: unknown } | null)?.name === "NotFoundError" ? "none" : undefined;
  }
}

function hasItems(prefix: string): boolean {
  try {
    return typeof window !== "undefined" && window.localStorage.getItem(`${prefix}head`) !== null;
  } catch {
    return false;
  }
}
