/** Who waits for whom in a pool, and which of them would wait for ever. */

/** Work that was given to a pool, from the call until it is over. */
export interface Task {
  isOver: boolean;
  /** Errors that this work may throw and that tell nothing about its own memory. */
  readonly foreign: WeakSet<Error>;
}

/** What keeps work from going on. */
export interface Wait {
  /** The work that waits, from the outermost to the innermost. */
  readonly within: ReadonlyArray<Task>;
  /** All of this work must be over first. */
  readonly after: ReadonlyArray<Task>;
  /** Whether one of those that have room must give it up as well. */
  readonly needsRoom: () => boolean;
}

/**
 * The waits that can never end, because each waits for work of the others. Of work that waits for nothing, the end is expected.
 *
 * @param rooms the work in each room; any room will do for who needs one.
 */
export function stuckWaits(waits: Iterable<Wait>, rooms: Iterable<Iterable<Task>>): Set<Wait> {
  const stuck = new Set(waits);
  for (let before = stuck.size + 1; stuck.size < before; ) {
    before = stuck.size;
    const held = new Set([...stuck].flatMap(({ within }) => within));
    const ends = (task: Task): boolean => task.isOver || !held.has(task);
    const hasRoom = [...rooms].some((tasks) => [...tasks].every(ends));
    for (const wait of stuck) if (wait.after.every(ends) && (hasRoom || !wait.needsRoom())) stuck.delete(wait);
  }
  return stuck;
}
