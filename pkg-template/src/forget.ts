/** What to forget, and the receipt. */
import type { ItemKind } from "./items.js";
import type { CallOptions, Filter, Time } from "./types.js";

/** What to forget: exactly one of these. */
export type ForgetSelector =
  /** These records, of any kind, also messages; at most 10 000. */
  | { readonly ids: readonly string[] }
  /** A conversation. */
  | { readonly threadId: string }
  /** What was said or stored from `from` on and before `to`; without one of them, from the beginning or until now. */
  | { readonly from: Time; readonly to?: Time | undefined }
  | { readonly from?: Time | undefined; readonly to: Time }
  /** The items that match; `{}` matches all. */
  | { readonly filter: Filter; readonly kinds?: readonly ItemKind[] | undefined }
  /** Everything in this scope, and the scope's own name. */
  | { readonly scope: true }
  /** What has to do with these words. It is only found: forget the ids that the user says yes to. */
  | { readonly query: string };

/** How to forget. */
export interface ForgetOptions extends CallOptions {
  /** Whether only to report what would go. Default: false; a query never does more. */
  readonly preview?: boolean | undefined;
  /** How many records a preview or a query lists, 1 to 1000. Default: 100. */
  readonly limit?: number | undefined;
}

/** The kinds of records that can be forgotten. */
export type ForgottenKind = ItemKind | "message" | "proposal" | "page" | "segment" | "task";

/** A record that would go. */
export interface ForgottenRecord {
  id: string;
  kind: ForgottenKind;
  /** What it says; empty when it has no words. */
  text: string;
  /** Of a message: its conversation. */
  threadId?: string;
  /** When it was said, or first stored. */
  createdAt: number;
}

/** The receipt of `forget`: what went, by kind, and nothing of what it said. */
export interface Forgotten {
  /** How many records of each kind went; after `preview`, would go; after a query, none. */
  forgotten: Partial<Record<ForgottenKind, number>>;
  /** How many records of each kind were made anew without them, or lost their history. */
  rewritten: Partial<Record<ForgottenKind, number>>;
  /** The commit that stays as the receipt; absent when nothing was forgotten. */
  commitId?: string;
  /** When it was made; absent when nothing was forgotten. */
  at?: number;
  /** How many commits it took: more than one only when very much had to be made anew. */
  commits: number;
  /** After a query, what was found, best first; after `preview`, what would go. Absent otherwise. */
  found?: ForgottenRecord[];
}
