/** The facts of one scope. */
import type { Caller } from "./caller.js";
import { Numbers } from "./numbers.js";
import { isList, reading, record } from "./plain.js";
import { each, inSlices } from "./slices.js";
import type {
  Action,
  AwaitOptions,
  CallOptions,
  Fact,
  FactChanges,
  Filter,
  KeepSourceOptions,
  Masked,
  MatchOptions,
  NewFact,
  PageOptions,
  Revision,
  Scored,
  Scoring,
  Time,
} from "./types.js";

/** Which facts to list. */
export interface ListOptions extends CallOptions, PageOptions {
  readonly filter?: Filter | undefined;
  /** Lists also facts that are no longer true, or not yet. Default: false. */
  readonly includeEnded?: boolean | undefined;
  /** Lists only current facts that contradict one another, each with the others in `contested`. Default: false. */
  readonly contested?: boolean | undefined;
  /**
   * Only facts that were true at this time. `scope.asOf(time)` shows what was known at a time; the two can be combined. Default:
   * now.
   */
  readonly validAt?: Time | undefined;
}

/** What to return of a fact. */
export interface GetFactOptions extends CallOptions {
  /** Whether to include the current facts that contradict it. Default: false. */
  readonly contested?: boolean | undefined;
}

/** How to search. */
export interface SearchOptions extends CallOptions, MatchOptions, AwaitOptions {
  /** How results are scored. Default: by words and meaning. */
  readonly scoring?: Scoring | undefined;
  /** Also what is no longer true or not yet; see `supersededBy`. Default: `false`. */
  readonly includeEnded?: boolean | undefined;
}

/** What `facts.import` did. */
export interface ImportedFacts {
  /** How many facts are new. */
  added: number;
  /** How many were known already, by their `sourceId` or wording. */
  known: number;
  /** For `undo`; absent when nothing was new. */
  commitId?: string;
  /** The secrets that were masked; absent when there were none. */
  masked?: Masked[];
}

/** What to consolidate. */
export interface ConsolidateOptions extends CallOptions {
  /** How many of the newest facts are compared with the others, 1 to 1000. Default: 200. */
  readonly limit?: number | undefined;
}


/** The facts of a scope: short statements, each with its revisions and where it comes from. */
export class Facts {
  readonly #call: Caller;

  /** @internal Made by `memory.scope()`. */
  constructor(call: Caller) {
    this.#call = call;
  }

  /**
   * Adds a fact. A fact with the same wording is not stored twice: the action is then `"unchanged"`.
   *
   * @example
   * ```ts
   * const { id } = await user.facts.add({ text: "Alice is allergic to nuts", category: "personal info", significance: 9 });
   * await user.facts.add("Alice lives in Lisbon");
   * console.log(await user.facts.get(id));
   * ```
   */
  add(fact: NewFact | string, options?: CallOptions): Promise<Action> {
    return this.#write("facts.add", {}, typeof fact === "string" ? { text: fact } : fact, options);
  }

  /**
   * Adds up to 1000 facts in one commit: all of them or, on an error, none. Known facts are skipped.
   *
   * @throws InvalidInputError when a fact is malformed or over its limit; the message names its place.
   * @throws EmbedderError when an embedding has a different dimension from the others.
   *
   * @example
   * ```ts
   * const { added, known } = await user.facts.import([
   *   { text: "Alice lives in Lisbon", sourceId: "crm/1" },
   *   { text: "Alice plays the cello", sourceId: "crm/2", category: "preference" },
   * ]);
   * console.log(added, known); // 2 0
   * ```
   */
  async import(facts: readonly NewFact[], options?: CallOptions): Promise<ImportedFacts> {
    if (!isList(facts)) return this.#call("facts.import", { facts }, options);
    const list: readonly unknown[] = reading("facts", () => [...facts]);
    const numbers = new Numbers();
    const crossed = inSlices(each(list, (fact, place) => crossing(fact, `facts[${place}]`, numbers)));
    return this.#call("facts.import", numbers.beside({ facts: crossed instanceof Promise ? await crossed : crossed }), options);
  }

  /**
   * The fact with an id; null when this scope has none.
   *
   * @example
   * ```ts
   * const { id } = await user.facts.add("Alice lives in Lisbon");
   * await user.facts.delete(id);
   * console.log(await user.facts.get(id)); // null
   * ```
   */
  get(id: string, options?: GetFactOptions): Promise<Fact | null> {
    return this.#call("facts.get", { id }, options);
  }

