/** What a call did to items. */
import type { ItemKind } from "../items.js";

/** The kinds of records. */
export type Kind = ItemKind | "message" | "proposal" | "page" | "segment";

/** What a call did to one item. */
export interface Action {
  /** `"unchanged"` when the item already had that content; then there was no commit. */
  action: "created" | "updated" | "deleted" | "unchanged";
  id: string;
  kind: Kind;
  revision: number;
  /** Absent when the item is new or unchanged. */
  previousRevision?: number;
  /** For `undo`; absent when the item is unchanged. */
  commitId?: string;
  /** The kinds of secrets that were masked in it; absent when there were none. */
  masked?: SecretKind[];
  /**
   * The ids of the messages of which some words are now withheld: those it was learned from, and replies to them. Absent when there
   * are none.
   */
  withheld?: string[];
  /** Other items that were learned from the same words and said the same. Absent when there are none. */
  twins?: Twin[];
}

/** A fact or a profile field that was learned from the words of one that was changed or deleted, and said the same. */
export interface Twin {
  id: string;
  kind: Kind;
  /**
   * `"unchanged"`: it keeps its old value, because it is pinned, has other sources too, or because no new value follows from the
   * edit.
   */
  action: "deleted" | "updated" | "unchanged";
}

/** A kind of secret that `guard` looks for. */
export type SecretKind = "key" | "privateKey" | "card" | "password" | "iban" | "nationalId";

/** That an item of a call held a secret. */
export interface Masked {
  /** The place of the item in the call, from 0. */
  index: number;
  kind: SecretKind;
}

/** What `undo` did. */
export interface Undone {
  /** The commit of the undo, which can be undone too. Absent when there was nothing left to undo. */
  commitId?: string;
  changes: Action[];
}
