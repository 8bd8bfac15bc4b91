/** Temporary chats: they read the memory and keep what is said to themselves. */
import type { AssembleOptions, Prompts } from "./assembly.js";
import type { Caller } from "./caller.js";
import { InvalidInputError } from "./errors.js";
import { listed, record } from "./plain.js";
import type { ProfileSchemas } from "./schema.js";
import type { Scope } from "./scope.js";
import type { CallOptions, GivenMessage, Message, Recalled, RecallOptions, RememberOptions, StoredMessage } from "./types.js";

/** The most messages of one call. */
const MAX_MESSAGES = 500;

/** A message of a temporary chat. */
export type TemporaryMessage = Omit<StoredMessage, "threadId">;

/** Options of `save`. */
export interface SaveOptions extends RememberOptions {
  /** The thread to store the messages in. One that exists is continued. */
  readonly threadId: string;
}

/** What `save` stored. */
export interface Saved {
  threadId: string;
  /** The ids of the messages, in order. */
  messageIds: string[];
  /** More than one for a chat of more than 500 messages. */
  commitIds: string[];
}

/**
 * A chat that reads the memory and leaves no trace in it. What is said is kept in this object alone until it is saved, and is gone with
 * it or with the page.
 */
export class Temporary<Schemas extends ProfileSchemas = {}> {
  /** The memory, read-only: calls that would write reject with `ReadOnlyError`, and reading notes no access. */
  readonly memory: Scope<Schemas>;
  readonly #store: Caller;
  readonly #read: Caller;
  #messages: TemporaryMessage[] = [];
  /** Why nothing can be said any more. */
  #ended: string | undefined;
  /** What a save that failed half way has stored already. */
  readonly #saved: { messageIds: string[]; commitIds: string[] } = { messageIds: [], commitIds: [] };

  /** @internal Made by `user.temporary()`. */
  constructor(memory: Scope<Schemas>, store: Caller, read: Caller) {
    this.memory = memory;
    this.#store = store;
    this.#read = read;
  }

  /**
   * Keeps messages in this chat, and nowhere else. One whose id the chat already has replaces that message. Resolves to their ids.
   *
   * Placeholders replace secrets, as in a thread.
   *
   * @throws InvalidInputError when a message is malformed, and after `save` or `drop`; then none of them is kept.
   * @throws SecretError when a message holds a secret, with `guard: { secrets: "refuse" }`; then none of them is kept.
   *
   * @example
   * ```ts
   * const chat = user.temporary();
   * await chat.remember({ role: "user", content: "Just between us: I'm planning a surprise party." });
   * console.log(chat.messages().length, await user.threads.list()); // 1 []
   * ```
   */
  async remember(messages: GivenMessage | readonly GivenMessage[], options?: CallOptions): Promise<{ messageIds: string[] }> {
    this.#check();
    const given = listed(messages) as Message[];
    const checked = await this.#read<StoredMessage[]>("threads.check", { messages: given }, options);
    this.#check();
    const messageIds = checked.map(({ threadId: _, ...message }, place) => {
      const known = this.#messages.findIndex(({ messageId }) => messageId !== undefined && messageId === message.messageId);
      const before = this.#messages[known];
      if (before === undefined) this.#messages.push(message);
      else this.#messages[known] = { ...message, id: before.id, createdAt: given[place]?.createdAt === undefined ? before.createdAt : message.createdAt };
      return before?.id ?? message.id;
    });
    return { messageIds };
  }

  /** The messages of this chat, oldest first. */
  messages(): TemporaryMessage[] {
    return structuredClone(this.#messages);
  }

  /**
   * Returns what is relevant to a query, as `user.recall` does. With `rewrite`, the request has the last messages of this chat.
   *
   * @example
   * ```ts
   * const { text } = await user.temporary().recall("what should I cook?");
   * console.log(text);
   * ```
   */
  recall(query: string, options?: RecallOptions): Promise<Recalled> {
    const { rewrite, currentThreadId } = options ?? {};
    return this.memory.recall(query, rewrite === true && currentThreadId === undefined ? { messages: this.#said(), ...options } : options);
  }

  /**
   * Builds a prompt from the memory and the last messages of this chat, as `user.context.assemble` does with those of a thread.
   *
   * @throws InvalidInputError and BudgetExceededError as there, and InvalidInputError after `save` or `drop`.
   *
   * @example
   * ```ts
   * const chat = user.temporary();
   * await chat.remember({ role: "user", content: "What should I cook?" });
   * const { messages } = await chat.assemble({ maxTokens: 4000, as: "openai" });
   * console.log(messages.at(-1)); // { role: "user", content: "What should I cook?" }
   * ```
   */
  async assemble<Shape extends keyof Prompts = "text">(
    options: Omit<AssembleOptions, "threadId" | "messages"> & { readonly as?: Shape | undefined },
  ): Promise<Prompts[Shape]> {
    this.#check();
    return this.#read("assemble", { messages: this.#said() }, options);
  }

  /**
   * Stores the chat as an ordinary thread, and learns from it unless `learn` is false. Then the chat is over. If storing fails, the
   * chat stays open, and saving again stores what is missing.
   *
   * @throws InvalidInputError without a `threadId`, when nothing was said, and after `save` or `drop`.
   *
   * @example
   * ```ts
   * const chat = user.temporary();
   * await chat.remember({ role: "user", content: "I sail on Sundays." });
   * const { threadId, commitIds } = await chat.save({ threadId: "sailing" });
   * console.log(threadId, commitIds.length); // sailing 1
   * ```
   */
  async save(options: SaveOptions): Promise<Saved> {
    this.#check();
    const { threadId: chosen } = record(options, "options");
    if (typeof chosen !== "string") throw new InvalidInputError("save: threadId is missing; pass the id that the thread is to have");
    if (this.#messages.length === 0) throw new InvalidInputError("the temporary chat has no messages to save; drop it");
    const { messageIds, commitIds } = this.#saved;
    this.#ended = "is being saved; wait for that";
    try {
      let threadId = chosen;
      while (messageIds.length < this.#messages.length) {
        const part = this.#messages.slice(messageIds.length, messageIds.length + MAX_MESSAGES).map(handed);
        const stored = await this.#store<{ threadId: string; messageIds: string[]; commitId?: string }>("remember", { messages: part }, options);
        threadId = stored.threadId;
        messageIds.push(...stored.messageIds);
        if (stored.commitId !== undefined) commitIds.push(stored.commitId);
      }
      this.#messages = [];
      this.#ended = "was saved; go on in its thread";
      return { threadId, messageIds: [...messageIds], commitIds: [...commitIds] };
    } catch (error) {
      this.#ended = undefined;
      throw error;
    }
  }

  /** Ends the chat and lets go of its messages. Dropping again does nothing. */
  drop(): void {
    this.#messages = [];
    this.#ended ??= "was dropped; begin another one";
  }

  /** What was said last, as it is handed over. */
  #said(): Message[] {
    return this.#messages.slice(-MAX_MESSAGES).map(handed);
  }

  #check(): void {
    if (this.#ended !== undefined) throw new InvalidInputError(`the temporary chat ${this.#ended}`);
  }
}

/** A message as it is handed over. */
function handed({ messageId, id: _, ...message }: TemporaryMessage): Message {
  return messageId === undefined ? message : { ...message, id: messageId };
}