  /**
   * Facts, newest first; empty when none match.
   *
   * @throws InvalidFilterError when the filter has an unknown operator or a wrong operand.
   *
   * @example
   * ```ts
   * await user.facts.list({ filter: { category: { $in: ["goal", "decision"] }, significance: { $gte: 7 } }, limit: 20 });
   * ```
   */
  list(options?: ListOptions): Promise<Fact[]> {
    return this.#call("facts.list", {}, options);
  }

  /**
   * Facts that match in words or meaning, best first; empty when none do.
   *
   * @throws InvalidFilterError when the filter has an unknown operator or a wrong operand.
   *
   * @example
   * ```ts
   * await user.facts.add("Alice plays the cello in an orchestra");
   * const [best] = await user.facts.search("which instrument does she play?", { limit: 3 });
   * console.log(best?.text, best?.score, best?.terms);
   * ```
   */
  search(query: string, options?: SearchOptions): Promise<Array<Fact & Scored>> {
    return this.#call("facts.search", { query }, options);
  }

  /**
   * Changes a fact; what is left out stays. With another `text`, the words that the old one was learned from are withheld, and a
   * profile field that was learned from them takes the new value where the edit says it.
   *
   * @throws NotFoundError when this scope has no such fact.
   * @throws InvalidInputError also when another fact has the new wording.
   *
   * @example
   * ```ts
   * const { id } = await user.facts.add("Alice lives in Lisbon");
   * const { revision } = await user.facts.update(id, { text: "Alice lives in Porto" });
   * console.log(revision); // 2
   * await user.facts.update(id, { validTo: Date.now() }); // no longer true, and not forgotten
   * ```
   */
  update(id: string, changes: FactChanges, options?: KeepSourceOptions): Promise<Action> {
    return this.#write("facts.update", { id }, changes, options);
  }

  /**
   * Deletes a fact; its revisions stay in the history. The words it was learned from are withheld from everything but their
   * thread, and a profile field that rests on them alone and says the same is deleted with it.
   *
   * @throws NotFoundError when this scope has no such fact.
   *
   * @example
   * ```ts
   * const { id } = await user.facts.add("Alice lives in Lisbon");
   * const { withheld = [] } = await user.facts.delete(id);
   * console.log(withheld.length); // 0: it was learned from no message
   * ```
   */
  delete(id: string, options?: KeepSourceOptions): Promise<Action> {
    return this.#call("facts.delete", { id }, options);
  }

  /**
   * All revisions of a fact, oldest first.
   *
   * @throws NotFoundError when this scope never had such a fact.
   *
   * @example
   * ```ts
   * const { id } = await user.facts.add("Alice lives in Lisbon");
   * console.log((await user.facts.history(id)).length); // 1
   * ```
   */
  history(id: string, options?: CallOptions): Promise<Revision[]> {
    return this.#call("facts.history", { id }, options);
  }

  /**
   * Asks the model once which facts say the same in other words and which are outdated. Merges the first and ends the second, in one
   * commit. Empty, without asking, when no facts resemble one another.
   *
   * @throws ModelError when the memory has no `llm`, or its answer is unusable; then nothing was changed.
   *
   * @example
   * ```ts
   * import { openMemory } from "mnemic";
   *
   * const withModel = await openMemory({ name: "chat", storage: "memory", llm: () => ({ merges: [], supersedes: [] }) });
   * console.log(await withModel.scope({ userId: "alice" }).facts.consolidate({ limit: 100 })); // []
   * await withModel.close();
   * ```
   */
  consolidate(options?: ConsolidateOptions): Promise<Action[]> {
    return this.#call("facts.consolidate", {}, options);
  }

  async #write(method: string, input: object, content: unknown, options: unknown): Promise<Action> {
    const numbers = new Numbers();
    return this.#call(method, numbers.beside({ ...crossing(content, "", numbers), ...input }), options);
  }
}

/** A fact as it crosses, its vector among `numbers`. `path` says where it stands in the arguments. */
function crossing(fact: unknown, path: string, numbers: Numbers): Record<string, unknown> {
  const copy = record(fact, path || "fact");
  const place = path && `${path}.`;
  return copy["embedding"] === undefined ? copy : { ...copy, embedding: numbers.add(copy["embedding"], `${place}embedding`) };
}
