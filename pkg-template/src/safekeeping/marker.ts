/** What is known of a memory outside of its database, so that an emptied one can be told from a new one. */
import { home, homeThere, removeEntry } from "../files/private.js";

/** What a marker says of a memory. Nothing in it is a user's: no scope, no text. */
export interface Marker {
  /** Where the memory is; IndexedDB when it is missing. */
  readonly storage?: "opfs";
  /** The counter of its head, its lineage, and how many records it had. */
  readonly counter: number;
  readonly lineage: string;
  readonly records: number;
  /** When it was first opened and last seen, in milliseconds since 1970 UTC. */
  readonly firstOpenedAt: number;
  readonly seenAt: number;
  /** When a backup was made last. */
  readonly backedUpAt?: number;
}

/** Where a memory is by its marker. */
export const placeOf = (marker: Marker | undefined): "indexeddb" | "opfs" | undefined => marker && (marker.storage ?? "indexeddb");

const keyOf = (name: string): string => `mnemic-marker:${name}`;
const fileOf = (name: string): string => `${name}.marker`;

/** Reads the marker of a memory: in pages in localStorage, in workers in a private file. Undefined where there is none. */
export async function readMarker(name: string): Promise<Marker | undefined> {
  const text = await attempt(async () => {
    const items = itemsHere();
    if (items !== undefined) return items.getItem(keyOf(name)) ?? undefined;
    return (await (await (await homeThere())?.getFileHandle(fileOf(name)))?.getFile())?.text();
  });
  const marker = text === undefined ? undefined : await attempt(async () => JSON.parse(text) as Marker);
  return typeof marker?.counter === "number" ? marker : undefined;
}

/** Writes the marker of a memory. A marker that cannot be written is none: it helps, and nothing depends on it. */
export async function writeMarker(name: string, marker: Marker): Promise<void> {
  const text = JSON.stringify(marker);
  await attempt(async () => {
    const items = itemsHere();
    if (items !== undefined) return items.setItem(keyOf(name), text);
    const file = await (await home("opfs")).getFileHandle(fileOf(name), { create: true });
    const stream = await file.createWritable();
    await stream.write(text);
    await stream.close();
  });
}

/** Removes the marker of a memory, in whichever way it was written. */
export async function removeMarker(name: string): Promise<void> {
  await attempt(async () => itemsHere()?.removeItem(keyOf(name)));
  await attempt(async () => {
    const folder = await homeThere();
    if (folder !== undefined) await removeEntry(folder, fileOf(name));
  });
}

function itemsHere(): Storage | undefined {
  return typeof window === "undefined" ? undefined : window.localStorage;
}

/** The answer of work, or undefined when it fails: a marker that cannot be had is none. */
async function attempt<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch {
    return undefined;
  }
}
