/** Threads and their summaries. */
import type { Source } from "./source.js";

/** One thread of a scope. */
export interface Thread {
  threadId: string;
  /** How many messages it has. */
  messages: number;
  firstAt: number;
  lastAt: number;
}

/** A summary of a thread, a week or a month. */
export interface Summary {
  /** Its id, for `history` and `explain`. */
  id: string;
  level: "thread" | "week" | "month";
  /** The thread; absent for weeks and months. */
  threadId?: string;
  /** When the week (Monday, UTC) or the month began; absent for threads. */
  period?: number;
  text: string;
  /** The tokens of the text. */
  tokens: number;
  /** How many messages it covers; for a thread, these are the first ones. */
  messages: number;
  /** When the first and the last of them were said. */
  from: number;
  to: number;
  updatedAt: number;
  revision: number;
  /** The last message it covers; absent for weeks and months. */
  upToMessage?: string;
  /** The messages that this revision added; earlier revisions name the others. Empty for weeks and months. */
  source: Source[];
}
