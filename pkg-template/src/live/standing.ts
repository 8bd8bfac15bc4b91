/** An answer that stands while the answer to the next question is awaited. */
import type { Question } from "./query.js";
import type { Standing } from "./state.js";
import type { Answering, LiveUser } from "./user.js";

/**
 * What one part of a page shows of a user, where each question follows from the one before, as while somebody types: the last answer stands
 * until the next is there. It falls when nothing is asked, the next answer is an error, or what was known is known no more.
 */
export class StandingUser implements Answering {
  readonly #live: LiveUser;
  #last: Standing<unknown> | undefined;
  /** How many questions are being asked: with the last one gone, nobody would tell that the answer has to fall. */
  #asked = 0;

  constructor(live: LiveUser) {
    this.#live = live;
  }

  state<Data>(question: Question<Data> | undefined): Standing<Data> {
    const state = this.#live.state(question);
    return ((question && state.pending && this.#last) || state) as Standing<Data>;
  }

  ask(question: Question<unknown> | undefined, listener: () => void): () => void {
    // A question that tells of nothing was cleared: its user was locked, or the memory closed.
    const note = (): void => {
      const state = this.#live.state(question);
      this.#last = state.data === undefined ? undefined : Object.freeze({ ...state, stale: true });
    };
    if (!question || !this.#live.state(question).pending) note();
    this.#asked += 1;
    const stop = this.#live.ask(question, () => {
      note();
      listener();
    });
    return () => {
      stop();
      this.#asked -= 1;
      setTimeout(() => {
        if (this.#asked === 0) this.#last = undefined;
      });
    };
  }
}
