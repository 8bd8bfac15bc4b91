/** The documents of one scope: JSON objects under namespaces and keys. */
import type { Caller } from "./caller.js";
import type { Action, CallOptions, MatchOptions, PageOptions, ScoreTerms } from "./types.js";

/** The content of a document. A `Date` inside is kept as an ISO 8601 string. */
export interface DocumentValue {
  readonly [property: string]: unknown;
}

/** A stored document: a copy that you may change. */
export interface Document {
  /** Its id, for `history` and `explain`. */
  id: string;
  namespace: string[];
  key: string;
  value: Record<string, unknown>;
  createdAt: number;
  /** When it was last put; reading does not change it. */
  updatedAt: number;
  /** Absent when it is kept for ever. */
  expiresAt?: number;
}

/** A document that was found. */
export interface FoundDocument extends Document {
  /** From 0 to 1, higher is better; comparable within one answer only. Absent without a query, and when it is not indexed. */
  score?: number;
  /** How surely it is about what is asked, from 0 to 1, comparable between queries; absent where the score is. */
  relevance?: number;
  terms?: ScoreTerms;
}

/** How to put a document. */
export interface PutOptions extends CallOptions {
  /**
   * Which parts are searched by words and meaning: paths such as `"a.b"`, `"list[*].x"`, `"list[0]"`, `"list[-1]"`, and `"$"` for
   * all of it; `false` for none. Default: `documents.index` of `openMemory`.
   */
  readonly index?: readonly string[] | false | undefined;
  /** How many minutes it is kept, counted from now and again from each read that refreshes it; `false` means for ever. Default: `documents.ttlMinutes` of `openMemory`. */
  readonly ttlMinutes?: number | false | undefined;
}

/** How to get a document. */
export interface GetOptions extends CallOptions {
  /** Whether reading restarts the lifetime once a tenth of it has passed. Default: `documents.refreshOnRead` of `openMemory`. */
  readonly refreshTtl?: boolean | undefined;
}

/** How to search documents. */
export interface DocumentSearchOptions extends GetOptions, MatchOptions {
  /**
   * Words to rank by. Documents that are not indexed come last, without a score. Default: none; documents come in the order in
   * which they were first put.
   */
  readonly query?: string | undefined;
  /**
   * Leaves out indexed documents of less relevance, 0 to 1; 0 ranks all of them, each with its raw scores. Default: 0.03, which
   * leaves out what is unrelated.
   */
  readonly threshold?: number | undefined;
  /** How many to skip. Default: 0. */
  readonly offset?: number | undefined;
}

/** How to list namespaces. */
export interface NamespaceOptions extends CallOptions, PageOptions {
  /** Only those that begin with these labels; `"*"` matches any one label. Default: all. */
  readonly prefix?: readonly string[] | undefined;
  /** Only those that end with these labels; `"*"` matches any one label. Default: all. */
  readonly suffix?: readonly string[] | undefined;
  /** Cuts longer namespaces to this many labels, at least 1, and lists each once. Default: not cut. */
  readonly maxDepth?: number | undefined;
}

interface Place {
  readonly namespace: readonly string[];
  readonly key: string;
}

/** What an operation of a batch takes of the options of a method: a signal is for the batch. */
type Without<Options extends CallOptions> = Omit<Options, keyof CallOptions>;

/** One operation of a batch, with the options of the method of its name. */
export type DocumentOperation =
  | ({ readonly op: "put"; readonly value: DocumentValue } & Place & Without<PutOptions>)
  | ({ readonly op: "get" } & Place & Without<GetOptions>)
  | ({ readonly op: "delete" } & Place)
  | ({ readonly op: "search"; readonly prefix?: readonly string[] | undefined } & Without<DocumentSearchOptions>)
  | ({ readonly op: "listNamespaces" } & Without<NamespaceOptions>);

/** The result of an operation in a batch. */
export type DocumentOutcome<Operation extends DocumentOperation = DocumentOperation> = Operation extends { readonly op: "put" }
  ? Action | null
  : Operation extends { readonly op: "get" }
    ? Document | null
    : Operation extends { readonly op: "delete" }
      ? Action | null
      : Operation extends { readonly op: "search" }
        ? FoundDocument[]
        : string[][];

/**
 * The documents of a scope. A namespace is a list of at least one label. No label is empty or contains a full stop, and the first is not
 * `"langgraph"`. Namespace and key have at most 1024 bytes together, a value at most 400 KiB of JSON.
 */
