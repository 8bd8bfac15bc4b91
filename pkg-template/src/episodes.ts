/** The episodes of one scope: how things went, as examples. */
import type { Caller } from "./caller.js";
import type { SearchOptions } from "./facts.js";
import { record } from "./plain.js";
import type { Action, CallOptions, Filter, KeepSourceOptions, Metadata, Origin, PageOptions, Scored, Source } from "./types.js";

/** An episode to store. */
export interface NewEpisode {
  /** What happened. */
  readonly situation: string;
  /** What was done about it. */
  readonly approach: string;
  /** What came of it. */
  readonly outcome: string;
  readonly metadata?: Metadata | undefined;
  /** The thread it happened in. Default: none. */
  readonly threadId?: string | undefined;
}

/** What `episodes.update` may change; what is left out stays. */
export interface EpisodeChanges {
  readonly situation?: string | undefined;
  readonly approach?: string | undefined;
  readonly outcome?: string | undefined;
  /** Replaces the old metadata. */
  readonly metadata?: Metadata | undefined;
}

/** A stored episode. */
export interface Episode {
  id: string;
  situation: string;
  approach: string;
  outcome: string;
  /** Absent when it happened in no thread. */
  threadId?: string;
  metadata: Record<string, unknown>;
  pinned: boolean;
  createdAt: number;
  updatedAt: number;
  /** When it was last recalled or found, to the hour; absent when it never was. */
  lastAccessedAt?: number;
  revision: number;
  origin: Origin;
  source: Source[];
}

/** Which episodes to list. */
export interface EpisodeListOptions extends CallOptions, PageOptions {
  readonly filter?: Filter | undefined;
}

/** The episodes of a scope. Recall shows those that fit, as examples. */
export class Episodes {
  readonly #call: Caller;

  /** @internal Made by `memory.scope()`. */
  constructor(call: Caller) {
    this.#call = call;
  }

  /**
   * Adds an episode. One with the same situation and outcome is not stored twice: the action is then `"unchanged"`.
   *
   * @example
   * ```ts
   * await user.episodes.add({
   *   situation: "the build failed after an update",
   *   approach: "read the changelog, then pin the version before it",
   *   outcome: "it was fixed within minutes",
   * });
   * ```
   */
  async add(episode: NewEpisode, options?: CallOptions): Promise<Action> {
    return this.#call("episodes.add", record(episode, "episode"), options);
  }

  /**
   * The episode with an id; null when this scope has none.
   *
   * @example
   * ```ts
   * const { id } = await user.episodes.add({ situation: "a late train", approach: "rebook", outcome: "a free seat" });
   * console.log((await user.episodes.get(id))?.outcome);
   * ```
   */
  get(id: string, options?: CallOptions): Promise<Episode | null> {
    return this.#call("episodes.get", { id }, options);
  }

  /**
   * Episodes, newest first; empty when none match.
   *
   * @example
   * ```ts
   * await user.episodes.list({ filter: { threadId: "default" }, limit: 20 });
   * ```
   */
  list(options?: EpisodeListOptions): Promise<Episode[]> {
    return this.#call("episodes.list", {}, options);
  }

  /**
   * Episodes that match in words or meaning, best first; empty when none do.
   *
   * @example
   * ```ts
   * await user.episodes.add({ situation: "a late train", approach: "rebook", outcome: "a free seat" });
   * const [best] = await user.episodes.search("my train is late");
   * console.log(best?.approach);
   * ```
   */
  search(query: string, options?: SearchOptions): Promise<Array<Episode & Scored>> {
    return this.#call("episodes.search", { query }, options);
  }

  /**
   * Changes an episode; what is left out stays.
   *
   * @throws NotFoundError when this scope has no such episode.
   *
   * @example
   * ```ts
   * const { id } = await user.episodes.add({ situation: "a late train", approach: "rebook", outcome: "a free seat" });
   * await user.episodes.update(id, { outcome: "a free seat and a coffee" });
   * ```
   */
  async update(id: string, changes: EpisodeChanges, options?: KeepSourceOptions): Promise<Action> {
    return this.#call("episodes.update", { ...record(changes, "changes"), id }, options);
  }

  /**
   * Deletes an episode; its revisions stay in the history.
   *
   * @throws NotFoundError when this scope has no such episode.
   *
   * @example
   * ```ts
   * const { id } = await user.episodes.add({ situation: "a late train", approach: "rebook", outcome: "a free seat" });
   * await user.episodes.delete(id);
   * ```
   */
  delete(id: string, options?: KeepSourceOptions): Promise<Action> {
    return this.#call("episodes.delete", { id }, options);
  }

  /**
   * Asks the model for an episode of a thread that is worth keeping; empty when there is none, or the thread has no messages.
   *
   * @throws ModelError when the memory has no `llm`, or its answer is unusable; then nothing was stored.
   *
   * @example
   * ```ts
   * console.log(await user.episodes.learn({ threadId: "monday" })); // [] as long as nothing was said
   * ```
   */
  learn(options: CallOptions & { readonly threadId: string }): Promise<Action[]> {
    return this.#call("episodes.learn", {}, options);
  }
}
