/** Carrying a memory from one storage to another, in the page or in a worker: copied, compared, and deleted where it was. */
import { ConflictError, NotFoundError, StorageError } from "../errors.js";
import { HEAD_KEY, storedCounter } from "../head.js";
import { holdAlone, whileClosed } from "../lock.js";
import type { MovableStorage } from "../move.js";
import { refused } from "../plain.js";
import type { Pairs, StorageObject } from "../storage.js";
import { AFTER_ALL, AFTER_HEAD, difference, holds, isEqual, isSame, lineageOf } from "./lineage.js";

/** How often it is begun again when somebody writes meanwhile. */
const ATTEMPTS = 3;

/** How much is read back at a time; one value may be more. */
const PIECE_BYTES = 4 * 1024 * 1024;

/** The key of the mark by which it is seen whether two storages are one. Memories have no such key, and ignore it. */
const MARK_KEY = "moving";

/** What is carried where. */
export interface Way {
  readonly name: string;
  readonly from: MovableStorage;
  readonly to: MovableStorage;
}

/** A storage that is read and written; what it is called in messages. */
export interface Place {
  readonly storage: Pick<StorageObject, "read" | "write">;
  readonly name: string;
  close(): void;
}

/** What else changes with the place of a memory. */
export interface Leaving {
  /** It is in its new place too. */
  leave(): Promise<void>;
  /** Takes that back as far as it counts. */
  stay(): Promise<void>;
  /** A storage is empty and closed: looking for a memory has made a place for one. */
  tidy(storage: MovableStorage): Promise<void>;
}

/** Carries a memory, while it is open nowhere, between the storages that `open` opens. */
export async function carry({ name, from, to }: Way, open: (storage: MovableStorage) => Promise<Place>, leaving: Leaving): Promise<void> {
  await alone(name, [from, to], async () => {
    const source = await open(from);
    let isEmpty: [source: boolean, target: boolean] = [false, false];
    try {
      const target = await open(to);
      try {
        await copied(name, source, target, leaving);
      } finally {
        isEmpty = (await Promise.all([source, target].map(({ storage }) => isEmptied(storage)))) as typeof isEmpty;
        target.close();
      }
    } finally {
      source.close();
      if (isEmpty[0]) await leaving.tidy(from);
      if (isEmpty[1]) await leaving.tidy(to);
    }
  });
}

/** Runs work while the memory is open nowhere. */
async function alone(name: string, storages: readonly MovableStorage[], work: () => Promise<void>): Promise<void> {
  const release = storages.includes("localstorage") ? await holdAlone(name) : undefined;
  try {
    await (storages.every((storage) => typeof storage === "object") ? work() : whileClosed(name, work));
  } finally {
    release?.();
  }
}

async function isEmptied(storage: Place["storage"]): Promise<boolean> {
  try {
    // A whole memory need not be read to see that it is one.
    return (await storage.read(HEAD_KEY, AFTER_HEAD)).length === 0 && (await storage.read("", AFTER_ALL)).length === 0;
  } catch {
    // Whatever is there stays.
    return false;
  }
}

/** Copies the memory, looks whether it arrived, and deletes it where it was. */
async function copied(name: string, source: Place, target: Place, leaving: Leaving): Promise<void> {
  /** The heads of copies that were made here. */
  const copies: Uint8Array[] = [];
  for (let attempt = 1; ; attempt += 1) {
    let pairs: Pairs;
    let counter: number;
    try {
      pairs = await source.storage.read("", AFTER_ALL);
      counter = counterIn(pairs, source);
      if (counter === 0) await checkMoved(name, pairs, source, target);
      else await put(name, pairs, source, target, copies);
      await leaving.leave();
    } catch (error) {
      await takeBack(error);
      throw error;
    }
    try {
      // Without its head it is none, whatever else is left when this is cut off.
      const keys = pairs.map(([key]) => key).sort((one, other) => Number(other === HEAD_KEY) - Number(one === HEAD_KEY));
      await source.storage.write({ puts: [], deletes: keys }, counter);
      return;
    } catch (error) {
      // Whether it was deleted is not known.
      if ((error as { code?: unknown }).code !== "Conflict") throw error;
      if (attempt < ATTEMPTS) continue;
      await takeBack(error);
      throw new ConflictError(`the memory "${name}" is written to while it is moved; close it everywhere, and move it again`, { cause: error, details: { name } });
    }
  }

  /** Removes the copy: it would hold what is forgotten from now on. Where the source has no memory any more, somebody else moved it. */
  async function takeBack(cause: unknown): Promise<void> {
    await leaving.stay();
    if (copies.length === 0) return;
    try {
      if (headIn(await source.storage.read(HEAD_KEY, AFTER_HEAD)) === undefined) return;
      const there = await target.storage.read("", AFTER_ALL);
      if (!isOf(copies, there)) return;
      await target.storage.write({ puts: [], deletes: there.map(([key]) => key) }, counterIn(there, target));
    } catch (error) {
      const failed = `the memory "${name}" stays in ${source.name}, and a copy of it is left in ${target.name} (${String(error)}); delete it there`;
      throw new StorageError(failed, { cause, details: { name } });
    }
  }
}

