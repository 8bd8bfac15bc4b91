/** One at a time, among all tabs of the origin. */
import { StorageError } from "./errors.js";

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
