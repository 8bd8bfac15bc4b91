/** The tiers of one scope: the latest exchanges, older ones by topic, and what is distilled from them. */
import type { Caller } from "./caller.js";
import { record, withMilliseconds } from "./plain.js";
import type { Action, CallOptions, Fact, Metadata, ModelUsage, Source, Time } from "./types.js";

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
   * A thread in which both are kept as messages too, in the same commit; nothing else is learned from those. Default: none; leave it
   * out for what a thread holds already.
   */
  readonly threadId?: string | undefined;
}

/** An exchange as it is kept. */
export interface Page {
  id: string;
  query: string;
  response: string;
  createdAt: number;
  threadId?: string;
  /** What the pages up to this one that go on with one another are about; absent before it moved to a segment. */
  chain?: string;
  /** `"short"` in the queue of the latest, `"mid"` in a segment. */
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
  /** The same in a few words, the latest first. */
  keywords: string[];
  /** How many pages it has. */
  pages: number;
  /** How often it was retrieved. */
  visits: number;
  /** When it was last retrieved, or grew. */
  lastVisitAt: number;
  createdAt: number;
}

/** How much a segment is used, and how that came about: `alpha * visits + beta * pages + gamma * recency`. */
export interface Heat {
  value: number;
  visits: number;
  /** Pages that came since it was last distilled. */
  pages: number;
  /** `exp(-seconds since the last visit / mu)`. */
  recency: number;
}

/** What the user is like in one of ninety dimensions. */
export interface Trait {
  id: string;
  /** Such as `"curiosity"` or `"wish for brevity"`. */
  name: string;
  group: "personality" | "alignment" | "interests";
  level: "low" | "medium" | "high";
  /** 0 to 1. */
  confidence: number;
  /** What showed it, the latest first, at most 5. */
  evidence: string[];
  pinned: boolean;
  updatedAt: number;
  /** The messages that showed it, or the pages, when those are of no thread. */
  source: Source[];
}

/** A statement about the assistant: what it did, promised or learned to do for this user. */
export interface AgentTrait {
  id: string;
  text: string;
  pinned: boolean;
  updatedAt: number;
}

/** How much to retrieve; as the memory was opened by default. */
export interface RetrieveOptions extends CallOptions {
  /** At most this many segments, 1 to 1000. */
  readonly topSegments?: number | undefined;
  /** At most this many of their pages, 1 to 1000. */
  readonly topPages?: number | undefined;
  /** At most this many facts, and statements about the assistant, 1 to 1000. */
  readonly topKnowledge?: number | undefined;
}

/** What all tiers have for a query. */
export interface Retrieved {
  /** The latest exchanges, the oldest first. */
  recent: Page[];
  /** The segments that fit best, best first. */
  segments: Segment[];
  /** The pages in them that are nearest in meaning, best first; the score is the cosine, or the share of common keywords. */
  pages: Array<Page & { score: number }>;
  /** The values of the profiles, by schema. */
  profile: Record<string, Record<string, unknown>>;
  traits: Trait[];
  /** The facts that fit best, best first. */
  knowledge: Fact[];
  /** What stays the same of the assistant, by name: at most 16 names. Where each came from `explain` says. */
  agentProfile: Record<string, string>;
  /** The statements about the assistant that fit best, best first. */
  agentTraits: AgentTrait[];
}

/** How large a prompt may be. */
export interface TierPromptOptions extends CallOptions {
  /** At most this many tokens, 1 to 1 000 000. Default: 4000. */
  readonly maxTokens?: number | undefined;
}

/** How to answer. */
export interface RespondOptions extends TierPromptOptions {
  /** A thread in which both are kept as messages too. Default: none. */
  readonly threadId?: string | undefined;
}

/** A prompt out of the tiers. */
export interface TierPrompt {
  messages: Array<{ role: "system" | "user" | "assistant"; content: string }>;
  /** Their tokens, and four more for each message; never more than asked for. */
  tokens: number;
}

/** What is in the tiers. */
export interface TierState {
  /** The pages of the queue, the oldest first; more than its capacity while they wait to be moved. */
  recent: Page[];
  /** The segments, the oldest first. */
  segments: Array<Segment & { heat: Heat }>;
  counts: { short: number; mid: number; segments: number; traits: number; agentTraits: number };
}

/** What an update did. */
export interface TierUpdate {
  /** Pages that moved into segments. */
  moved: number;
  /** Into so many segments. */
  segments: number;
  /** Segments that were distilled. */
  distilled: number;
  usage: ModelUsage;
}

/**
 * The tiers of a scope: a queue of the latest exchanges; older ones in segments by topic, of which the coldest goes when there are
 * too many; and what is distilled from the segments that are used most: profile, facts, traits, and what is known of the assistant.
 */
export class Tiers {
  readonly #call: Caller;

  /** @internal Made by `memory.scope()`. */
  constructor(call: Caller) {
    this.#call = call;
  }

  /**
   * Adds an exchange. It is durable when the promise resolves; the rest happens in the background, or with
   * `extraction: { auto: false }` when `update` is called. When a message it is kept as is removed or worded anew, it goes too.
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
    return this.#call("tiers.add", record(withMilliseconds(page, ["createdAt"]), "page"), options);
  }

  /**
   * What all tiers have for a query. The segments that were looked into count as visited.
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
   * Messages for a model: what is remembered, the latest exchanges, the question.
   *
   * @throws BudgetExceededError when not even the instructions and the question have room.
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
   * Answers a question by the memory's `llm` out of the tiers, and adds both as a page. When only the adding fails, the `details` of
   * the error have the `response`.
   *
   * @throws InvalidInputError for a bad query or thread, before the model is asked.
   * @throws ModelError when the memory has no `llm`, or it answers no text; no page was added then.
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
   * The traits of the user, in the order in which they first showed; empty when none did yet. They are items too: pin or delete them
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
   * Moves what the queue cannot hold and distils what is hot, now rather than in the background. With
   * `extraction: { auto: false }` nothing else does.
   *
   * @throws ModelError and TimeoutError when the model fails; what waits is tried again.
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
   * Removes a page, with what its segment and later pages told of it. What was distilled stays, and so do messages of threads. `undo`
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
