/** LangGraph's long-term memory over documents. */
import { BaseStore, InvalidNamespaceError, type Item, type ListNamespacesOperation, type Operation, type OperationResults } from "@langchain/langgraph-checkpoint";
import type { Document, DocumentOperation, DocumentOutcome, FoundDocument } from "../documents.js";
import { kind, known, refused } from "../plain.js";
import { checkedUser } from "../user.js";
import { onProperties } from "./filter.js";
import { carryOut, type DocumentUser } from "./user.js";

/** Where a store keeps what it is given, how that is searched, and for how long it is kept. */
export interface MnemicStoreOptions {
  /** The labels below which everything lies. Default: `["langgraph-store"]`. `[]` shares the documents of the app. */
  readonly namespace?: readonly string[] | undefined;
  /** What is searched of values that are put without `index`. */
  readonly index?: {
    /**
     * Paths such as `"a.b"`, `"list[*].x"` and `"$"` for all; each has a vector of its own, and the nearest counts. Default:
     * `documents.index` of `openMemory`.
     */
    readonly fields?: readonly string[] | undefined;
  };
  /** How long values are kept. */
  readonly ttl?: {
    /** Minutes. Default: `documents.ttlMs` of `openMemory`. */
    readonly defaultTtl?: number | undefined;
    /** Whether reading restarts the lifetime. Default: `documents.refreshTtl` of `openMemory`. */
    readonly refreshOnRead?: boolean | undefined;
  };
}

const ROOT = ["langgraph-store"];
const DEFAULT_LIMIT = 10;
const DEFAULT_NAMESPACES = 100;
/** The most that one operation finds. */
const PAGE = 1000;
const MINUTE_MS = 60_000;

/**
 * A store of LangGraph for what is to outlast a thread, in the documents of a scope. Searches rank by words and by the memory's
 * embedder.
 *
 * It does what `InMemoryStore` does, with these differences: a namespace is matched by whole labels, an operation of a batch sees
 * what the earlier ones did, and up to 1000 operations are carried out together or not at all.
 *
 * @example
 * ```ts
 * import { MnemicStore } from "mnemic/langgraph";
 *
 * const store = new MnemicStore(user);
 * await store.put(["alice", "memories"], "food", { text: "Likes spicy soups" });
 * const [item] = await store.search(["alice"], { query: "a soup for dinner" });
 * console.log(item?.value["text"]); // Likes spicy soups
 * ```
 */
export class MnemicStore extends BaseStore {
  readonly #user: DocumentUser;
  readonly #root: readonly string[];
  readonly #options: MnemicStoreOptions;

  /**
   * @param user what `memory.scope()` gives, or a client of a user's memory on Cloudflare
   * @throws InvalidInputError when it is neither, or an option is malformed or unknown, such as an embedding model: that is the memory's.
   */
  constructor(user: DocumentUser, options: MnemicStoreOptions = {}) {
    super();
    this.#user = checkedUser(user, user?.documents?.batch);
    known(options, ["namespace", "index", "ttl"]);
    known(options.index, ["fields"], "options.index");
    known(options.ttl, ["defaultTtl", "refreshOnRead"], "options.ttl");
    const { namespace = ROOT } = options;
    if (!Array.isArray(namespace)) throw refused("options.namespace", kind(namespace), "pass a list of labels");
    this.#root = [...namespace];
    this.#options = options;
  }

  /** Carries out operations in order. */
  async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    const asked = operations.map((operation) => this.#operation(operation));
    const first = await carryOut(this.#user, asked.map(firstPage));
    const outcomes: DocumentOutcome[] = [];
    for (const [place, operation] of asked.entries()) outcomes.push(await this.#whole(operation, first[place] ?? null));
    return operations.map((operation, place) => this.#result(operation, outcomes[place] ?? null)) as OperationResults<Op>;
  }

  /** All that is wanted, where an outcome is the first page of it. */
  async #whole(operation: DocumentOperation, first: DocumentOutcome): Promise<DocumentOutcome> {
    if (!isPaged(operation) || !Array.isArray(first)) return first;
    const { limit, offset = 0 } = operation;
    const found: unknown[] = [...first];
    for (let page: unknown[] = first; page.length === PAGE && found.length < limit; found.push(...page)) {
      const next = { ...operation, limit: Math.min(PAGE, limit - found.length), offset: offset + found.length };
      page = (await carryOut(this.#user, [next]))[0] as unknown[];
    }
    return found.slice(0, limit) as FoundDocument[] | string[][];
  }

  #operation(operation: Operation): DocumentOperation {
    const { index, ttl } = this.#options;
    const below = (labels: readonly string[]): string[] => [...this.#root, ...labels];
    if ("namespacePrefix" in operation) {
      const { namespacePrefix, filter, query, limit = DEFAULT_LIMIT, offset } = operation;
      return { op: "search", prefix: below(namespacePrefix), filter: filter && onProperties(filter), query: query || undefined, limit, offset, threshold: 0, refreshTtl: ttl?.refreshOnRead };
    }
    if (!("namespace" in operation)) return this.#listing(operation);
    const place = { namespace: below(operation.namespace), key: operation.key };
    if (!("value" in operation)) return { op: "get", ...place, refreshTtl: ttl?.refreshOnRead };
    if (operation.value === null) return { op: "delete", ...place };
    if (operation.namespace.length === 0) throw new InvalidNamespaceError("Namespace cannot be empty.");
    return { op: "put", ...place, value: operation.value, index: operation.index ?? index?.fields, ttlMs: ttl?.defaultTtl === undefined ? undefined : Math.ceil(ttl.defaultTtl * MINUTE_MS) };
  }

  #listing({ matchConditions = [], maxDepth, limit = DEFAULT_NAMESPACES, offset }: ListNamespacesOperation): DocumentOperation {
    const match = matchConditions.map(({ matchType, path }) => ({
      prefix: [...this.#root, ...(matchType === "prefix" ? path : path.map(() => "*"))],
      ...(matchType === "suffix" && { suffix: path }),
    }));
    const depth = maxDepth === undefined ? undefined : maxDepth + this.#root.length;
    return { op: "listNamespaces", prefix: this.#root, match, maxDepth: depth, limit, offset };
  }

  #result(operation: Operation, outcome: DocumentOutcome): unknown {
    const own = (namespace: string[]): string[] => namespace.slice(this.#root.length);
    const item = ({ value, key, namespace, createdAt, updatedAt }: Document): Item =>
      ({ value, key, namespace: own(namespace), createdAt: new Date(createdAt), updatedAt: new Date(updatedAt) });
    // LangGraph's scores are compared between queries.
    if ("namespacePrefix" in operation) return (outcome as FoundDocument[]).map((found) => ({ ...item(found), score: found.relevance }));
    if (!("namespace" in operation)) return (outcome as string[][]).map(own);
    if ("value" in operation) return undefined;
    return outcome && item(outcome as Document);
  }
}

type Paged = Extract<DocumentOperation, { readonly op: "search" | "listNamespaces" }> & { readonly limit: number };

const isPaged = (operation: DocumentOperation): operation is Paged => operation.op === "search" || operation.op === "listNamespaces";

/** The operation for the first page; of nothing there is one too, which the operation checks. */
const firstPage = (operation: DocumentOperation): DocumentOperation =>
  isPaged(operation) ? { ...operation, limit: operation.limit === 0 ? 1 : Math.min(PAGE, operation.limit) } : operation;
