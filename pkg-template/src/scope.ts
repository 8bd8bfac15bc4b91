/** One scope: everything that is remembered about one user, and nothing else. */
import type { Caller } from "./caller.js";
import { InvalidInputError, InvalidScopeError } from "./errors.js";
import { Episodes } from "./episodes.js";
import { Facts } from "./facts.js";
import { Instructions } from "./instructions.js";
import { Items } from "./items.js";
import { isRecord, isWellFormed, kind, milliseconds, withMilliseconds } from "./plain.js";
import { Profiles } from "./profiles.js";
import type { ProfileSchemas } from "./schema.js";
import { Threads } from "./threads.js";
import type {
  CallOptions,
  Explanation,
  Filter,
  Message,
  Recalled,
  Remembered,
  Revision,
  ScopePairs,
  Scoring,
  Time,
  Undone,
} from "./types.js";
import { viewAt, type View } from "./view.js";

/** How to remember. */
export interface RememberOptions extends CallOptions {
  /** The conversation the messages belong to. Default: `"default"`. */
  readonly threadId?: string | undefined;
}

/** How to recall. */
export interface RecallOptions extends CallOptions {
  /** The text has at most this many tokens, estimated; 1 to 1 000 000. Default: 1000. */
  readonly maxTokens?: number | undefined;
  /** At most this many facts and messages, 1 to 1000. Default: 20. */
  readonly limit?: number | undefined;
  /** The present conversation, whose messages are left out since the model has them already. Default: none. */
  readonly threadId?: string | undefined;
  readonly filter?: Filter | undefined;
  /**
   * Leaves out facts and messages that score less, and everything that is not related to the query. Default: the
   * most significant other facts fill what room is left.
   */
  readonly threshold?: number | undefined;
  /** How facts, episodes and messages are scored. Default: by words and meaning alone. */
  readonly scoring?: Scoring | undefined;
}

/** The memory of one scope. Nothing read or written here is ever visible in another. */
export class Scope<Schemas extends ProfileSchemas = {}> {
  /** Whose memory it is; frozen. */
  readonly scope: ScopePairs;
  /** Validated fields with revisions. */
  readonly profiles: Profiles<Schemas>;
  /** Short statements. */
  readonly facts: Facts;
  /** Everything that is remembered, of any kind. */
  readonly items: Items;
  /** What the assistant is to do and how. */
  readonly instructions: Instructions;
  /** How things went, as examples. */
  readonly episodes: Episodes;
  /** The conversations, word for word. */
  readonly threads: Threads;
  readonly #call: Caller;

  /** @internal Made by `memory.scope()`. */
  constructor(pairs: ScopePairs, call: Caller) {
    this.scope = pairs;
    this.#call = call;
    this.profiles = new Profiles(call);
    this.facts = new Facts(call);
    this.items = new Items(call);
    this.instructions = new Instructions(call);
    this.episodes = new Episodes(call);
    this.threads = new Threads(call);
  }

