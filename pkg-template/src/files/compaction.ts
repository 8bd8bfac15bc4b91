/** Making a journal anew of what counts in it. */
import { HEAD_KEY } from "../head.js";
import type { Place } from "./file.js";
import { Journal } from "./journal.js";

/** How many bytes are copied at once. */
const STEP_BYTES = 512 * 1024;

/** After how many of them the thread is given back while other calls wait: a timer takes its time. */
const PAUSE_STEPS = 8;

/** Behind all keys. */
const END = "\u{7f}";

/**
 * How a journal is copied: `"between"` other calls, any of which may end it; while other calls wait, and the thread goes on; or with nothing
 * at all in between.
 */
export type Pace = "between" | "waited for" | "at once";

/** What a compaction works on. */
export interface Compacting {
  readonly place: Place;
  readonly pace: Pace;
  /**
   * Runs work on the journal that counts, between other calls, and puts what takes its place there before the next; fails when the
   * storage is closed.
   */
  readonly alone: <Result>(work: (journal: Journal) => Promise<Result>) => Promise<Result>;
}

/**
 * Copies what counts into another file, a little at a time, and puts that in the journal's place. A batch that erases something ends it, so
 * that nothing that is gone is left in the copy; whether it came to its end. When the storage is closed between two turns, the journal goes on
 * as it is, and the other file is removed.
 */
export async function compact({ place, pace, alone }: Compacting): Promise<boolean> {
  let name: string | undefined;
  let source: Journal | undefined;
  let target: Journal | undefined;
  let isEnding = false;
  let steps = 0;
  try {
    while (!(await alone(go))) await others();
    return isEnding;
  } finally {
    (target as Journal | undefined)?.close();
    if (name !== undefined && !isEnding) await place.remove(name);
  }

  /** What is done in one turn; whether that was all. */
  async function go(journal: Journal): Promise<boolean> {
    // A batch that came between beginning and copying would end what batches may have to wait for.
    target ??= await begin(journal);
    if (target === undefined) return true;
    let isCopied = false;
    while (isBuilding(journal) && !isCopied) {
      isCopied = step(journal, target);
      if (pace === "between") break;
      steps += 1;
      if (pace === "waited for" && steps % PAUSE_STEPS === 0) await others();
    }
    if (!isCopied) return !isBuilding(journal);
    await finish(journal, target);
    // Not every system puts a file that is open in the place of another.
    target.close();
    target = undefined;
    return true;
  }

  /** Makes the other file; undefined when a batch of another process has ended that. */
  async function begin(journal: Journal): Promise<Journal | undefined> {
    // Of two that were replaced, one would be forgotten.
    await place.clear();
    source = journal;
    journal.announce((name = place.nextName()));
    // After a power failure, nobody would know of a file that is there without its note, nor remove it.
    await journal.flush();
    // Those of processes that died.
    for (const left of journal.abandoned) await place.remove(left);
    journal.abandoned.clear();
    journal.walk();
    return isBuilding(journal) ? Journal.open(await place.create(name), place.name) : undefined;
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
      journal.end(name!);
      if (journal.ended === name!) return journal.flush();
      isEnding = false;
    }
  }
}

function copy(from: Journal, to: Journal, keys: readonly string[], head: number): void {
  to.append({ puts: from.locations.values(keys), deletes: [] }, head);
}

/** Lets others have their turn, in other processes too. */
const others = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
