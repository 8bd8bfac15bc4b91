/** The tiers of one scope: recent exchanges, older ones by topic, and what is distilled from them. */
import type { Caller } from "./caller.js";
import { record } from "./plain.js";
import type { Action, CallOptions, Fact, Metadata, ModelUsage, Source, Time, Trust } from "./types.js";

/** An exchange to add. */
export interface NewPage {
  /** What the user said, up to 64 KiB. */
  readonly query: string;
  /** What was answered, up to 64 KiB. */
  readonly response: string;
  /** When that was. Default: now. */
  readonly createdAt?: Time | undefined;
  readonly metadata?: Metadata | undefined;
  /**
   * A thread in which both are stored as messages too, in the same commit, without learning from them again. Default: none; leave it out
   * for exchanges that a thread already holds.
   */
  readonly threadId?: string | undefined;
  /** How far the query is trusted, such as `"web"`. Default: `"user"`. */
  readonly trust?: Trust | undefined;
}

/** A stored exchange. */
export interface Page {
  id: string;
  query: string;
  response: string;
  createdAt: number;
  threadId?: string;
  /** What the continuous run of pages up to this one is about; absent before it moved to a segment. */
  chain?: string;
  /** `"short"` in the queue, `"mid"` in a segment. */
  tier: "short" | "mid";
  segmentId?: string;
  /** What it is about; absent before it moved to a segment. */
  keywords?: string[];
  metadata: Record<string, unknown>;
}

/** Pages about one topic. */
export interface Segment {
  id: string;
  /** What they are about. */
  summary: string;
  /** The same in keywords, latest first. */
  keywords: string[];
  /** How many pages it has. */
  pages: number;
  /** How often it was retrieved. */
  visits: number;
  /** When it was last retrieved, or got a page. */
  lastVisitAt: number;
  createdAt: number;
}

/** How much a segment is used: `alpha * visits + beta * pages + gamma * recency`. */
export interface Heat {
  value: number;
  visits: number;
  /** Pages added since it was last distilled. */
  pages: number;
  /** `exp(-seconds since the last visit / mu)`. */
  recency: number;
}

/** The user in one of ninety dimensions. */
export interface Trait {
  id: string;
  /** Such as `"curiosity"` or `"wish for brevity"`. */
  name: string;
  group: "personality" | "alignment" | "interests";
  level: "low" | "medium" | "high";
  /** 0 to 1. */
  confidence: number;
  /** The evidence, latest first, at most 5. */
  evidence: string[];
  pinned: boolean;
  updatedAt: number;
  /** The messages that showed it, or the pages if they belong to no thread. */
  source: Source[];
}

/** A statement about the assistant: what it did, promised or learned to do for this user. */
export interface AgentTrait {
  id: string;
  text: string;
  pinned: boolean;
  updatedAt: number;
}

/** How much to retrieve; the defaults are those of `openMemory`. */
export interface RetrieveOptions extends CallOptions {
  /** At most this many segments, 1 to 1000. */
  readonly topSegments?: number | undefined;
  /** At most this many of their pages, 1 to 1000. */
  readonly topPages?: number | undefined;
  /** At most this many facts, and statements about the assistant, 1 to 1000. */
  readonly topKnowledge?: number | undefined;
}

/** What all tiers return for a query. */
export interface Retrieved {
  /** The latest exchanges, oldest first. */
  recent: Page[];
  /** The segments that fit best, best first. */
  segments: Segment[];
  /** Their pages that are closest in meaning, best first; the score is the cosine, or the share of common keywords. */
  pages: Array<Page & { score: number }>;
  /** The values of the profiles, by schema. */
  profile: Record<string, Record<string, unknown>>;
  traits: Trait[];
  /** The facts that fit best, best first. */
  knowledge: Fact[];
  /** What is constant about the assistant, by name, at most 16 names; `explain` says where each came from. */
  agentProfile: Record<string, string>;
  /** The statements about the assistant that fit best, best first. */
  agentTraits: AgentTrait[];
}

/** Options of `tiers.prompt`. */
export interface TierPromptOptions extends CallOptions {
  /** At most this many tokens, 1 to 1 000 000. Default: 4000. */
  readonly maxTokens?: number | undefined;
}

/** Options of `tiers.respond`. */
export interface RespondOptions extends TierPromptOptions {
  /** A thread in which both are stored as messages too. Default: none. */
  readonly threadId?: string | undefined;
}

/** A prompt built from the tiers. */
export interface TierPrompt {
  messages: Array<{ role: "system" | "user" | "assistant"; content: string }>;
  /** Their tokens, plus four for each message; never more than `maxTokens`. */
  tokens: number;
}

/** What is in the tiers. */
export interface TierState {
  /** The pages of the queue, oldest first; more than its capacity while they wait to move. */
  recent: Page[];
  /** The segments, the oldest first. */
  segments: Array<Segment & { heat: Heat }>;
  counts: { short: number; mid: number; segments: number; traits: number; agentTraits: number };
}

/** What an update did. */
export interface TierUpdate {
  /** Pages that moved into segments. */
  moved: number;
  /** The number of segments they moved into. */
  segments: number;
  /** Segments that were distilled. */
  distilled: number;
  usage: ModelUsage;
}