  /**
   * Remembers messages. They are durable when the promise resolves; facts and profile fields are extracted from them in the
   * background, if the memory has an `llm` or its rules find some.
   *
   * @throws InvalidInputError when a message is malformed; then none of them is remembered.
   *
   * @example
   * ```ts
   * const { messageIds } = await user.remember(
   *   [
   *     { role: "user", content: "I'm vegetarian. What should I cook?" },
   *     { role: "assistant", content: "How about a mushroom risotto?" },
   *   ],
   *   { threadId: "dinner" },
   * );
   * console.log(messageIds.length); // 2
   * ```
   */
  async remember(messages: Message | readonly Message[], options?: RememberOptions): Promise<Remembered> {
    const list: readonly unknown[] = Array.isArray(messages) ? messages : [messages];
    return this.#call(
      "remember",
      { messages: list.map((message) => withMilliseconds(message, ["createdAt"])) },
      options,
    );
  }

  /**
   * What is relevant to a query, as text for a prompt and item by item.
   *
   * @example
   * ```ts
   * await user.facts.add("Alice is vegetarian");
   * const { text, items } = await user.recall("what should I cook?", { maxTokens: 800 });
   * console.log(text, items.map(({ id, score }) => [id, score]));
   * ```
   */
  recall(query: string, options?: RecallOptions): Promise<Recalled> {
    return this.#call("recall", { query }, options);
  }

  /**
   * All revisions of an item of any kind, oldest first.
   *
   * @throws NotFoundError when this scope never had such an item.
   *
   * @example
   * ```ts
   * const { id } = await user.facts.add("Alice lives in Lisbon");
   * await user.facts.update(id, { text: "Alice lives in Porto" });
   * console.log((await user.history(id)).map(({ text }) => text));
   * ```
   */
  history(id: string, options?: CallOptions): Promise<Revision[]> {
    return this.#call("history", { id }, options);
  }

  /**
   * Undoes what a commit did in this scope, by a new commit.
   *
   * @throws ConflictError when an item it touched has changed since; `details` names them, and nothing was changed.
   * @throws NotFoundError when this scope has no such commit.
   *
   * @example
   * ```ts
   * const { id, commitId } = await user.facts.add("Alice lives in Lisbon");
   * if (commitId) await user.undo(commitId); // absent when the fact was known already
   * console.log(await user.facts.get(id)); // null
   * ```
   */
  undo(commitId: string, options?: CallOptions): Promise<Undone> {
    return this.#call("undo", { commitId }, options);
  }

  /**
   * The scope as it was at a time, to read only.
   *
   * @throws InvalidInputError when the time is no finite number and no valid `Date`.
   *
   * @example
   * ```ts
   * const yesterday = user.asOf(Date.now() - 24 * 60 * 60 * 1000);
   * console.log(await yesterday.facts.list()); // []
   * ```
   */
  asOf(time: Time): View<Schemas> {
    const asOf = milliseconds(time);
    if (typeof asOf !== "number" || !Number.isFinite(asOf)) {
      throw new InvalidInputError(
        `asOf: ${kind(time)} is no time; pass milliseconds since 1970 UTC or a valid Date`,
        { details: { path: "asOf" } },
      );
    }
    return viewAt(this.#call, asOf);
  }

  /**
   * Why an item is as it is: what caused it, and the words it rests on.
   *
   * @throws NotFoundError when this scope has no such item.
   *
   * @example
   * ```ts
   * const { id } = await user.facts.add("Alice lives in Lisbon");
   * const { origin, source } = await user.explain(id);
   * console.log(origin, source.map(({ quote }) => quote));
   * ```
   */
  explain(id: string, options?: CallOptions): Promise<Explanation> {
    return this.#call("explain", { id }, options);
  }
}

/**
 * A frozen copy of the pairs of a scope.
 *
 * @throws InvalidScopeError when they are not 1 to 5 pairs of non-empty strings without `*`, keys of at most 64 and values of
 * at most 256 characters.
 */
export function scopePairs(pairs: unknown): ScopePairs {
  if (!isRecord(pairs)) {
    throw new InvalidScopeError(`a scope is an object of strings such as { userId: "alice" }, not ${kind(pairs)}`);
  }
  const entries = Object.entries(pairs);
  if (entries.length < 1 || entries.length > 5) {
    throw new InvalidScopeError(`a scope has 1 to 5 pairs; this one has ${entries.length}`);
  }
  for (const [key, value] of entries) {
    part("key", key, 64);
    part(`value of ${JSON.stringify(key)}`, value, 256);
  }
  return Object.freeze(Object.fromEntries(entries) as ScopePairs);
}

function part(name: string, text: unknown, limit: number): void {
  if (typeof text !== "string") throw new InvalidScopeError(`a scope's ${name} must be a string, not ${kind(text)}`);
  const characters = [...text].length;
  if (characters < 1 || characters > limit) {
    throw new InvalidScopeError(`a scope's ${name} has 1 to ${limit} characters; this one has ${characters}`);
  }
  if (!isWellFormed(text)) throw new InvalidScopeError(`a scope's ${name} has half of a surrogate pair; cut strings between characters`);
  if (text.includes("*")) throw new InvalidScopeError(`a scope's ${name} must not hold "*"; scopes match exactly`);
}