export class Documents {
  readonly #call: Caller;

  /** @internal Made by `memory.scope()`. */
  constructor(call: Caller) {
    this.#call = call;
  }

  /**
   * Stores a document, replacing the one with the same namespace and key. The same value with the same index changes nothing: the action
   * is then `"unchanged"`.
   *
   * @throws InvalidInputError when namespace, key, value or an option is invalid.
   *
   * @example
   * ```ts
   * await user.documents.put(["recipes", "soups"], "miso", { title: "Miso soup", minutes: 15, tags: ["quick"] });
   * await user.documents.put(["session"], "draft", { text: "Dear ..." }, { index: false, ttlMinutes: 60 });
   * ```
   */
  put(namespace: readonly string[], key: string, value: DocumentValue, options?: PutOptions): Promise<Action> {
    return this.#call("documents.put", { namespace, key, value }, options);
  }

  /**
   * A document; null when there is none or it has expired.
   *
   * @example
   * ```ts
   * await user.documents.put(["recipes"], "miso", { minutes: 15 });
   * const recipe = await user.documents.get(["recipes"], "miso");
   * console.log(recipe?.value["minutes"]); // 15
   * ```
   */
  get(namespace: readonly string[], key: string, options?: GetOptions): Promise<Document | null> {
    return this.#call("documents.get", { namespace, key }, options);
  }

  /**
   * Deletes a document; null when there is none. Its revisions stay in its history.
   *
   * @example
   * ```ts
   * await user.documents.put(["recipes"], "miso", { minutes: 15 });
   * await user.documents.delete(["recipes"], "miso");
   * console.log(await user.documents.get(["recipes"], "miso")); // null
   * ```
   */
  delete(namespace: readonly string[], key: string, options?: CallOptions): Promise<Action | null> {
    return this.#call("documents.delete", { namespace, key }, options);
  }

  /**
   * Documents of a namespace and of all namespaces below it. Labels match as a whole: `["a"]` never matches `["ab"]`, and `[]` matches
   * all. Empty when none match.
   *
   * @example
   * ```ts
   * await user.documents.put(["recipes", "soups"], "miso", { title: "Miso soup", minutes: 15 });
   * await user.documents.put(["recipes", "cakes"], "lemon", { title: "Lemon cake", minutes: 70 });
   * const quick = await user.documents.search(["recipes"], { query: "warm soup", filter: { minutes: { $lte: 30 } } });
   * console.log(quick[0]?.key, quick[0]?.score);
   * ```
   */
  search(prefix: readonly string[], options?: DocumentSearchOptions): Promise<FoundDocument[]> {
    return this.#call("documents.search", { prefix }, options);
  }

  /**
   * The namespaces that hold documents, sorted label by label; empty when none do.
   *
   * @example
   * ```ts
   * await user.documents.put(["recipes", "soups"], "miso", { minutes: 15 });
   * console.log(await user.documents.listNamespaces({ prefix: ["*", "soups"] })); // [["recipes", "soups"]]
   * ```
   */
  listNamespaces(options?: NamespaceOptions): Promise<string[][]> {
    return this.#call("documents.listNamespaces", {}, options);
  }

  /**
   * Carries out up to 1000 operations in order in one commit: all of them or none. Each sees what the earlier ones did, except that
   * new text is indexed with the commit. Several puts and deletes of one key all return its final outcome; null when there is
   * nothing, as before.
   *
   * @throws InvalidInputError when an operation is malformed, or all of them exceed 16 MiB together as stored, including their keys and
   *   searched words; then nothing was changed.
   *
   * @example
   * ```ts
   * const [, soups] = await user.documents.batch([
   *   { op: "put", namespace: ["recipes", "soups"], key: "miso", value: { minutes: 15 } },
   *   { op: "search", prefix: ["recipes"] },
   *   { op: "delete", namespace: ["recipes", "soups"], key: "leek" },
   * ]);
   * console.log(soups.length); // 1
   * ```
   */
  batch<const Operations extends readonly DocumentOperation[]>(
    operations: Operations,
    options?: CallOptions,
  ): Promise<{ -readonly [Place in keyof Operations]: DocumentOutcome<Operations[Place]> }> {
    return this.#call("documents.batch", { operations }, options);
  }
}
