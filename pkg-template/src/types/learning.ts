/** Remembering and learning: how, and what came of it. */
import type { Item } from "../items.js";
import type { Topic } from "../options.js";
import type { Masked } from "./action.js";
import type { CallOptions, Metadata } from "./call.js";
import type { GivenMessage } from "./message.js";
import type { Labels } from "./revision.js";
import type { ModelUsage } from "./usage.js";

/** Options of `remember`. */
export interface RememberOptions extends CallOptions {
  /** The conversation the messages belong to. Default: `"default"`. */
  readonly threadId?: string | undefined;
  /** Whether to learn from the messages. Default: true. */
  readonly learn?: boolean | undefined;
}

/** A fact to add without looking for it in a conversation. */
export interface GivenFact {
  readonly text: string;
  /** The label of the topic it belongs to. */
  readonly topic?: string | undefined;
}

/** Options of `generate`. */
export interface GenerateOptions extends CallOptions {
  /** Messages to remember and learn from. A message whose id the thread already has replaces that one; an equal one is ignored. */
  readonly messages?: GivenMessage | readonly GivenMessage[] | undefined;
  /** The conversation the messages belong to. Default: `"default"`. */
  readonly threadId?: string | undefined;
  /** Up to 5 facts that are added, unless they are known, without looking for them in a conversation. */
  readonly facts?: ReadonlyArray<string | GivenFact> | undefined;
  /** Labels for the new revisions, at most 16. */
  readonly labels?: Labels | undefined;
  /** Metadata for what is learned. Default: none; existing metadata stays. */
  readonly metadata?: Metadata | undefined;
  /**
   * How existing metadata is treated: it is replaced (`"overwrite"`) or extended (`"merge"`). With `"require"`, only items with
   * exactly this metadata are updated: otherwise a new fact is added next to the known one, and a field is not changed. Default:
   * `"overwrite"`.
   */
  readonly metadataMerge?: "overwrite" | "merge" | "require" | undefined;
  /** The lifetime of what is learned; what is updated is kept at least this much longer. Default: `extraction.ttl`. */
  readonly ttlMs?: number | undefined;
  /**
   * Whether new facts and values are merged with known ones. When false, facts are only added, and field values are replaced.
   * Default: true.
   */
  readonly consolidate?: boolean | undefined;
  /** What to learn about. Default: whatever matters. */
  readonly topics?: readonly Topic[] | undefined;
  /** Who speaks for themselves in these messages. Default: `extraction.participants`. */
  readonly participants?: readonly string[] | undefined;
}

/** Options of `flush`. */
export interface FlushOptions extends CallOptions {
  /** Only messages of this conversation. Default: all. */
  readonly threadId?: string | undefined;
}

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
