/** What was remembered and learned. */
import type { Item } from "../items.js";
import type { Masked } from "./action.js";
import type { ModelUsage } from "./usage.js";

/** What `remember` did. */
export interface Remembered {
  threadId: string;
  /** One id per message, in order. */
  messageIds: string[];
  /** For `undo`; absent when every message was known already. */
  commitId?: string;
  /** The secrets that were masked in messages; absent when there were none. */
  masked?: Masked[];
}

/** One change made by learning. */
export interface LearnedChange {
  action: "created" | "updated" | "deleted";
  /** The item as it is now, or as it was before it was deleted. */
  record: Item;
  /** Absent when it is new. */
  previousRevision?: number;
}

/** What a call learned. */
export interface Taught {
  /** Empty when there was nothing to learn, and with `review`, where changes wait in `proposals`. */
  changes: LearnedChange[];
  /** The model requests it took. */
  usage: ModelUsage;
}

/** What `generate` did. */
export interface Generated extends Remembered, Taught {}
