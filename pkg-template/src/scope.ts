/** One scope: everything that is remembered about one user, and nothing else. */
import type { Caller } from "./caller.js";
import { Context } from "./context.js";
import { Documents } from "./documents.js";
import { InvalidInputError, InvalidScopeError } from "./errors.js";
import { Episodes } from "./episodes.js";
import { Facts } from "./facts.js";
import { Graph } from "./graph.js";
import { isRecord, isWellFormed, kind, listed, milliseconds, record, toldModel } from "./plain.js";
import type { Topic } from "./options.js";
import type { Imported, ImportOptions, ImportSource } from "./import/format.js";
import { importInto } from "./import/run.js";
import { Instructions } from "./instructions.js";
import { Items } from "./items.js";
import { Profiles } from "./profiles.js";
import { Proposals } from "./proposals.js";
import type { ProfileSchemas } from "./schema.js";
import { Threads } from "./threads.js";
import { Tiers } from "./tiers.js";
import type { ToolCallOptions, ToolDefinitions, ToolOptions, ToolResult } from "./tools.js";
import type {
  CallOptions,
  Explanation,
  Filter,
  Generated,
  Labels,
  Message,
  Metadata,
  Recalled,
  Remembered,
  Revision,
  ScopePairs,
  Taught,
  Scoring,
  Time,
  Undone,
} from "./types.js";
import { viewAt, type View } from "./view.js";

/** How to remember. */
export interface RememberOptions extends CallOptions {
  /** The conversation the messages belong to. Default: `"default"`. */
  readonly threadId?: string | undefined;
  /** Whether anything is to be learned from the messages. Default: true. */
  readonly learn?: boolean | undefined;
}

/** A fact that is only to be put in its place among what is known. */
export interface GivenFact {
  readonly text: string;
  /** The label of the topic it belongs to. */
  readonly topic?: string | undefined;
}

/** What to learn from at once, and how. */
export interface GenerateOptions extends CallOptions {
  /** Messages to remember and learn from. One whose id the thread has already replaces that one; an equal one is ignored. */
  readonly messages?: Message | readonly Message[] | undefined;
  /** The conversation the messages belong to. Default: `"default"`. */
  readonly threadId?: string | undefined;
  /** Up to 5 facts that are kept without being looked for in a conversation, unless they are known. */
  readonly facts?: ReadonlyArray<string | GivenFact> | undefined;
  /** What to call the revisions that are made. */
  readonly labels?: Labels | undefined;
  /** What to keep with what is learned. Default: nothing, and what was kept stays. */
  readonly metadata?: Metadata | undefined;
  /**
   * What becomes of metadata that is there already: the new takes its place (`"overwrite"`), or is added to it (`"merge"`);
   * with `"require"` only what has exactly this metadata is updated: beside another fact a new one is made, and another field
   * is left as it is. Default: `"overwrite"`.
   */
  readonly metadataMerge?: "overwrite" | "merge" | "require" | undefined;
  /** Keeps what is learned for so long; what is updated at least so much longer. Default: as `extraction.ttl` says. */
  readonly ttlMs?: number | undefined;
  /**
   * Whether what is new is brought together with what is known. When false, facts are only added, and values of fields
   * replaced. Default: true.
   */
  readonly consolidate?: boolean | undefined;
  /** What to learn about. Default: whatever matters. */
  readonly topics?: readonly Topic[] | undefined;
}

/** What to learn from at once. */
export interface FlushOptions extends CallOptions {
  /** Only messages of this conversation. Default: of all. */
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
  /** Entities and how they are connected. */
  readonly graph: Graph;
  /** What was learned and waits for the user's yes. */
  readonly proposals: Proposals;
  /** Everything that is remembered, of any kind. */
  readonly items: Items;
  /** What the assistant is to do and how. */
  readonly instructions: Instructions;
  /** How things went, as examples. */
  readonly episodes: Episodes;
  /** The conversations, word for word. */
  readonly threads: Threads;
  /** The latest exchanges, older ones by topic, and what is distilled from them. */
  readonly tiers: Tiers;
  /** JSON documents under namespaces and keys. */
  readonly documents: Documents;
  /** Conversations of any length with a model of a small window. */
  readonly context: Context;
  readonly #call: Caller;

  /** @internal Made by `memory.scope()`. */
  constructor(pairs: ScopePairs, call: Caller) {
    this.scope = pairs;
    this.#call = call;
    this.profiles = new Profiles(call);
    this.facts = new Facts(call);
    this.graph = new Graph(call);
    this.proposals = new Proposals(call);
    this.items = new Items(call);
    this.instructions = new Instructions(call);
    this.episodes = new Episodes(call);
    this.threads = new Threads(call);
    this.tiers = new Tiers(call);
    this.documents = new Documents(call);
    this.context = new Context(call);
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
    return this.#call("remember", { messages: listed(messages) }, options);
  }

