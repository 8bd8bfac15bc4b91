/** What every call takes. */

/** A time in an argument: milliseconds since 1970 UTC, or a `Date`. */
export type Time = number | Date;

/** The options of every asynchronous call. */
export interface CallOptions {
  /**
   * Aborts the call. Before it starts, nothing happens. Later, the promise rejects with `AbortedError`, and the engine may still finish
   * what it began; what is durable stays.
   */
  readonly signal?: AbortSignal | undefined;
}

/** Which part of a list is wanted. */
export interface PageOptions {
  /** At most this many, 1 to 1000. Default: 100. */
  readonly limit?: number | undefined;
  /** How many to skip, in the order of the list. Default: 0. */
  readonly offset?: number | undefined;
}

/** What a search finds. */
export interface MatchOptions {
  /** At most this many, 1 to 1000. Default: 10. */
  readonly limit?: number | undefined;
  readonly filter?: Filter | undefined;
  /** Leaves out what has less relevance, 0 to 1. Default: 0.03, which leaves out what is unrelated. */
  readonly threshold?: number | undefined;
}

/** Whether a search waits for vectors. */
export interface AwaitOptions {
  /**
   * First gives all that waits for its vector one, so that a search by meaning sees what was just written; your embedder may take its
   * time. If it fails, words are used and listeners are told. Default: false. With the built-in embedder it is not needed.
   */
  readonly await?: boolean | undefined;
}

/** Options of calls that delete or correct what was learned. */
export interface KeepSourceOptions extends CallOptions {
  /**
   * Whether recall, searches, prompts, summaries and learning go on reading the words it was learned from. Default: false, which
   * withholds them; they stay in their thread to be read.
   */
  readonly keepSource?: boolean | undefined;
}

/** Names a scope, such as a user: 1 to 5 pairs of non-empty strings without `*`; order does not matter. */
export interface ScopePairs {
  readonly [key: string]: string;
}

/** Data of the app, stored with an item. A `Date` inside becomes an ISO 8601 string. */
export interface Metadata {
  readonly [key: string]: unknown;
}

/**
 * A condition on items: `{ category: "goal" }` is short for `{ category: { $eq: "goal" } }`.
 *
 * Operators are `$eq $ne $gt $gte $lt $lte $in $nin $exists`, combined by `$and $or $not`. Paths are dotted
 * (`"metadata.project"`); a full stop that belongs to a name has a backslash before it (`"a\\.b"`). ISO dates compare as dates, also with times in milliseconds.
 */
export interface Filter {
  readonly [pathOrOperator: string]: unknown;
}
