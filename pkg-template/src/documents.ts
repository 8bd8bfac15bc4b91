/** The documents of one scope: JSON objects under namespaces and keys. */
import { base64Bytes, base64Text } from "./base64.js";
import type { Caller } from "./caller.js";
import { areGone, isList, passes, reading, refused } from "./plain.js";
import type { Action, CallOptions, Filter, MatchOptions, PageOptions, ScoreTerms } from "./types.js";

/** The content of a document. A `Date` inside is kept as an ISO 8601 string. */
export interface DocumentValue {
  readonly [property: string]: unknown;
}

/** What is around the content of a document. */
export interface DocumentEntry {
  /** Its id, for `history` and `explain`. */
  id: string;
  namespace: string[];
  key: string;
  /** Counts from 1; for `ifRevision`. Also a read that restarts the lifetime makes a new one. */
  revision: number;
  /** How many bytes it has: of JSON, or those it was put as. */
  bytes: number;
  createdAt: number;
  /** When it was last put, in milliseconds; later with each commit that puts it. Reading does not change it. */
  updatedAt: number;
  /** Absent when it is kept for ever. */
  expiresAt?: number;
}

/** A stored document: a copy that you may change. */
export interface Document extends DocumentEntry {
  /** Empty when it was put as bytes. */
  value: Record<string, unknown>;
  /** The bytes, when it was put as bytes. */
  data?: Uint8Array<ArrayBuffer>;
}

/** A document that was found. */
export interface FoundDocument extends Document {
  /** From 0 to 1, higher is better; comparable within one answer only. Absent without a query, and when it is not indexed. */
  score?: number;
  /** How surely it is about what is asked, from 0 to 1, comparable between queries; absent where the score is. */
  relevance?: number;
  /** Whether it answers the query, as with other searches; absent where the score is. */
  known?: "yes" | "partly" | "no";
  terms?: ScoreTerms;
}

/** How to put a document. */
export interface PutOptions extends CallOptions {
  /**
   * Which parts are searched by words and meaning: paths such as `"a.b"`, `"list[*].x"`, `"list[0]"`, `"list[-1]"`, and `"$"` for
   * all of it; `false` for none. A full stop, bracket or backslash in a name has a backslash before it: `"a\\.b"`. What each path leads
   * to has a vector of its own, as has each item that `[*]` leads to, up to 100; the nearest to a query counts. Default:
   * `documents.index` of `openMemory`.
   */
  readonly index?: readonly string[] | false | undefined;
  /**
   * How many milliseconds it is kept, counted from now and again from each read that refreshes it; `false` means for ever. Default:
   * `documents.ttlMs` of `openMemory`.
   */
  readonly ttlMs?: number | false | undefined;
  /** Puts it only if the document has this revision; otherwise the call is rejected with `ConflictError`. Default: any. */
  readonly ifRevision?: number | undefined;
  /** Puts it only if there is no document there; otherwise the call is rejected with `ConflictError`. Default: false. */
  readonly ifAbsent?: boolean | undefined;
}

/** How to get a document. */
export interface GetOptions extends CallOptions {
  /** Whether reading restarts the lifetime once a tenth of it has passed. Default: `documents.refreshTtl` of `openMemory`. */
  readonly refreshTtl?: boolean | undefined;
}

/** How to delete a document. */
export interface DocumentDeleteOptions extends CallOptions {
  /** Does it only if the document has this revision; otherwise the call is rejected with `ConflictError`. Default: any. */
  readonly ifRevision?: number | undefined;
}

/** Where to move a document. */
export interface MoveDocumentOptions extends DocumentDeleteOptions {
  /** Default: the namespace it is in. */
  readonly toNamespace?: readonly string[] | undefined;
  /** Default: the key it has. */
  readonly toKey?: string | undefined;
}

/** A condition on a namespace. */
export interface NamespacePattern {
  /** It begins with these labels; `"*"` matches any one label. Default: any. */
  readonly prefix?: readonly string[] | undefined;
  /** It ends with these labels; `"*"` matches any one label. Default: any. */
  readonly suffix?: readonly string[] | undefined;
}

