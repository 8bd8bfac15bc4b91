/** What a memory has used and holds. */

/** Model calls and their cost. */
export interface ModelUsage {
  calls: number;
  /** Sent, as reported by the model or estimated. */
  inputTokens: number;
  /** Received, as reported by the model or estimated. */
  outputTokens: number;
  /** Requests that failed or timed out, and answers that could not be used. */ failures: number;
}

/** What a memory has used since it was opened, and what it holds. */
export interface Usage extends ModelUsage {
  byPurpose: { [purpose: string]: ModelUsage };
  records: number;
  scopes: number;
  commits: number;
  vectors: number;
  /** Items waiting for a vector; they are found by words until then. */
  unembedded: number;
  /** Waiting background tasks. */
  pending: number;
}

/** What `verify` found. */
export interface Verification {
  /** Whether nothing is damaged. */
  ok: boolean;
  /** The storage keys whose bytes are damaged; empty when none are. */
  damage: Array<{ key: string; message: string }>;
  commits: number;
  records: number;
  /** How many segments there are. */
  segments: number;
  /** How many commits are not folded yet. */
  tail: number;
}
