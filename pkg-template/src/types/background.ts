/** Work in the background, and what failed there. */
import type { ErrorCode } from "../errors.js";
import type { ScopePairs } from "./call.js";

/** One kind of work in the background, of a scope or of the whole memory. */
export interface BackgroundJob {
  /**
   * `learning` from messages, moves and distillation of `tiers`, `summaries`, `embedding`, `expiry` once after opening; `accesses`
   * and `visits` are recorded together from time to time.
   */
  kind: "learning" | "tiers" | "summaries" | "embedding" | "expiry" | "accesses" | "visits";
  /** Missing for work on the whole memory. */
  scope?: ScopePairs;
  /** How much waits: batches of messages, texts, accesses; 1 where it is not counted. */
  waiting: number;
  /** Whether it may be done now. With `extraction.auto: false`, learning and tiers still wait for a call that does it. */
  due: boolean;
  running: boolean;
  /** When it is due, or is retried; missing when it is due now or waits for more. */
  nextAt?: number;
  /** Failures in a row since it last succeeded or the memory was opened. */
  failures: number;
  /** The last failure. */
  error?: Failure;
}

/** The background work that is left when none can continue now. */
export interface Idle {
  /** Tasks that wait for more messages, as `extraction.trigger` says, or for a model that failed. */
  pending: number;
  /** What failed in the background and is retried; empty when nothing did. */
  failed: Array<{
    kind: BackgroundJob["kind"];
    /** Missing for work on the whole memory. */
    scope?: ScopePairs;
    /** For learning: the thread whose messages wait. */
    threadId?: string;
    attempts: number;
    /** When it is retried, if the memory is open then. */
    retryAt: number;
    error: Failure;
  }>;
}

/** A failure that could not reject a promise. */
export interface Failure {
  /** The code that the error would have. */
  code: ErrorCode;
  message: string;
  /** Particulars for machines; absent when there are none. */
  details?: Record<string, unknown>;
}