/** Which documents of a namespace and of those below it are meant, and in which order. */
export interface DocumentSelection extends CallOptions {
  /** How many labels below the given namespace to go; 0 for that namespace alone. Default: all. */
  readonly depth?: number | undefined;
  /** Only in namespaces that meet all of these conditions. Default: any. */
  readonly match?: readonly NamespacePattern[] | undefined;
  /** Only those whose key begins with this. Default: any. */
  readonly keyPrefix?: string | undefined;
  /**
   * A condition on what `list` returns: `id`, `namespace`, `key`, `revision`, `bytes`, `createdAt`, `updatedAt` and `expiresAt`.
   * Default: none.
   */
  readonly where?: Filter | undefined;
  /** A condition on the value. Default: none. */
  readonly filter?: Filter | undefined;
  /**
   * What to order by; of equals, the one that was stored first comes first, and last with `"desc"`. In one namespace (`depth: 0`),
   * `"key"` costs what is returned, however much there is. Default: the order in which they were stored first.
   */
  readonly orderBy?: "createdAt" | "updatedAt" | "key" | undefined;
  /** Default: `"asc"`. */
  readonly order?: "asc" | "desc" | undefined;
  /** Begins behind this key; with `orderBy: "key"`. Default: from the beginning. */
  readonly after?: string | undefined;
  /** How many to skip. Default: 0. */
  readonly offset?: number | undefined;
}

/** How to list documents. */
export interface DocumentListOptions extends DocumentSelection {
  /** At most this many, 1 to 1000. Default: 100. */
  readonly limit?: number | undefined;
}

/** How to delete many documents. */
export interface DeleteAllOptions extends DocumentSelection {
  /** At most this many. Default: all. */
  readonly limit?: number | undefined;
}

/** What `deleteAll` did. */
export interface DeletedDocuments {
  /** How many documents there were. */
  deleted: number;
  /** The commit that deleted them, for `undo`; absent when there were none. */
  commitId?: string;
}

/** How to search documents. */
export interface DocumentSearchOptions extends GetOptions, MatchOptions, DocumentSelection {
  /**
   * Words to rank by, instead of `orderBy` and `order`. Documents that are not indexed come last, without a score. Default: none.
   */
  readonly query?: string | undefined;
  /**
   * Leaves out indexed documents of less relevance, 0 to 1; 0 ranks all of them, each with its raw scores. Default: 0.03, which
   * leaves out what is unrelated.
   */
  readonly threshold?: number | undefined;
}

/** How to list namespaces. */
export interface NamespaceOptions extends CallOptions, PageOptions, NamespacePattern {
  /** Only those that meet all of these conditions as well. Default: any. */
  readonly match?: readonly NamespacePattern[] | undefined;
  /** Cuts longer namespaces to this many labels, at least 1, and lists each once. Default: not cut. */
  readonly maxDepth?: number | undefined;
}

interface Place {
  readonly namespace: readonly string[];
  readonly key: string;
}

interface Prefix {
  /** The first labels. Default: none, which is everything. */
  readonly prefix?: readonly string[] | undefined;
}

/** What an operation of a batch takes of the options of a method: a signal is for the batch. */
type Without<Options extends CallOptions> = Omit<Options, keyof CallOptions>;

/** One operation of a batch, with the options of the method of its name. */
export type DocumentOperation =
  | ({ readonly op: "put"; readonly value: DocumentValue | Uint8Array } & Place & Without<PutOptions>)
  | ({ readonly op: "get" } & Place & Without<GetOptions>)
  | ({ readonly op: "move" } & Place & Without<MoveDocumentOptions>)
  | ({ readonly op: "delete" } & Place & Without<DocumentDeleteOptions>)
  | ({ readonly op: "deleteAll"; readonly prefix: readonly string[] } & Without<DeleteAllOptions>)
  | ({ readonly op: "search" } & Prefix & Without<DocumentSearchOptions>)
  | ({ readonly op: "list" } & Prefix & Without<DocumentListOptions>)
  | ({ readonly op: "listNamespaces" } & Without<NamespaceOptions>);

/** The result of an operation in a batch. */
export type DocumentOutcome<Operation extends DocumentOperation = DocumentOperation> = Operation extends { readonly op: "put" | "move" }
  ? Action | null
  : Operation extends { readonly op: "get" }
    ? Document | null
    : Operation extends { readonly op: "delete" }
      ? Action | null
      : Operation extends { readonly op: "deleteAll" }
        ? DeletedDocuments
        : Operation extends { readonly op: "search" }
          ? FoundDocument[]
          : Operation extends { readonly op: "list" }
            ? DocumentEntry[]
            : string[][];

