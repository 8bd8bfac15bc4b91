/** When the next backup is made that no call asks for. */

/** How long after a change a backup is made when none was made lately, so that one backup holds what is written together. */
const SETTLE_MS = 2000;
/** The longest wait after failures; the first is twice as long as after a change, and each further one twice the one before. */
const LONGEST_WAIT_MS = 300_000;

/** A timer for the next backup. */
export class Schedule {
  readonly #run: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #at = 0;
  #failures = 0;
  #isClosed = false;

  constructor(run: () => void) {
    this.#run = run;
  }

  /** Sees to it that a backup is made, not before this time, nor before the wait after a failure is over. */
  plan(earliest: number): void {
    if (this.#isClosed) return;
    const wait = Math.min(SETTLE_MS * 2 ** this.#failures, LONGEST_WAIT_MS);
    const now = Date.now();
    const at = Math.max(now + wait, this.#failures > 0 ? 0 : earliest);
    if (this.#timer !== undefined && this.#at <= at) return;
    this.clear();
    this.#at = at;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#run();
    }, at - now);
    // A Node process does not wait for it.
    (this.#timer as { unref?: () => void }).unref?.();
  }

  /** Plans none for now. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Hears how an attempt ended. */
  ended(isDone: boolean): void {
    this.#failures = isDone ? 0 : this.#failures + 1;
  }

  close(): void {
    this.#isClosed = true;
    this.clear();
  }
}
