/** The archive of one scope: passages of text without limit, found by words and meaning. */
import type { Caller } from "./caller.js";
import { record } from "./plain.js";
import type { Action, CallOptions, Scored } from "./types.js";

/** A piece of text in the archive. */
export interface Passage {
  id: string;
  text: string;
  /** What it is filed under. */
  tags: string[];
  /** The document it was loaded from; absent when it was inserted by itself. */
  name?: string;
  /** Its place in that document, from 1. */
  number?: number;
  createdAt: number;
  revision: number;
}

/** How to keep a passage. */
export interface InsertOptions extends CallOptions {
  /** What to file it under, at most 16. Default: nothing. */
  readonly tags?: readonly string[] | undefined;
}

/** What to look for in the archive. */
export interface ArchiveQuery {
  readonly query: string;
  /** Only what is filed under these. Default: everything. */
  readonly tags?: readonly string[] | undefined;
  /** Whether one of the tags is enough. Default: `"any"`. */
  readonly match?: "any" | "all" | undefined;
  /** Which page, from 0; none goes beyond the first 100 results. Default: 0. */
  readonly page?: number | undefined;
  /** How many passages a page has, 1 to 100. Default: 5. */
  readonly limit?: number | undefined;
}

/** The archive of a scope. */
export class Archive {
  readonly #call: Caller;

  /** @internal Made by `memory.scope()`. */
  constructor(call: Caller) {
    this.#call = call;
  }

  /**
   * Keeps a passage, 1 to 32 768 bytes; `context.load()` takes longer texts.
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
   * Passages by words and meaning, best first; empty when nothing is near.
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
