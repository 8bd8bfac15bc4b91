/** The threads of one scope: the conversations themselves, word for word. */
import type { Caller } from "./caller.js";
import type { CallOptions, Filter, Scored, StoredMessage, Thread } from "./types.js";

/** Which messages of a thread. */
export interface MessagesOptions extends CallOptions {
  /** At most this many, 1 to 1000. Default: 100. */
  readonly limit?: number | undefined;
  /** Leaves out the first ones, in the order asked for. Default: 0. */
  readonly offset?: number | undefined;
  /** Oldest first (`"asc"`) or newest first (`"desc"`). Default: `"asc"`. */
  readonly order?: "asc" | "desc" | undefined;
}

/** How to search messages. */
export interface MessageSearchOptions extends CallOptions {
  /** At most this many, 1 to 1000. Default: 10. */
  readonly limit?: number | undefined;
  /** Only in this thread. Default: in all of the scope. */
  readonly threadId?: string | undefined;
  readonly filter?: Filter | undefined;
  /** Leaves out what scores less, 0 to 1. Default: nothing is left out. */
  readonly threshold?: number | undefined;
}

/** The threads of a scope. */
export class Threads {
  readonly #call: Caller;

  /** @internal Made by `memory.scope()`. */
  constructor(call: Caller) {
    this.#call = call;
  }

  /**
   * All threads, the one that was spoken in last first; empty when nothing was remembered yet.
   *
   * @example
   * ```ts
   * for (const { threadId, messages, lastAt } of await user.threads.list()) {
   *   console.log(threadId, messages, new Date(lastAt));
   * }
   * ```
   */
  list(options?: CallOptions): Promise<Thread[]> {
    return this.#call("threads.list", {}, options);
  }

  /**
   * The messages of a thread; empty when there is no such thread.
   *
   * @example
   * ```ts
   * await user.remember({ role: "user", content: "Hello!" }, { threadId: "monday" });
   * const lastTwenty = await user.threads.messages("monday", { order: "desc", limit: 20 });
   * console.log(lastTwenty.length); // 1
   * ```
   */
  messages(threadId: string, options?: MessagesOptions): Promise<StoredMessage[]> {
    return this.#call("threads.messages", { threadId }, options);
  }

  /**
   * Messages by words and meaning, best first; empty when nothing is near.
   *
   * @example
   * ```ts
   * await user.remember({ role: "user", content: "I have a cello lesson on Thursday." });
   * const [best] = await user.threads.search("music lesson");
   * console.log(best?.content, best?.score);
   * ```
   */
  search(query: string, options?: MessageSearchOptions): Promise<Array<StoredMessage & Scored>> {
    return this.#call("threads.search", { query }, options);
  }
}