/**
 * The documents of a scope. A namespace is a list of at least one label. No label is empty, and the first is not `"langgraph"`. A
 * namespace has at most 4 KiB, a key 1024 bytes, a value 16 MiB of JSON, or 16 MiB of bytes.
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
   * @throws ConflictError when `ifRevision` or `ifAbsent` does not hold; its `details.revision` is the one there is.
   *
   * @example
   * ```ts
   * await user.documents.put(["recipes", "soups"], "miso", { title: "Miso soup", minutes: 15, tags: ["quick"] });
   * await user.documents.put(["session"], "draft", { text: "Dear ..." }, { index: false, ttlMs: 3_600_000 });
   * await user.documents.put(["images"], "dot", new Uint8Array([137, 80, 78, 71]));
   * ```
   */
  async put(namespace: readonly string[], key: string, value: DocumentValue | Uint8Array, options?: PutOptions): Promise<Action> {
    return this.#call("documents.put", sealed({ namespace, key, value }), options);
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
  async get(namespace: readonly string[], key: string, options?: GetOptions): Promise<Document | null> {
    return opened(await this.#call<Document | null>("documents.get", { namespace, key }, options));
  }

  /**
   * Gives a document another name, where no other document is; null when there is none to move. Its id, revisions and
   * `createdAt` go with it.
   *
   * @throws ConflictError when there is a document already, or `ifRevision` does not hold.
   *
   * @example
   * ```ts
   * await user.documents.put(["memories"], "draft.md", { text: "..." });
   * await user.documents.move(["memories"], "draft.md", { toNamespace: ["memories", "done"], toKey: "final.md" });
   * ```
   */
  move(namespace: readonly string[], key: string, options: MoveDocumentOptions): Promise<Action | null> {
    return this.#call("documents.move", { namespace, key }, options);
  }

  /**
   * Deletes a document; null when there is none. Its revisions stay in its history.
   *
   * @throws ConflictError when `ifRevision` does not hold.
   *
   * @example
   * ```ts
   * await user.documents.put(["recipes"], "miso", { minutes: 15 });
   * await user.documents.delete(["recipes"], "miso");
   * console.log(await user.documents.get(["recipes"], "miso")); // null
   * ```
   */
  delete(namespace: readonly string[], key: string, options?: DocumentDeleteOptions): Promise<Action | null> {
    return this.#call("documents.delete", { namespace, key }, options);
  }

  /**
   * Deletes the documents of a namespace and of all namespaces below it in one commit, or those of them that are selected; `[]` is
   * everything.
   *
   * @throws InvalidInputError also when `prefix` is undefined.
   *
   * @example
   * ```ts
   * for (const day of ["01", "02", "03", "04"]) await user.documents.put(["log"], day, { day });
   * const { deleted } = await user.documents.deleteAll(["log"], { orderBy: "key", order: "desc", offset: 3 }); // keeps the last 3
   * console.log(deleted); // 1
   * ```
   */
  deleteAll(prefix: readonly string[], options?: DeleteAllOptions): Promise<DeletedDocuments> {
    return this.#call("documents.deleteAll", { prefix }, options);
  }

  /**
   * The documents of a namespace and of all namespaces below it, without their values. Reading the list restarts no lifetime.
   *
   * @example
   * ```ts
   * for (const day of ["01", "02", "03", "04"]) await user.documents.put(["log"], day, { day });
   * const latest = await user.documents.list(["log"], { depth: 0, orderBy: "key", order: "desc", limit: 2 });
   * console.log(latest.map(({ key }) => key)); // ["04", "03"]
   * ```
   */
  list(prefix: readonly string[], options?: DocumentListOptions): Promise<DocumentEntry[]> {
    return this.#call("documents.list", { prefix }, options);
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
  async search(prefix: readonly string[], options?: DocumentSearchOptions): Promise<FoundDocument[]> {
    return opened(await this.#call<FoundDocument[]>("documents.search", { prefix }, options));
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
   * @throws InvalidInputError when an operation is malformed, or all of them exceed 24 MiB together as stored, including their keys and
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
  async batch<const Operations extends readonly DocumentOperation[]>(
    operations: Operations,
    options?: CallOptions,
  ): Promise<{ -readonly [Place in keyof Operations]: DocumentOutcome<Operations[Place]> }> {
    const list = passes(() => isList(operations)) ? reading("operations", () => [...operations]).map(sealed) : operations;
    return opened(await this.#call("documents.batch", { operations: list }, options));
  }
}

/** What puts bytes, as it crosses into the engine: as base64. Everything else as it is. */
function sealed(operation: object, index?: number): object {
  if (!passes(() => (operation as { value?: unknown }).value instanceof Uint8Array)) return operation;
  const { value, ...rest } = operation as { value: Uint8Array };
  if (areGone(value)) {
    throw refused(`${index === undefined ? "" : `operations[${index}].`}value`, "a view of a transferred or shrunk buffer", "put a copy of its bytes");
  }
  return { ...rest, data: base64Text(value) };
}

/** An answer of the engine with the bytes that stand in it as base64. */
function opened<Answer>(answer: Answer): Answer {
  if (isList(answer)) for (const item of answer) opened(item);
  else if (typeof answer === "object" && answer !== null) {
    const document = answer as { data?: unknown };
    if (typeof document.data === "string") document.data = base64Bytes(document.data);
  }
  return answer;
}
