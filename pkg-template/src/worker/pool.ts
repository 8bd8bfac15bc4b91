/** The worker that the memories of a page share: started for the first, ended after the last. */
import { Link, type AnyWorker } from "./link.js";

/** A worker in use. */
interface Used {
  readonly link: Promise<Link>;
  users: number;
}

/** Starts workers when they are needed. */
export class Pool {
  readonly #start: () => AnyWorker;
  #current: Used | undefined;

  constructor(start: () => AnyWorker) {
    this.#start = start;
  }

  /** The living worker, and what gives it back. */
  async take(): Promise<[link: Link, giveBack: () => void]> {
    const used = (this.#current ??= { link: Link.to(this.#start), users: 0 });
    used.users += 1;
    let link: Link;
    try {
      link = await used.link;
    } catch (error) {
      this.#forget(used);
      throw error;
    }
    const forget = link.onDeath(() => this.#forget(used));
    let isGiven = false;
    const giveBack = (): void => {
      if (isGiven) return;
      isGiven = true;
      forget();
      used.users -= 1;
      if (used.users > 0) return;
      this.#forget(used);
      link.end();
    };
    return [link, giveBack];
  }

  #forget(used: Used): void {
    if (this.#current === used) this.#current = undefined;
  }
}
