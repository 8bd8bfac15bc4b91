/** The versions of an item, and why it is as it is. */
import type { Kind } from "./action.js";
import type { Role } from "./message.js";
import type { Origin, Source } from "./source.js";

/** Why a commit was made. */
export type Cause = "remember" | "extract" | "user" | "undo" | "embed" | "expire" | "access" | "tool" | "forget";

/** One version of an item, with its cause. */
export interface Revision {
  revision: number;
  at: number;
  commitId: string;
  cause: Cause;
  /** Whether this version deletes the item; then it has no content. */
  deleted: boolean;
  /** The value of a field; for other items, what is stored in addition to the text. Absent when deleted. */
  value?: unknown;
  /** The words of a fact or message. */
  text?: string;
  /** What the conversation alone said, if the value merges that with the earlier one; fields only. */
  extracted?: unknown;
  /** What was said that led to it; fields only. */
  context?: string;
  /** The labels of this revision; absent when it has none. */
  labels?: Labels;
  /** Whether it was pinned; absent when deleted. */
  pinned?: boolean;
  /** When it was to expire; absent when it was kept for ever. */
  expiresAt?: number;
  /** Since when it was true; absent when deleted. */
  validFrom?: number;
  /** Until when it was true; absent while it holds. */
  validTo?: number;
  source: Source[];
}

/** Labels of a revision: up to 16 short texts by name. */
export interface Labels {
  readonly [name: string]: string;
}

/** The difference between two revisions of a field. */
export interface Difference {
  before: unknown;
  after: unknown;
  /** The smallest parts that differ; empty when the values are equal. */
  changes: Array<{
    /** JSON Pointer to the part; empty for the whole value. */
    path: string;
    /** Absent when nothing was there. */
    before?: unknown;
    /** Absent when nothing is there. */
    after?: unknown;
  }>;
}

/** Where an item comes from. */
export interface Explanation {
  id: string;
  kind: Kind;
  text: string;
  revision: number;
  cause: Cause;
  commitId: string;
  at: number;
  /** Absent for messages. */
  origin?: Origin;
  /** What was said that led to it; fields only. */
  context?: string;
  /** The words it was learned from, with their messages if they are still stored. */
  source: Array<Source & { role?: Role; message?: string; createdAt?: number }>;
}
