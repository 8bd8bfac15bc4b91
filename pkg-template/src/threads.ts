/** The threads of one scope: the conversations themselves, word for word. */
import type { Caller } from "./caller.js";
import { listed, record, withMilliseconds } from "./plain.js";
import type { Action, CallOptions, Filter, Message, Remembered, Role, Scored, StoredMessage, Summary, Thread, Time } from "./types.js";

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
  /** Only what these speakers said. Default: everybody. */
  readonly role?: Role | readonly Role[] | undefined;
  /** Only what was said then or later. Default: since ever. */
  readonly from?: Time | undefined;
  /** Only what was said before. Default: until now. */
  readonly to?: Time | undefined;
  readonly filter?: Filter | undefined;
  /** Leaves out what scores less, 0 to 1. Default: nothing is left out. */
  readonly threshold?: number | undefined;
}

/** Where to append. */
export interface AppendOptions extends CallOptions {
  /** The conversation the messages belong to. Default: `"default"`. */
  readonly threadId?: string | undefined;
}

/** A message as chat APIs take it: a role, a content, and whatever else. */
export interface ChatMessage {
  /** OpenAI's `"developer"` is a system, its `"function"` a tool. */
  readonly role: Role | "developer" | "function";
  readonly content?: unknown;
}

/** How to trim. */
export interface TrimOptions extends CallOptions {
  /** The most tokens of the result. */
  readonly maxTokens: number;
  /** Whether the last or the first messages are kept. Default: `"last"`. */
  readonly strategy?: "last" | "first" | undefined;
  /** Who may speak first, behind the system; only with `"last"`. Default: anybody but the assistant and tools, who never may. */
  readonly startOn?: Role | readonly Role[] | undefined;
  /** Who may speak last. Default: anybody. */
  readonly endOn?: Role | readonly Role[] | undefined;
  /** Whether system messages at the beginning are kept in any case. Default: true. */
  readonly includeSystem?: boolean | undefined;
  /** Whether a message at the cut may be shortened, when it is only a text. Default: false. */
  readonly allowPartial?: boolean | undefined;
}

/** What `trim` kept. */
export interface Trimmed<Kept> {
  /** Copies of the messages; empty when none fits. */
  messages: Kept[];
  /** Their tokens: of texts, other parts and tool calls as JSON, and 4 more for each message. */
  tokens: number;
}

/** How much of a thread. */
export interface WindowOptions extends CallOptions {
  /** At least so many of the last messages, 1 to 1000. Default: 10. */
  readonly last?: number | undefined;
}

/** What of a thread goes into a prompt. */
export interface ThreadWindow {
  /** What was said before; absent when there is no summary. */
  summary?: Summary;
  /** The last messages, oldest first. */
  messages: StoredMessage[];
  /** How many messages are neither in the summary nor among these; absent when there are none. */
  missing?: number;
}

/** Which summaries. */
export interface SummariesOptions extends CallOptions {
  /** Default: `"thread"`. */
  readonly level?: "thread" | "week" | "month" | undefined;
  /** At most this many, 1 to 1000. Default: 3. */
  readonly limit?: number | undefined;
  /** Leaves this thread's out, such as the present one's. Default: none is left out. */
  readonly exceptThreadId?: string | undefined;
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
  async search(query: string, options?: MessageSearchOptions): Promise<Array<StoredMessage & Scored>> {
    return this.#call("threads.search", { query }, withMilliseconds(options, ["from", "to"]));
  }

  /**
   * Appends messages as `remember` does, but nothing is learned from them. A message whose id the thread has takes the place of
   * that one, and the summaries that one was in are emptied.
   *
   * @throws InvalidInputError when a message is malformed; then none of them is appended.
   *
   * @example
   * ```ts
   * await user.threads.append({ role: "user", id: "m1", content: "Hello" }, { threadId: "monday" });
   * await user.threads.append({ role: "user", id: "m1", content: "Hello!" }, { threadId: "monday" });
   * console.log((await user.threads.messages("monday")).map(({ content }) => content)); // ["Hello!"]
   * ```
   */
  async append(messages: Message | readonly Message[], options?: AppendOptions): Promise<Remembered> {
    return this.#call("threads.append", { messages: listed(messages) }, options);
  }

  /**
   * Removes messages by their ids, or yours for them: all or none. A summary they are in is emptied in the same commit, and made
   * anew in the background with `summaries.auto`, or else by `summarise`. What was learned from them stays.
   *
   * @throws NotFoundError when the thread has no message with one of the ids; nothing is removed then.
   *
   * @example
   * ```ts
   * await user.threads.append({ role: "user", id: "m1", content: "Forget this." }, { threadId: "monday" });
   * const [removed] = await user.threads.remove("monday", ["m1"]);
   * console.log(removed?.action); // "deleted"
   * ```
   */
  remove(threadId: string, ids: readonly string[], options?: CallOptions): Promise<Action[]> {
    return this.#call("threads.remove", { threadId, ids }, options);
  }

