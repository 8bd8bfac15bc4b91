/** One at a time, among all tabs of the origin. */
import { StorageError } from "./errors.js";

/** What is open here: names of memories in storages of the browser, and the app's own storages. */
const open = new Set<{ readonly place: string | object }>();

/** Says that a memory is open here in a place, or is being moved, until the answer is called. */
export function holdHere(place: string | object): () => void {
  const held = { place };
  open.add(held);
  return () => void open.delete(held);
}

/** @throws StorageError when a memory is open here in one of the places, or is being moved. */
export function checkClosed(name: string, ...places: ReadonlyArray<string | object>): void {
  if (![...open].some(({ place }) => places.includes(place))) return;
  const message = `the memory "${name}" is open here, or is being moved; close it with memory.close(), or wait for moveMemory()`;
  throw new StorageError(message, { details: { name } });
}

const openName = (name: string): string => `mnemic:${name}:open`;

/** Something that lasts until all who took it have let go. */
export interface Hold {
  /** Takes it too; the answer lets go. */
  take(): () => void;
}

/** Says that a memory of this name is open, or is being opened; waits while it is moved. */
export async function holdOpen(name: string): Promise<Hold> {
  const letGo = await sharedLock(openName(name));
  const holders = new Set<object>();
  return {
    take() {
      const holder = {};
      holders.add(holder);
      return () => {
        if (holders.delete(holder) && holders.size === 0) letGo();
      };
    },
  };
}

async function sharedLock(name: string): Promise<() => void> {
  const locks = globalThis.navigator?.locks;
  if (locks === undefined) return () => {};
  return new Promise((resolve) => {
    const held = (): Promise<void> => new Promise((release) => resolve(release));
    // A frame that gets no locks gets no storage either.
    locks.request(name, { mode: "shared" }, held).catch(() => resolve(() => {}));
  });
}

/** Runs work while no memory of this name is open. @throws StorageError when one is. */
export async function whileClosed<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const locks = globalThis.navigator?.locks;
  if (locks === undefined) return work();
  let isHad = false;
  const had = (): Promise<Result> => {
    isHad = true;
    return work();
  };
  try {
    return (await locks.request(openName(name), { signal: AbortSignal.timeout(PATIENCE_MS) }, had)) as Result;
  } catch (cause) {
    if (isHad) throw cause;
    throw new StorageError(`the memory "${name}" is open in this page or another tab; close it there first`, { details: { name }, cause });
  }
}

/** How long the page before a reload may take to let go. */
const PATIENCE_MS = 2000;

/**
 * Holds a name alone, among all tabs of the origin; the answer lets go. Where there are no Web Locks, nobody is kept out.
 *
 * @throws StorageError when another memory holds it.
 */
export async function holdAlone(name: string): Promise<() => void> {
  const locks = globalThis.navigator?.locks;
  if (locks === undefined) return () => {};
  return new Promise((resolve, reject) => {
    const held = (): Promise<void> => new Promise((release) => resolve(release));
    locks.request(`mnemic:${name}`, { signal: AbortSignal.timeout(PATIENCE_MS) }, held).catch((cause: unknown) => {
      reject(
        new StorageError(
          `the memory "${name}" in localStorage is open in another tab or elsewhere in this page, and only one can write there; ` +
            "close it there, or use IndexedDB, which several tabs share",
          { details: { name }, cause },
        ),
      );
    });
  });
}

/** Runs work while nobody else on this origin runs work of this name. Where there are no Web Locks, nobody is kept out. */
export async function alone<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const locks = globalThis.navigator?.locks;
  return locks === undefined ? work() : ((await locks.request(name, work)) as Result);
}
