/** Making a journal anew of what counts in it. */
import type { Place } from "./file.js";
import { HEAD_KEY } from "../head.js";
import { Journal } from "./journal.js";

/** How many bytes are copied at once. */
const STEP_BYTES = 512 * 1024;

/** Behind all keys. */
const END = "\u{7f}";

/** What a compaction works on. */
export interface Compacting {
  readonly place: Place;
  /** Whether it is done in one go. */
  readonly isUrgent: boolean;
  /** Runs work on the journal that counts, between other calls; fails when the storage is closed. */
  readonly alone: <Result>(work: (journal: Journal) => Promise<Result>) => Promise<Result>;
}

/**
 * Copies what counts into another file, a little at a time, and puts that in the journal's place. A batch that erases something ends it, so
 * that nothing that is gone is left in the copy.
 */
export async function compact({ place, isUrgent, alone }: Compacting): Promise<void> {
  const name = place.nextName();
  const source = await alone(async (journal) => {
    // Of two that were replaced, one would be forgotten.
    await place.clear();
    journal.announce(name);
    // Those of processes that died.
    for (const left of journal.abandoned) await place.remove(left);
    journal.abandoned.clear();
    return journal;
  });
  let target: Journal | undefined;
  let isEnding = false;
  try {
    target = await alone(async (journal) => {
      return isBuilding(journal) ? Journal.open(await place.create(name)) : undefined;
    });
    if (target === undefined) return;
    for (let isDone = false; !isDone; ) {
      isDone = await alone(async (journal) => {
        let isCopied = false;
        while (isBuilding(journal) && !isCopied) {
          isCopied = step(journal, target!);
          if (!isUrgent) break;
        }
        if (isCopied) await finish(journal, target!);
        return isCopied || !isBuilding(journal);
      });
      if (!isDone) await pause();
    }
    // Who comes next finds the file in its place.
    await alone(async () => {});
  } finally {
    target?.close();
    if (!isEnding) await place.remove(name);
  }

  function isBuilding(journal: Journal): boolean {
    return journal === source && journal.building === name;
  }

  /** Copies a little; whether nothing but the head is left. */
  function step(journal: Journal, target: Journal): boolean {
    const keys: string[] = [];
    let bytes = 0;
    let isDone = true;
    for (const key of journal.locations.keys("", END)) {
      if (key === HEAD_KEY || target.locations.get(key) !== undefined) continue;
      isDone = bytes < STEP_BYTES;
      if (!isDone) break;
      keys.push(key);
      bytes += journal.locations.get(key)!.length;
    }
    copy(journal, target, keys, 0);
    return isDone;
  }

  /** Copies what was added meanwhile, with the head, and ends the journal when that was all. */
  async function finish(journal: Journal, target: Journal): Promise<void> {
    while (isBuilding(journal)) {
      const missing = journal.locations.keys("", END).filter((key) => key !== HEAD_KEY && target.locations.get(key) === undefined);
      const head = journal.locations.get(HEAD_KEY) === undefined ? [] : [HEAD_KEY];
      copy(journal, target, [...missing, ...head], target.head ?? 0);
      await target.flush();
      isEnding = true;
      journal.end(name);
      if (journal.ended === name) return journal.flush();
      isEnding = false;
    }
  }
}

function copy(from: Journal, to: Journal, keys: readonly string[], head: number): void {
  const puts = from.locations.values(keys).map(([key, value]) => [key, value, from.locations.get(key)!.sum] as const);
  to.append({ puts, deletes: [] }, head);
}

/** Lets others have their turn. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
