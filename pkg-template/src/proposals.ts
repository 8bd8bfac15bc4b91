/** Learned changes that wait for the user's approval. */
import type { Caller } from "./caller.js";
import type { Action, CallOptions, Kind, Source } from "./types.js";

/** One change of a proposal. */
export interface ProposedChange {
  /** `"end"`: it is no longer true. */
  action: "create" | "update" | "end" | "delete";
  /** The item that it changes or would create. */
  id: string;
  kind: Kind;
  /** The present text; absent for a new item. */
  before?: string;
  /** The text afterwards; absent when the item ends or is deleted. */
  after?: string;
}

/** A learned change that waits. */
export interface Proposal {
  id: string;
  /** What would change, in words. */
  text: string;
  /** They are accepted together or not at all. */
  changes: ProposedChange[];
  /**
   * Why it waits: `"review"`, because everything learned does; `"trust"`, because it would change something more trusted than its
   * source; `"instructs"`, because a source from a tool, a document or the web gives instructions or hides something.
   */
  reason: "review" | "trust" | "instructs";
  createdAt: number;
  source: Source[];
}

/**
 * The proposals of a scope: everything learned with `extraction: { review: true }`, otherwise changes that their source may not
 * make on its own.
 */
export class Proposals {
  readonly #call: Caller;

  /** @internal Made by `memory.scope()`. */
  constructor(call: Caller) {
    this.#call = call;
  }

  /**
   * The waiting proposals, oldest first, at most 1000; empty when there are none.
   *
   * @example
   * ```ts
   * for (const { text, source } of await user.proposals.list()) console.log(text, source.map(({ quote }) => quote));
   * ```
   */
  list(options?: CallOptions): Promise<Proposal[]> {
    return this.#call("proposals.list", {}, options);
  }

  /**
   * Accepts proposals, in one commit.
   *
   * @throws ConflictError when an item that one would change has changed since; then none is accepted.
   * @throws NotFoundError when one is no longer waiting.
   *
   * @example
   * ```ts
   * const [first] = await user.proposals.list();
   * if (first) await user.proposals.accept(first.id);
   * ```
   */
  accept(ids: string | readonly string[], options?: CallOptions): Promise<Action[]> {
    return this.#call("proposals.accept", { ids: typeof ids === "string" ? [ids] : ids }, options);
  }

  /**
   * Rejects proposals; the same change is not proposed again.
   *
   * @throws NotFoundError when one is no longer waiting.
   *
   * @example
   * ```ts
   * const waiting = await user.proposals.list();
   * const unwanted = waiting.filter(({ text }) => text.includes("Lisbon")).map(({ id }) => id);
   * if (unwanted.length > 0) await user.proposals.reject(unwanted);
   * ```
   */
  reject(ids: string | readonly string[], options?: CallOptions): Promise<Action[]> {
    return this.#call("proposals.reject", { ids: typeof ids === "string" ? [ids] : ids }, options);
  }
}
