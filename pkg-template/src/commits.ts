/** The commits of a scope: what happened, in words, and whether it can be undone. */
import type { Caller } from "./caller.js";
import type { ItemKind } from "./items.js";
import type { CallOptions, Cause } from "./types.js";

/** What a commit did to records of one kind. */
export interface CommitChange {
  kind: ItemKind | "message" | "proposal" | "page";
  action: "created" | "updated" | "deleted";
  count: number;
  /** Which; the first 100. */
  ids: string[];
}

/** A commit. It quotes nothing of what it changed. */
export interface Commit {
  /** For `undo`. */
  commitId: string;
  cause: Cause;
  at: number;
  /** What it did, in English, such as `"You deleted a fact"`. For other languages, use `cause` and `changes`. */
  summary: string;
  changes: CommitChange[];
  /** Whether `undo` would succeed now. */
  undoable: boolean;
  /**
   * Why it cannot be undone; absent when it can. It was already undone (`"undone"`), what it changed has since changed again
   * (`"changed"`), the state before it was forgotten or is older than the history that is kept (`"forgotten"`), or there is nothing
   * to undo (`"nothing"`).
   */
  obstacle?: "undone" | "changed" | "forgotten" | "nothing";
  /** The commit that undid it; absent when it was not undone. */
  undoneBy?: string;
}

/** Which commits to list. */
export interface CommitListOptions extends CallOptions {
  /** Default: all. */
  readonly causes?: readonly Cause[] | undefined;
  /** Only those before this commit, such as the last one of the previous page. Default: from the newest. */
  readonly before?: string | undefined;
  /** At most this many, 1 to 1000. Default: 100. */
  readonly limit?: number | undefined;
}

/** The commits of a scope. */
export class Commits {
  readonly #call: Caller;

  /** @internal Made by `memory.scope()`. */
  constructor(call: Caller) {
    this.#call = call;
  }

  /**
   * Commits, newest first; empty when there are none. Internal commits are left out: vectors, accesses, waiting work, and what
   * background work sorts and summarises.
   *
   * @throws NotFoundError when `before` is not a commit of this scope.
   *
   * @example
   * ```ts
   * await user.facts.add("Alice lives in Lisbon");
   * const [last] = await user.commits.list({ causes: ["user", "extract"], limit: 1 });
   * if (last?.undoable) {
   *   console.log(last.summary); // You added a fact
   *   await user.undo(last.commitId);
   * }
   * ```
   */
  list(options?: CommitListOptions): Promise<Commit[]> {
    return this.#call("commits.list", {}, options);
  }
}
