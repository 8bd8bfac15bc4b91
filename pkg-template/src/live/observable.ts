/** What tells those who listen that it has changed. */
import { reportError } from "../events.js";

export class Observable {
  readonly #listeners = new Set<() => void>();

  /** Whether anybody listens. */
  get isWanted(): boolean {
    return this.#listeners.size > 0;
  }

  /** Calls back after every change; the answer removes the listener. */
  listen(listener: () => void): () => void {
    const own = (): void => listener();
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  /** Tells all. What a listener throws reaches neither the others nor who tells, but the page's `error` event. */
  protected tell(): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener();
      } catch (error) {
        reportError(error);
      }
    }
  }
}
