/** The archive of one scope: any number of text passages, found by words and meaning. */
import type { Caller } from "./caller.js";
import { record } from "./plain.js";
import type { Action, AwaitOptions, CallOptions, Scored } from "./types.js";

/** A piece of text in the archive. */
export interface Passage {
  id: string;
  text: string;
  /** Its tags. */
  tags: string[];
  /** The document it was loaded from; absent when it was inserted directly. */
  name?: string;
  /** Its place in that document, from 1. */
  number?: number;
  createdAt: number;
  revision: number;
}

/** Options of `archive.insert`. */
export interface InsertOptions extends CallOptions {
  /** Its tags, at most 16. Default: none. */
  readonly tags?: readonly string[] | undefined;
}

/** A query to the archive. */
export interface ArchiveQuery extends AwaitOptions {
  readonly query: string;
  /** Only passages with these tags. Default: all. */
  readonly tags?: readonly string[] | undefined;
  /** Whether one tag is enough, or all are required. Default: `"any"`. */
  readonly match?: "any" | "all" | undefined;
  /** Which page, from 0, within the first 100 results. Default: 0. */
  readonly page?: number | undefined;
  /** How many passages a page has, 1 to 100. Default: 5. */
  readonly limit?: number | undefined;
  /** Leaves out what has less relevance, 0 to 1. Default: 0.03, which leaves out what is unrelated. */
  readonly threshold?: number | undefined;
}

/** The archive of a scope. */
export class Archive {
  readonly #call: Caller;

  /** @internal Made by `memory.scope()`. */
  constructor(call: Caller) {
    this.#call = call;
  }

  /**
   * Stores a passage of 1 to 32 768 bytes; `context.load()` takes longer texts.
   *
   * @example
   * ```ts
   * await user.context.archive.insert("The attic key hangs behind the clock.", { tags: ["house"] });
   * ```
   */
  insert(text: string, options?: InsertOptions): Promise<Action> {
    return this.#call("context.archive.insert", { text }, options);
  }

  /**
   * Passages that match in words or meaning, best first; empty when none do.
   *
   * @example
   * ```ts
   * await user.context.archive.insert("The attic key hangs behind the clock.", { tags: ["house"] });
   * const [best] = await user.context.archive.search({ query: "where is the attic key?", tags: ["house"] });
   * console.log(best?.text);
   * ```
   */
  async search(query: ArchiveQuery, options?: CallOptions): Promise<Array<Passage & Scored>> {
    return this.#call("context.archive.search", record(query, "query"), options);
  }

  /**
   * Deletes a passage; its revisions stay in the history.
   *
   * @throws NotFoundError when this scope has no such passage.
   *
   * @example
   * ```ts
   * const { id } = await user.context.archive.insert("An old address.");
   * await user.context.archive.delete(id);
   * ```
   */
  delete(id: string, options?: CallOptions): Promise<Action> {
    return this.#call("context.archive.delete", { id }, options);
  }
}
