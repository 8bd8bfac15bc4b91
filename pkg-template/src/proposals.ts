/** What was learned and waits for the user's yes. */
import type { Caller } from "./caller.js";
import type { Action, CallOptions, Kind, Source } from "./types.js";

/** One change of a proposal. */
export interface ProposedChange {
  /** `"end"`: it was true until now. */
  action: "create" | "update" | "end" | "delete";
  /** The item it changes, or will be. */
  id: string;
  kind: Kind;
  /** What it says now, in words; absent for a new one. */
  before?: string;
  /** What it would say; absent when it ends or goes. */
  after?: string;
}

/** Something learned in review mode. */
export interface Proposal {
  id: string;
  /** What would change, in words. */
  text: string;
  /** All of them are accepted, or none. */
  changes: ProposedChange[];
  createdAt: number;
  source: Source[];
}

/** The proposals of a scope; there are some only in a memory opened with `extraction: { review: true }`. */
export class Proposals {
  readonly #call: Caller;

  /** @internal Made by `memory.scope()`. */
  constructor(call: Caller) {
    this.#call = call;
  }

  /**
   * What waits, oldest first, at most 1000; empty when nothing does.
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
   * Carries proposals out, in one commit.
   *
   * @throws ConflictError when what one would change has changed since; then none is carried out.
   * @throws NotFoundError when one does not wait any more.
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
   * Says no to proposals; the same is not proposed again.
   *
   * @throws NotFoundError when one does not wait any more.
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