/**
 * The tiers of a scope: a queue of recent exchanges; older ones in segments by topic, of which the coldest is deleted when there are
 * too many; and what is distilled from the most used segments: profile, facts, traits, and statements about the assistant.
 */
export class Tiers {
  readonly #call: Caller;

  /** @internal Made by `memory.scope()`. */
  constructor(call: Caller) {
    this.#call = call;
  }

  /**
   * Adds an exchange. It is durable when the promise resolves; the rest happens in the background, or with
   * `extraction: { auto: false }` when `update` is called. If it is stored as messages and one is removed or replaced, it is removed too.
   *
   * @throws InvalidInputError when a part is blank or over its limit.
   *
   * @example
   * ```ts
   * const { action } = await user.tiers.add({ query: "When do tomatoes ripen?", response: "Mostly in August." });
   * console.log(action); // created
   * ```
   */
  async add(page: NewPage, options?: CallOptions): Promise<Action> {
    return this.#call("tiers.add", record(page, "page"), options);
  }

  /**
   * What all tiers return for a query. The segments that were searched count as visited. Lists are empty when a tier has nothing, or
   * nothing matches; `recent` and `traits` do not depend on the query.
   *
   * @example
   * ```ts
   * await user.tiers.add({ query: "When do tomatoes ripen?", response: "Mostly in August." });
   * const { recent, pages, knowledge } = await user.tiers.retrieve("tomatoes", { topPages: 5 });
   * console.log(recent.length, pages.length, knowledge.length); // 1 0 0
   * ```
   */
  retrieve(query: string, options?: RetrieveOptions): Promise<Retrieved> {
    return this.#call("tiers.retrieve", { query }, options);
  }

  /**
   * Builds messages for a model: what is remembered, the latest exchanges, the question.
   *
   * @throws BudgetExceededError when the instructions and the question alone exceed `maxTokens`.
   *
   * @example
   * ```ts
   * const { messages } = await user.tiers.prompt("Which tomatoes did I plant?", { maxTokens: 2000 });
   * console.log(messages.at(-1)?.content); // Which tomatoes did I plant?
   * ```
   */
  prompt(query: string, options?: TierPromptOptions): Promise<TierPrompt> {
    return this.#call("tiers.prompt", { query }, options);
  }

  /**
   * Answers a question with the memory's `llm` and the tiers, and adds both as a page. If only the adding fails, the `details` of the
   * error contain the `response`.
   *
   * @throws InvalidInputError for a bad query or thread, before the model is asked.
   * @throws ModelError when the memory has no `llm`, or it returns no text; then no page was added.
   *
   * @example
   * ```ts
   * import { openMemory } from "mnemic";
   *
   * const talkative = await openMemory({ name: "talk", storage: "memory", llm: () => "In August." });
   * const { response } = await talkative.scope({ userId: "alice" }).tiers.respond("When do tomatoes ripen?");
   * console.log(response); // In August.
   * await talkative.close();
   * ```
   */
  respond(query: string, options?: RespondOptions): Promise<{ response: string; page: Action }> {
    return this.#call("tiers.respond", { query }, options);
  }

  /**
   * What is in the tiers now, with the heat of every segment.
   *
   * @example
   * ```ts
   * const { counts, segments } = await user.tiers.state();
   * console.log(counts.mid, segments.map(({ summary, heat }) => `${summary} ${heat.value}`));
   * ```
   */
  state(options?: CallOptions): Promise<TierState> {
    return this.#call("tiers.state", {}, options);
  }

  /**
   * The traits of the user, in the order in which they were first seen; empty when there are none. They are items too: pin or delete them
   * there.
   *
   * @example
   * ```ts
   * for (const { name, level, evidence } of await user.tiers.traits()) console.log(name, level, evidence[0]);
   * ```
   */
  traits(options?: CallOptions): Promise<Trait[]> {
    return this.#call("tiers.traits", {}, options);
  }

  /**
   * Moves pages out of a full queue and distils hot segments now. With `extraction: { auto: false }`, this is the only way.
   *
   * @throws ModelError and TimeoutError when the model fails; the rest is retried.
   *
   * @example
   * ```ts
   * const { moved, distilled, usage } = await user.tiers.update();
   * console.log(moved, distilled, usage.calls); // 0 0 0
   * ```
   */
  update(options?: CallOptions): Promise<TierUpdate> {
    return this.#call("tiers.update", {}, options);
  }

  /**
   * Removes a page, and what its segment and later pages say about it. What was distilled stays, and so do messages of threads. `undo`
   * brings it back.
   *
   * @throws NotFoundError when there is no page with this id.
   *
   * @example
   * ```ts
   * const page = await user.tiers.add({ query: "When do tomatoes ripen?", response: "Mostly in August." });
   * const { action } = await user.tiers.remove(page.id);
   * console.log(action); // deleted
   * ```
   */
  remove(id: string, options?: CallOptions): Promise<Action> {
    return this.#call("tiers.remove", { id }, options);
  }

  /**
   * Deletes every page and segment. What was distilled stays, and so do messages of threads.
   *
   * @example
   * ```ts
   * await user.tiers.add({ query: "When do tomatoes ripen?", response: "Mostly in August." });
   * console.log(await user.tiers.clear()); // { removed: 1 }
   * ```
   */
  clear(options?: CallOptions): Promise<{ removed: number }> {
    return this.#call("tiers.clear", {}, options);
  }
}