  /**
   * Remembers messages and learns from them now, and says what that changed. Everything is durable before the model is asked:
   * when it fails, the call rejects, and the background tries again.
   *
   * @throws ModelError and TimeoutError when the model fails.
   * @throws InvalidInputError when there is neither a message nor a fact, or one is malformed; nothing is kept then.
   *
   * @example
   * ```ts
   * const { changes, usage } = await user.generate({
   *   messages: { role: "user", content: "I live in Lisbon." },
   *   facts: ["The user pays for the premium plan."],
   *   labels: { session: "42" },
   * });
   * console.log(changes.map(({ action, record }) => `${action} ${record.text}`), usage.calls);
   * ```
   */
  async generate(options: GenerateOptions): Promise<Generated> {
    const { messages, ...others } = record(options, "options");
    return this.#call("generate", messages === undefined ? {} : { messages: listed(messages) }, others);
  }

  /**
   * Learns now from the messages that wait, and says what that changed. What the background was just learning from is waited
   * for, and not part of the answer.
   *
   * @throws ModelError and TimeoutError when the model fails; the messages wait on then.
   *
   * @example
   * ```ts
   * await user.remember({ role: "user", content: "My name is Alice." }, { threadId: "today" });
   * const { changes } = await user.flush({ threadId: "today" });
   * console.log(changes.length);
   * ```
   */
  flush(options?: FlushOptions): Promise<Taught> {
    return this.#call("flush", {}, options);
  }

  /**
   * Imports what another memory or a chat exported, batch by batch. Nothing is imported twice: what is here already is skipped, so an
   * import that was aborted or failed is resumed by running it again. Facts that you deleted since stay deleted.
   *
   * Messages keep the ids of their conversations and their own; of conversations with branches the one that was open last is taken.
   * Documents keep namespace and key, facts get `metadata.source` and `metadata.sourceId`.
   *
   * @throws InvalidInputError when the data is of no known format; then nothing was imported.
   * @throws AbortedError when the signal fires; what was imported until then stays.
   *
   * @example
   * ```ts
   * const conversations = JSON.stringify([
   *   {
   *     uuid: "0b5d8f1e", name: "Dinner", created_at: "2026-05-01T18:00:00Z",
   *     chat_messages: [{ uuid: "77aa", sender: "human", text: "I'm vegetarian.", created_at: "2026-05-01T18:00:00Z" }],
   *   },
   * ]);
   * const { format, done, failed } = await user.import(conversations, {
   *   onProgress: ({ done, total }) => console.log(`${done} of ${total}`),
   * });
   * console.log(format, done, failed.length); // claude 1 0
   * ```
   */
  import(data: ImportSource, options?: ImportOptions): Promise<Imported> {
    return importInto(this.#call, data, options);
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
   * The definitions of tools with which a model reads and changes this memory, as `"openai"` (chat completions), `"anthropic"`
   * (Messages API) or `"mcp"` (Model Context Protocol) takes them. What it calls goes to `callTool`.
   *
   * @example
   * ```ts
   * const tools = await user.tools("openai", { include: ["facts", "graph"] });
   * console.log(tools.map((tool) => tool.function.name)); // facts_search, facts_add, ...
   * ```
   */
  tools<Format extends keyof ToolDefinitions>(
    format: Format,
    options?: ToolOptions,
  ): Promise<Array<ToolDefinitions[Format]>> {
    return this.#call("tools", { format }, options);
  }

  /**
   * Carries out what a model called. The arguments are an object, or JSON text as the model wrote it; they are checked by the
   * tool's schema first. What is wrong with a call is its answer, in words for the model, and nothing is changed. What the
   * user pinned stays as it is.
   *
   * @throws StorageError, QuotaExceededError, ClosedError and others that no model can do anything about.
   *
   * @example
   * ```ts
   * const { ok, result } = await user.callTool("facts_add", '{"text": "Alice sails"}', { threadId: "today" });
   * console.log(ok, result); // true {"action":"created","id":"..."}
   * ```
   */
  async callTool(name: string, args?: unknown, options?: ToolCallOptions): Promise<ToolResult> {
    try {
      return await this.#call("callTool", { name, arguments: args }, options);
    } catch (error) {
      return { ok: false, result: toldModel(error), isError: true };
    }
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
   * @throws ConflictError when an item it touched is no longer as it left it: undo the later changes first. `details` names
   * them, and nothing was changed.
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
