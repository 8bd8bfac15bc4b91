/** Everything that is remembered in one scope, of every kind. */
import type { Caller } from "./caller.js";
import { record } from "./plain.js";
import type { Action, CallOptions, Filter, KeepSourceOptions, Metadata, Origin, PageOptions, Source, Time, Trust } from "./types.js";

/** The kinds of items. */
export type ItemKind =
  | "fact"
  | "field"
  | "entity"
  | "relation"
  | "document"
  | "instruction"
  | "episode"
  | "summary"
  | "trait"
  | "block"
  | "passage";

/** Something that is remembered: the same shape for every kind. */
export interface Item {
  id: string;
  kind: ItemKind;
  /** What it says, in words. */
  text: string;
  /** The value of a field; for other items, what is stored in addition to the text. Absent when there is nothing. */
  value?: unknown;
  /** Its name among those of its kind, such as `<schema>/<field>` or the name of an instruction; absent when it has none. */
  key?: string;
  /** Whether learning and tools leave it as it is. */
  pinned: boolean;
  /** How much it matters, 1 to 10; 0 when unknown. */
  significance: number;
  metadata: Record<string, unknown>;
  createdAt: number;
  updatedAt: number;
  /** Since when it is true. */
  validFrom: number;
  /** Until when it was true; absent while it holds. */
  validTo?: number;
  /** Absent when it is kept for ever. */
  expiresAt?: number;
  revision: number;
  /** Who wrote it; absent when unknown. */
  origin?: Origin;
  /** The trust of its least trusted source. */
  trust: Trust;
  /** Empty when it comes from no message. */
  source: Source[];
}

/** Which items to list. */
export interface ItemListOptions extends CallOptions, PageOptions {
  /** Default: all. */
  readonly kinds?: readonly ItemKind[] | undefined;
  readonly filter?: Filter | undefined;
  /** Whether to list what is no longer true, or not yet. Default: false. */
  readonly includeEnded?: boolean | undefined;
}

/** What `items.edit` may change; what is left out stays. */
export interface ItemChanges {
  /** The text of a fact or instruction; for other kinds it follows from the rest. */
  readonly text?: string | undefined;
  /** The value of a field, or `{ situation, approach, outcome }` of an episode. */
  readonly value?: unknown;
  /** 1 to 10. */
  readonly significance?: number | undefined;
  /** Takes the place of the old metadata. */
  readonly metadata?: Metadata | undefined;
  /** When it is deleted; `null` for never. */
  readonly expiresAt?: Time | null | undefined;
}

/** What to purge. */
export interface PurgeOptions extends KeepSourceOptions {
  /** Default: all. */
  readonly kinds?: readonly ItemKind[] | undefined;
  /** `{}` matches everything. */
  readonly filter: Filter;
  /** Whether to delete. Default: false, which only reports what would be deleted. */
  readonly force?: boolean | undefined;
}

/** What was purged, or would be. */
export interface Purged {
  count: number;
  purged: boolean;
  /** Which items match, those of one kind the oldest first. */
  ids: string[];
  /** The ids of messages of which words are withheld since. Absent when there are none. */
  withheld?: string[];
}

/** The items of a scope: one way to see and change all that is remembered. */
export class Items {
  readonly #call: Caller;

  /** @internal Made by `memory.scope()`. */
  constructor(call: Caller) {
    this.#call = call;
  }

  /**
   * Items of all kinds, newest first; empty when none match.
   *
   * @example
   * ```ts
   * await user.facts.add("Alice lives in Lisbon");
   * for (const { kind, text, pinned } of await user.items.list({ kinds: ["fact", "field"], limit: 20 })) {
   *   console.log(kind, text, pinned);
   * }
   * ```
   */
  list(options?: ItemListOptions): Promise<Item[]> {
    return this.#call("items.list", {}, options);
  }

  /**
   * The item with an id; null when this scope has none.
   *
   * @example
   * ```ts
   * const { id } = await user.facts.add("Alice lives in Lisbon");
   * console.log((await user.items.get(id))?.text);
   * ```
   */
  get(id: string, options?: CallOptions): Promise<Item | null> {
    return this.#call("items.get", { id }, options);
  }

  /**
   * Changes an item; what is left out stays, and earlier revisions stay in the history. The words that an old text or value was
   * learned from are withheld.
   *
   * @throws NotFoundError when this scope has no such item.
   * @throws SchemaViolationError when the value of a field does not validate; then nothing was changed.
   * @throws InvalidInputError when the item has no such part, or another method changes it; the message names that method.
   *
   * @example
   * ```ts
   * const { id } = await user.facts.add("Alice lives in Lisbon");
   * await user.items.edit(id, { text: "Alice lives in Porto", significance: 7 });
   * ```
   */
  async edit(id: string, changes: ItemChanges, options?: KeepSourceOptions): Promise<Action> {
    return this.#call("items.edit", { ...record(changes, "changes"), id }, options);
  }

  /**
   * Deletes an item, and an entity together with its relations; revisions stay in the history. The words it was learned from are
   * withheld.
   *
   * @throws NotFoundError when this scope has no such item.
   *
   * @example
   * ```ts
   * const { id } = await user.facts.add("Alice lives in Lisbon");
   * const { commitId } = await user.items.delete(id);
   * if (commitId) await user.undo(commitId); // it is back
   * ```
   */
  delete(id: string, options?: KeepSourceOptions): Promise<Action> {
    return this.#call("items.delete", { id }, options);
  }

  /**
   * Pins an item: learning neither changes nor ends it, and recall lists it first of its kind. `false` unpins it.
   *
   * @throws NotFoundError when this scope has no such item.
   *
   * @example
   * ```ts
   * const { id } = await user.facts.add("Alice is allergic to nuts");
   * await user.items.pin(id);
   * ```
   */
  pin(id: string, pinned = true, options?: CallOptions): Promise<Action> {
    return this.#call("items.pin", { id, pinned }, options);
  }

  /**
   * Deletes every item that matches, also pinned ones; without `force` it only reports which. Some hundreds are deleted per commit.
   *
   * @example
   * ```ts
   * const old = { kinds: ["fact"], filter: { createdAt: { $lt: "2020-01-01" } } } as const;
   * const { count } = await user.items.purge(old);
   * if (count < 100) await user.items.purge({ ...old, force: true });
   * ```
   */
  purge(options: PurgeOptions): Promise<Purged> {
    return this.#call("items.purge", {}, options);
  }
}
