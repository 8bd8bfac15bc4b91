/** Which memory a storage holds, and in what two differ. */
import { HEAD_KEY, storedCounter } from "../head.js";
import { each, inSlices } from "../slices.js";
import type { Pairs, StorageBatch, StorageObject } from "../storage.js";

export const AFTER_HEAD = "head!";
export const AFTER_ALL = "~";

/** Which memory a storage holds, and how far it is. */
export interface Lineage {
  readonly counter: number;
  readonly isSealed: boolean;
  readonly id: string;
}

/** The lineage in a plain head stands behind the counter, the header of a frame and the counter again. */
const LINEAGE_AT = 32;
/** The id of an encrypted memory is the first thing in the frame of the value `keys`. */
const ID_AT = 16;
/** Where a head's frame says of what kind it is, and that of a plain head. */
const KIND_AT = 11;
const PLAIN_HEAD = 2;

/** The lineage that a storage holds. */
export async function lineageOf(storage: Pick<StorageObject, "read">): Promise<Lineage> {
  const [pair] = await storage.read(HEAD_KEY, AFTER_HEAD);
  const head = pair?.[1] ?? new Uint8Array();
  const isSealed = head.length > KIND_AT && head[KIND_AT] !== PLAIN_HEAD;
  const [keys] = isSealed ? await storage.read("keys", "keys!") : [];
  const at = isSealed ? ID_AT : LINEAGE_AT;
  // As numbers: storages may answer Buffers, which are written as text.
  return { counter: storedCounter(head) ?? 0, isSealed, id: String([...(keys?.[1] ?? head).subarray(at, at + 16)]) };
}

/** Whether two lineages are of one memory. One of them may be from before it was encrypted. */
export function isSame(one: Lineage, other: Lineage): boolean {
  return one.isSealed !== other.isSealed || one.id === other.id;
}

/** What makes `kept` into `pairs`; the head is put last. */
export async function difference(pairs: Pairs, kept: Pairs): Promise<StorageBatch> {
  const known = new Map(kept);
  const wanted = new Map(pairs);
  // Values may be large.
  const isOther = await inSlices(each(pairs, ([key, value]) => key !== HEAD_KEY && !isEqual(known.get(key), value)));
  const head = pairs.filter(([key]) => key === HEAD_KEY);
  const deletes = kept.map(([key]) => key).filter((key) => !wanted.has(key));
  return { puts: [...pairs.filter((_, place) => isOther[place]), ...head], deletes };
}

/** Whether all of the second is in the first; the heads count only when the states must be the same. */
export async function holds(pairs: Pairs, others: Pairs, isWhole = false): Promise<boolean> {
  const known = new Map(pairs);
  const isHeld = await inSlices(each(others, ([key, value]) => (key === HEAD_KEY && !isWhole) || isEqual(known.get(key), value)));
  return !isHeld.includes(false);
}

/** Whether these are the same bytes. */
export function isEqual(one: Uint8Array | undefined, other: Uint8Array): boolean {
  if (one?.length !== other.length) return false;
  // Many times as fast as every().
  for (let at = 0; at < other.length; at += 1) if (one[at] !== other[at]) return false;
  return true;
}