const headIn = (pairs: Pairs): Uint8Array | undefined => pairs.find(([key]) => key === HEAD_KEY)?.[1];

function counterIn(pairs: Pairs, { name }: Place): number {
  const counter = storedCounter(headIn(pairs));
  if (counter !== undefined) return counter;
  throw new StorageError(`the head of the memory in ${name} is damaged, and it is not moved; open it there, or restore a backup`);
}

/** A source without a memory is what a move that was cut off has left, or there is nothing to move. */
async function checkMoved(name: string, left: Pairs, source: Place, target: Place): Promise<void> {
  if (left.length > 0 && (await target.storage.read(HEAD_KEY, AFTER_HEAD)).length > 0) return;
  throw new NotFoundError(`there is no memory "${name}" in ${source.name}; look at options.from, or it is in ${target.name} already`, {
    details: { name },
  });
}

/** Whether these are one of the copies with these heads. */
const isOf = (heads: readonly Uint8Array[], pairs: Pairs): boolean => heads.some((head) => isEqual(headIn(pairs), head));

/** Makes the target what the source is, and adds the head to those of copies before it writes. @throws ConflictError when the target has another memory. */
async function put(name: string, pairs: Pairs, source: Place, target: Place, copies: Uint8Array[]): Promise<void> {
  const there = await target.storage.read("", AFTER_ALL);
  const counter = counterIn(there, target);
  if (counter > 0 && !isOf(copies, there)) {
    const [mine, other] = await Promise.all([lineageOf(source.storage), lineageOf(target.storage)]);
    const isAkin = isSame(mine, other);
    if (isAkin) await checkParted(name, source, target, counter);
    // What an earlier move copied, and somebody opened there since, holds all of this.
    if (isAkin && other.counter >= mine.counter && (await holds(there, pairs))) return;
    if (!isAkin || !(await holds(pairs, there))) {
      throw new ConflictError(`there is another memory "${name}" in ${target.name}, and it is not overwritten; delete it first`, { details: { name } });
    }
  }
  copies.push(headIn(pairs)!);
  await target.storage.write(await difference(pairs, there), counter);
  if (await arrived(pairs, target)) return;
  throw new StorageError(`${target.name} does not give back what was written to it; the memory "${name}" stays in ${source.name}`, { details: { name } });
}

/**
 * Looks whether a mark in the target shows in the source: one memory in two objects on one file would be deleted with its copy.
 *
 * @throws InvalidInputError when it does.
 */
async function checkParted(name: string, { storage: source }: Place, { storage: target }: Place, counter: number): Promise<void> {
  const mark = crypto.getRandomValues(new Uint8Array(16));
  await target.write({ puts: [[MARK_KEY, mark]], deletes: [] }, counter);
  let found: Pairs;
  try {
    found = await source.read(MARK_KEY, `${MARK_KEY}!`);
  } finally {
    await target.write({ puts: [], deletes: [MARK_KEY] }, counter);
  }
  if (!isEqual(found[0]?.[1], mark)) return;
  throw refused("options.to", `the place where the memory "${name}" is already`, "pass another storage than options.from");
}

/** Whether a place gives back these values and no others. They are read in pieces, so that not all of them are held twice. */
async function arrived(pairs: Pairs, { storage }: Place): Promise<boolean> {
  let piece: Pairs = [];
  let [start, bytes] = ["", 0];
  for (const [index, pair] of pairs.entries()) {
    piece.push(pair);
    bytes += pair[1].length;
    const isLast = index === pairs.length - 1;
    if (bytes < PIECE_BYTES && !isLast) continue;
    // In a key nothing comes before `!`, so no other key comes between.
    const end = isLast ? AFTER_ALL : `${pair[0]}!`;
    const there = await storage.read(start, end);
    if (there.length !== piece.length || !(await holds(there, piece, true))) return false;
    [piece, start, bytes] = [[], end, 0];
  }
  return true;
}
