/** What to forget, and the receipt. */
import type { ItemKind } from "./items.js";
import type { CallOptions, Filter, Kind, Time } from "./types.js";

/** What to forget: exactly one of the following. */
export type ForgetSelector =
  /** Records of any kind, including messages, by their ids; at most 10 000. */
  | { readonly ids: readonly string[] }
  /** A conversation. */
  | { readonly threadId: string }
  /** Everything said or stored from `from` up to (not including) `to`; without one of them, from the beginning or until now. */
  | { readonly from: Time; readonly to?: Time | undefined }
  | { readonly from?: Time | undefined; readonly to: Time }
  /** The items that match; `{}` matches all. */
  | { readonly filter: Filter; readonly kinds?: readonly ItemKind[] | undefined }
  /** Everything in this scope, and the scope's own name. */
  | { readonly scope: true }
  /** What is related to these words. It is only listed: pass the ids the user confirms to a second call. */
  | { readonly query: string };

/** How to forget. */
export interface ForgetOptions extends CallOptions {
  /** Whether only to report what would be forgotten. Default: false; a query never does more. */
  readonly preview?: boolean | undefined;
  /** How many records a preview or a query lists, 1 to 1000. Default: 100. */
  readonly limit?: number | undefined;
}

/** The kinds of records that can be forgotten. */
export type ForgottenKind = Kind | "task";

/** A record that would be forgotten. */
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

/** The receipt of `forget`: how much was forgotten, by kind, without its content. */
export interface Forgotten {
  /** How many records of each kind were forgotten; after `preview`, would be; after a query, none. */
  forgotten: Partial<Record<ForgottenKind, number>>;
  /** How many records of each kind were rewritten without the forgotten parts, or lost their history. */
  rewritten: Partial<Record<ForgottenKind, number>>;
  /** The commit that stays as the receipt; absent when nothing was forgotten. */
  commitId?: string;
  /** When it was made; absent when nothing was forgotten. */
  at?: number;
  /** How many commits it took: more than one only when a great deal had to be rewritten. */
  commits: number;
  /** After a query, what was found, best first; after `preview`, what would be forgotten. Absent otherwise. */
  found?: ForgottenRecord[];
}