  /**
   * Removes a thread: its messages, its summaries, and what still waits to be learned from it. What was learned stays. `removed`
   * is 0 when there is no such thread. A very long thread goes in several commits, the last one first in `commitIds`.
   *
   * @example
   * ```ts
   * await user.threads.append([{ role: "user", content: "One." }, { role: "assistant", content: "Two." }], { threadId: "monday" });
   * const { removed, commitIds } = await user.threads.removeAll("monday");
   * console.log(removed); // 2
   * for (const id of commitIds) await user.undo(id); // brings them back
   * ```
   */
  removeAll(threadId: string, options?: CallOptions): Promise<{ removed: number; commitIds: string[] }> {
    return this.#call("threads.removeAll", { threadId }, options);
  }

  /**
   * As many messages as fit into a number of tokens, of a thread or of a list. The result of a tool is kept only with its call, a
   * call only with all of its results, and behind the system's messages never the assistant comes first: so what is kept of a
   * list can go to the chat API it is of. What is kept of a thread are its messages as they are stored, without what
   * `context.step` called and noted; `context.assemble` writes them as an API takes them. What is passed is not changed.
   *
   * @throws BudgetExceededError when the system messages at the beginning have more than `maxTokens`; its details name both.
   * @throws InvalidInputError for `startOn` with `"first"`, or on the assistant or a tool.
   *
   * @example
   * ```ts
   * const messages = [
   *   { role: "system", content: "Be brief." },
   *   { role: "user", content: "Tell me all about tea." },
   *   { role: "assistant", content: "Tea is a drink made of leaves." },
   *   { role: "user", content: "And coffee?" },
   * ] as const;
   * const { messages: kept, tokens } = await user.threads.trim({ messages, maxTokens: 16 });
   * console.log(kept.map(({ content }) => content), tokens); // ["Be brief.", "And coffee?"] 14
   * ```
   */
  trim(options: TrimOptions & { readonly threadId: string }): Promise<Trimmed<StoredMessage>>;
  trim<Given extends ChatMessage>(options: TrimOptions & { readonly messages: readonly Given[] }): Promise<Trimmed<Given>>;
  async trim(options: TrimOptions): Promise<Trimmed<unknown>> {
    return this.#call("threads.trim", {}, record(options, "options"));
  }

  /**
   * The summary of a thread with its last messages, and with all before them that the summary does not tell of, up to 1000;
   * `missing` says how many more there are. Where there is neither a summary nor an `llm` these are the last messages alone. A
   * tool's result at the beginning brings its call along. What `context.step` called and noted is left out.
   *
   * @example
   * ```ts
   * await user.threads.append({ role: "user", content: "Hello!" }, { threadId: "monday" });
   * const { summary, messages } = await user.threads.window("monday");
   * console.log(summary?.text, messages.length); // undefined 1
   * ```
   */
  window(threadId: string, options?: WindowOptions): Promise<ThreadWindow> {
    return this.#call("threads.window", { threadId }, options);
  }

  /**
   * Brings the summary of a thread up to date now, to its last message. The `llm` is asked once for every 40 messages, and not at
   * all when nothing is new.
   *
   * @throws NotFoundError when the thread has no messages.
   * @throws ModelError and TimeoutError when there is no `llm`, or it fails.
   *
   * @example
   * ```ts no-run
   * const { text, messages } = await user.threads.summarise("monday");
   * console.log(`${messages} messages: ${text}`);
   * ```
   */
  summarise(threadId: string, options?: CallOptions): Promise<Summary> {
    return this.#call("threads.summarise", { threadId }, options);
  }

  /**
   * The summary of a thread; null when there is none: it is too short, has no `llm`, or is being summarised anew.
   *
   * @example
   * ```ts
   * console.log(await user.threads.summary("monday")); // null
   * ```
   */
  summary(threadId: string, options?: CallOptions): Promise<Summary | null> {
    return this.#call("threads.summary", { threadId }, options);
  }

  /**
   * The summaries of threads, weeks or months, newest first; empty when there are none.
   *
   * @example
   * ```ts
   * for (const { threadId, text } of await user.threads.summaries({ exceptThreadId: "today" })) console.log(threadId, text);
   * ```
   */
  summaries(options?: SummariesOptions): Promise<Summary[]> {
    return this.#call("threads.summaries", {}, options);
  }
}
