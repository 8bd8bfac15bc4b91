/** The threads of one scope: the conversations themselves, word for word. */
import type { Caller } from "./caller.js";
import { listed, record } from "./plain.js";
import type { Action, AwaitOptions, CallOptions, GivenMessage, MatchOptions, PageOptions, Remembered, Role, Scored, StoredMessage, Summary, Thread, Time } from "./types.js";

/** Options of `threads.messages`. */
export interface MessagesOptions extends CallOptions, PageOptions {
  /** Oldest first (`"asc"`) or newest first (`"desc"`). Default: `"asc"`. */
  readonly order?: "asc" | "desc" | undefined;
}

/** Options of `threads.search`. */
export interface MessageSearchOptions extends CallOptions, MatchOptions, AwaitOptions {
  /** Only in this thread. Default: in all of the scope. */
  readonly threadId?: string | undefined;
  /** Only messages of these roles. Default: all. */
  readonly role?: Role | readonly Role[] | undefined;
  /** Only messages from this time on. Default: no limit. */
  readonly from?: Time | undefined;
  /** Only messages before this time. Default: no limit. */
  readonly to?: Time | undefined;
}

/** Options of `threads.append`. */
export interface AppendOptions extends CallOptions {
  /** The conversation the messages belong to. Default: `"default"`. */
  readonly threadId?: string | undefined;
}

/** A message as chat APIs take it: a role, a content, and other properties. */
export interface ChatMessage {
  /** OpenAI's `"developer"` counts as `"system"`, its `"function"` as `"tool"`. */
  readonly role: Role | "developer" | "function";
  readonly content?: unknown;
}

/** Options of `threads.trim`. */
export interface TrimOptions extends CallOptions {
  /** The most tokens of the result. */
  readonly maxTokens: number;
  /** Whether the last or the first messages are kept. Default: `"last"`. */
  readonly strategy?: "last" | "first" | undefined;
  /** Which roles may come first after the system messages; only with `"last"`. Default: all except assistant and tool, which never may. */
  readonly startOn?: Role | readonly Role[] | undefined;
  /** Which roles may come last. Default: all. */
  readonly endOn?: Role | readonly Role[] | undefined;
  /** Whether system messages at the beginning are always kept. Default: true. */
  readonly includeSystem?: boolean | undefined;
  /** Whether a plain-text message at the cut may be shortened. Default: false. */
  readonly allowPartial?: boolean | undefined;
}

/** What `trim` kept. */
export interface Trimmed<Kept> {
  /** Copies of the messages; empty when none fit. */
  messages: Kept[];
  /** Their tokens: texts, other parts and tool calls as JSON, plus 4 for each message. */
  tokens: number;
}

/** Options of `threads.window`. */
export interface WindowOptions extends CallOptions {
  /** At least this many of the last messages, 1 to 1000. Default: 10. */
  readonly last?: number | undefined;
}

/** What to put into a prompt of a thread. */
export interface ThreadWindow {
  /** The summary of earlier messages; absent when there is none. */
  summary?: Summary;
  /** The last messages, oldest first. */
  messages: StoredMessage[];
  /** How many messages are neither covered by the summary nor listed; absent when there are none. */
  missing?: number;
}

/** Options of `threads.summaries`. */
export interface SummariesOptions extends CallOptions {
  /** Default: `"thread"`. */
  readonly level?: "thread" | "week" | "month" | undefined;
  /** At most this many, 1 to 1000. Default: 3. */
  readonly limit?: number | undefined;
  /** A thread to leave out, such as the current one. Default: none. */
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
   * All threads, the most recently used first; empty when nothing was remembered yet.
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
   * Messages that match in words or meaning, best first; empty when none do.
   *
   * @example
   * ```ts
   * await user.remember({ role: "user", content: "I have a cello lesson on Thursday." });
   * const [best] = await user.threads.search("music lesson");
   * console.log(best?.content, best?.score);
   * ```
   */
  async search(query: string, options?: MessageSearchOptions): Promise<Array<StoredMessage & Scored>> {
    return this.#call("threads.search", { query }, options);
  }

  /**
   * Appends messages without learning from them. A message whose id the thread already has replaces that one, and the summaries that it
   * was in are emptied.
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
  async append(messages: GivenMessage | readonly GivenMessage[], options?: AppendOptions): Promise<Remembered> {
    return this.#call("threads.append", { messages: listed(messages) }, options);
  }

  /**
   * Removes messages by their ids or your own ids: all or none. A summary that covers them is emptied in the same commit, and written
   * again in the background with `summaries.auto`, or else by `summarise`. What was learned from them stays.
   *
   * @throws NotFoundError when the thread has no message with one of the ids; then nothing is removed.
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
   * Removes a thread: its messages, its summaries, and its waiting learning tasks. What was learned stays. `removed` is 0 when there is no
   * such thread. A very long thread takes several commits; `commitIds` lists the last one first.
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
   * Keeps as many messages of a thread or of a list as fit into a number of tokens. A tool's result is kept only with its call, a call
   * only with all of its results, and the assistant never comes first after the system messages. So what is kept of a list can be sent to
   * its chat API. A thread's messages are returned as they are stored, without the calls and notes of `context.step`;
   * `context.assemble` writes them in the form of an API. The list you pass is not changed.
   *
   * @throws BudgetExceededError when the system messages at the beginning exceed `maxTokens`; `details` names both numbers.
   * @throws InvalidInputError for `startOn` with `"first"`, or with the assistant or a tool.
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
   * The summary of a thread, its last messages, and all earlier ones that the summary does not cover, up to 1000; `missing` counts the
   * rest. Without a summary and an `llm`, these are only the last messages. A tool's result at the beginning brings its call along. The
   * calls and notes of `context.step` are left out.
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
   * Updates the summary of a thread to its last message now. The `llm` is asked once per 40 messages, and not at all when nothing is
   * new.
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
   * The summary of a thread; null when there is none: the thread is too short, there is no `llm`, or it is being written again.
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
