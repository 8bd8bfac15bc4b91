/** Where a memory of a browser is, or begins. */
import type { Configuration } from "../configuration.js";
import { StorageError } from "../errors.js";
import { BEGINNING_BYTES } from "../files/beginning.js";
import { HEAD_KEY } from "../head.js";
import type { StorageName } from "../storage.js";
import { folderOf, homeThere, isMissing } from "../files/private.js";
import { placeOf, readMarker } from "./marker.js";

/** Where a memory of a browser may be, in the order in which it is looked for. */
export const PLACES = ["indexeddb", "localstorage", "opfs"] as const;
type PlaceName = (typeof PLACES)[number];

/**
 * The storages of `"auto"`: the one that has the memory, and for a new one where it begins best.
 *
 * @throws StorageError when it is where the engine cannot reach it.
 */
export async function placed({ storages, engine, worker, copy }: Configuration): Promise<Configuration["storages"]> {
  const { name } = engine;
  const { marked, has, files } = await found(name);
  const there: typeof has = { ...has, opfs: has.opfs || files === "begun" };
  // One that is noted and not there was lost, and is told as that where it was.
  const place = marked !== undefined && (there[marked] || !PLACES.some((name) => there[name])) ? marked : PLACES.find((name) => there[name]);
  if (place === undefined) return worker === "dedicated" && files === "none" && copy === undefined ? ["opfs", ...storages] : storages;
  if (place === "localstorage" && worker !== undefined) {
    throw new StorageError(`the memory "${name}" is in localStorage, which workers do not have; leave options.worker out, or move it with moveMemory()`);
  }
  if (place === "opfs" && copy !== undefined) {
    throw new StorageError(`the memory "${name}" is in OPFS, of which there is no copy; leave options.copy out, or move it with moveMemory()`);
  }
  const others: readonly (StorageName | object)[] = there[place] ? [] : storages.filter((storage) => storage !== place);
  return [place, ...(others as Configuration["storages"])];
}

/**
 * The storages that an app names, without those that a memory would be begun anew in.
 *
 * @throws StorageError when it is in another: an empty one would look like a loss.
 */
export async function named({ storages, engine: { name } }: Configuration): Promise<Configuration["storages"]> {
  const asked = storages.filter((storage): storage is PlaceName => PLACES.includes(storage as PlaceName));
  const [first] = asked;
  // Mostly all is as it was, and nothing else needs to be looked for. What is noted may be out of date: pages and workers note it apart.
  if (first === undefined || (asked.length === 1 && placeOf(await readMarker(name)) === first && (await isThere(name, first)))) return storages;
  const { marked, has } = await found(name);
  const place = asked.find((place) => has[place] && place === marked) ?? asked.find((place) => has[place]);
  if (place !== undefined) return storages.filter((storage) => storage === place || storage === "memory");
  const other = PLACES.find((place) => has[place]);
  if (other === undefined) return storages;
  throw new StorageError(
    `the memory "${name}" is in "${other}", and is not begun anew in "${first}"; move it with moveMemory(), or open it with storage: "${other}"`,
    { details: { name } },
  );
}

/** What there is of a memory. */
interface Found {
  /** Where it is noted to be. */
  readonly marked: PlaceName | undefined;
  readonly has: Readonly<Record<PlaceName, boolean>>;
  readonly files: Awaited<ReturnType<typeof filesOf>>;
}

async function found(name: string): Promise<Found> {
  const [marker, database, files] = await Promise.all([readMarker(name), hasDatabase(`mnemic:${name}`), filesOf(name)]);
  const marked = placeOf(marker);
  // Where the files cannot be seen, the marker tells of them.
  const opfs = files === "some" || (files === undefined && marked === "opfs");
  return { marked, has: { indexeddb: database, opfs, localstorage: hasItems(`mnemic:${name}:`) }, files };
}

/** Whether a memory is in a place; true where that cannot be seen. */
async function isThere(name: string, place: PlaceName): Promise<boolean> {
  if (place === "indexeddb") return hasDatabase(`mnemic:${name}`);
  return place === "localstorage" ? hasItems(`mnemic:${name}:`) : ((await filesOf(name)) ?? "some") === "some";
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

/** How many bytes a file has; 0 of one that another tab removed meanwhile. */
async function sizeOf(file: FileSystemFileHandle): Promise<number> {
  try {
    return (await file.getFile()).size;
  } catch (error) {
    if (isMissing(error)) return 0;
    throw error;
  }
}

/** Whether a memory has private files, or none in which anything was stored; undefined where there can be none. */
async function filesOf(name: string): Promise<"some" | "begun" | "none" | undefined> {
  let files: "begun" | "none" = "none";
  try {
    const folder = await (await homeThere())?.getDirectoryHandle(folderOf(name));
    if (folder === undefined) return files;
    for await (const entry of (folder as FileSystemDirectoryHandle & { values(): AsyncIterable<FileSystemHandle> }).values()) {
      files = "begun";
      if (entry.kind === "file" && (await sizeOf(entry as FileSystemFileHandle)) > BEGINNING_BYTES) return "some";
    }
    return files;
  } catch (error) {
    return isMissing(error) ? files : undefined;
  }
}

function hasItems(prefix: string): boolean {
  try {
    return typeof window !== "undefined" && window.localStorage.getItem(`${prefix}head`) !== null;
  } catch {
    return false;
  }
}
