/** The knowledge graph of one scope. */
import type { Caller } from "./caller.js";
import { record } from "./plain.js";
import type {
  Action,
  CallOptions,
  Candidate,
  Deletion,
  Entity,
  EntityItem,
  EntityListOptions,
  EntitySearchOptions,
  ExcerptLimits,
  GraphExcerpt,
  GraphImport,
  GraphPath,
  KeepSourceOptions,
  Neighbours,
  NewEntity,
  Relation,
  RelationItem,
  RelationListOptions,
  Scored,
  Time,
} from "./types.js";


/**
 * What to tell a model about the entities that `create_entities` skipped.
 *
 * @example
 * ```ts
 * import { skippedEntitiesNotice } from "mnemic";
 * const entities = [{ name: "Alice", entityType: "person", observations: [] }];
 * await user.graph.create_entities({ entities });
 * const { skipped } = await user.graph.create_entities({ entities });
 * if (skipped) console.log(skippedEntitiesNotice(skipped));
 * ```
 */
export function skippedEntitiesNotice(skipped: readonly string[]): string {
  const [those, whose] = skipped.length === 1 ? ["entity that already exists", "Its"] : ["entities that already exist", "Their"];
  return (
    `Skipped ${skipped.length} ${those}: ${skipped.join(", ")}. ` +
    `${whose} observations were not added; use add_observations for existing entities.`
  );
}

/**
 * The knowledge graph of a scope: entities with observations, and relations between them. The methods with underscores take and return
 * what the tools of those names do, so that a model's call can be passed through unchanged.
 */
export class Graph {
  readonly #call: Caller;

  /** @internal Made by `memory.scope()`. */
  constructor(call: Caller) {
    this.#call = call;
  }

  /**
   * Creates entities, at most 1000. An entity whose name exists already is skipped and listed, never merged.
   *
   * @throws InvalidInputError when something exceeds its limit; then nothing is created.
   *
   * @example
   * ```ts
   * const { entities, skipped } = await user.graph.create_entities({
   *   entities: [{ name: "Alice", entityType: "person", observations: ["likes tea"] }],
   * });
   * console.log(entities.length, skipped);
   * ```
   */
  create_entities(
    input: { readonly entities: readonly NewEntity[] },
    options?: CallOptions,
  ): Promise<{ entities: Entity[]; skipped?: string[] }> {
    return this.#pass("graph.create_entities", input, options);
  }

  /**
   * Creates relations between existing entities, at most 1000. An existing relation is not created again.
   *
   * @throws NotFoundError with the message `Entity with name X not found`; then nothing is created.
   *
   * @example
   * ```ts
   * await user.graph.create_entities({
   *   entities: [
   *     { name: "Alice", entityType: "person", observations: [] },
   *     { name: "Acme", entityType: "company", observations: [] },
   *   ],
   * });
   * await user.graph.create_relations({ relations: [{ from: "Alice", to: "Acme", relationType: "works_at" }] });
   * ```
   */
  create_relations(
    input: { readonly relations: readonly Readonly<Relation>[] },
    options?: CallOptions,
  ): Promise<{ relations: Relation[] }> {
    return this.#pass("graph.create_relations", input, options);
  }

  /**
   * Adds observations to existing entities, at most 1000 of them. An observation that an entity already has, word for word, is not added
   * again. All text of one entity may have about 250 KiB.
   *
   * @throws NotFoundError with the message `Entity with name X not found`; then nothing is added.
   *
   * @example
   * ```ts
   * await user.graph.create_entities({ entities: [{ name: "Alice", entityType: "person", observations: [] }] });
   * await user.graph.add_observations({ observations: [{ entityName: "Alice", contents: ["plays the cello"] }] });
   * ```
   */
  add_observations(
    input: { readonly observations: readonly { readonly entityName: string; readonly contents: readonly string[] }[] },
    options?: CallOptions,
  ): Promise<{ results: Array<{ entityName: string; addedObservations: string[] }> }> {
    return this.#pass("graph.add_observations", input, options);
  }

  /**
   * Deletes entities with all their relations, at most 1000, in one commit that can be undone.
   *
   * @example
   * ```ts
   * const { message } = await user.graph.delete_entities({ entityNames: ["Nobody"] });
   * console.log(message); // "Deleted 0 of 1 entities. Not found: Nobody"
   * ```
   */
  delete_entities(input: { readonly entityNames: readonly string[] }, options?: KeepSourceOptions): Promise<Deletion> {
    return this.#pass("graph.delete_entities", input, options);
  }

  /**
   * Deletes observations, word for word, of at most 1000 entities.
   *
   * @example
   * ```ts
   * await user.graph.delete_observations({ deletions: [{ entityName: "Alice", observations: ["likes tea"] }] });
   * ```
   */
  delete_observations(
    input: { readonly deletions: readonly { readonly entityName: string; readonly observations: readonly string[] }[] },
    options?: KeepSourceOptions,
  ): Promise<Deletion> {
    return this.#pass("graph.delete_observations", input, options);
  }

  /**
   * Deletes relations, at most 1000. To keep a relation that was true once, use `endRelations`.
   *
   * @example
   * ```ts
   * await user.graph.delete_relations({ relations: [{ from: "Alice", to: "Acme", relationType: "works_at" }] });
   * ```
   */
  delete_relations(
    input: { readonly relations: readonly Readonly<Relation>[] },
    options?: KeepSourceOptions,
  ): Promise<Deletion> {
    return this.#pass("graph.delete_relations", input, options);
  }

  /**
   * The whole graph, up to `maxTokens`; both lists are empty when nothing is stored.
   *
   * @example
   * ```ts
   * const { entities, relations, truncated } = await user.graph.read_graph();
   * console.log(entities.length, relations.length, truncated);
   * ```
   */
  read_graph(input?: ExcerptLimits, options?: CallOptions): Promise<GraphExcerpt> {
    return this.#pass("graph.read_graph", input, options);
  }

  /**
   * The entities whose name, type or an observation contains the query, ignoring case, with their relations; `""` returns all. The query
   * has at most 2048 characters. To search by words and meaning, use `search`.
   *
   * @example
   * ```ts
   * const { entities } = await user.graph.search_nodes({ query: "cello" });
   * ```
   */
  search_nodes(input: ExcerptLimits & { readonly query: string }, options?: CallOptions): Promise<GraphExcerpt> {
    return this.#pass("graph.search_nodes", input, options);
  }

  /**
   * The entities with these names, with their relations; unknown names are left out.
   *
   * @example
   * ```ts
   * const { entities, relations } = await user.graph.open_nodes({ names: ["Alice", "Acme"] });
   * ```
   */
  open_nodes(input: ExcerptLimits & { readonly names: readonly string[] }, options?: CallOptions): Promise<GraphExcerpt> {
    return this.#pass("graph.open_nodes", input, options);
  }

  /**
   * Entities that match in words or meaning, best first; empty when none do.
   *
   * @example
   * ```ts
   * await user.graph.create_entities({
   *   entities: [{ name: "Alice", entityType: "person", observations: ["plays the cello"] }],
   * });
   * const [best] = await user.graph.search("who plays the cello?", { limit: 3 });
   * console.log(best?.name); // "Alice"
   * ```
   */
  search(query: string, options?: EntitySearchOptions): Promise<Array<EntityItem & Scored>> {
    return this.#call("graph.search", { query }, options);
  }

  /**
   * Entities in the order in which they were created; empty when none match.
   *
   * @example
   * ```ts
   * const people = await user.graph.list({ entityTypes: ["person"], limit: 50, observationLimit: 3 });
   * ```
   */
  async list(options?: EntityListOptions): Promise<EntityItem[]> {
    return this.#call("graph.list", {}, options);
  }

  /**
   * Relations in the order in which they were created; empty when none match.
   *
   * @example
   * ```ts
   * const jobs = await user.graph.relations({ from: "Alice", relationType: "works_at", includeEnded: true });
   * ```
   */
  async relations(options?: RelationListOptions): Promise<RelationItem[]> {
    return this.#call("graph.relations", {}, options);
  }

  /**
   * Ends relations: they are no longer true from `at` on, and stay in the history. Unknown or ended relations are left alone.
   *
   * @example
   * ```ts
   * const entities = ["Alice", "Acme"].map((name) => ({ name, entityType: "thing", observations: [] }));
   * const relations = [{ from: "Alice", to: "Acme", relationType: "works_at" }];
   * await user.graph.create_entities({ entities });
   * await user.graph.create_relations({ relations });
   * await user.graph.endRelations({ relations });
   * console.log((await user.graph.relations()).length); // 0
   * ```
   */
  endRelations(
    input: { readonly relations: readonly Readonly<Relation>[]; readonly at?: Time | undefined },
    options?: CallOptions,
  ): Promise<Action[]> {
    return this.#pass("graph.end_relations", input, options);
  }

  /**
   * The neighbourhood of some entities, following relations in both directions.
   *
   * @throws NotFoundError when one of the entities does not exist.
   *
   * @example
   * ```ts
   * await user.graph.create_entities({ entities: [{ name: "Alice", entityType: "person", observations: [] }] });
   * const { entities } = await user.graph.neighbours({ names: ["Alice"], depth: 2, relationTypes: ["knows"] });
   * console.log(entities.map(({ name, depth }) => [name, depth]));
   * ```
   */
  neighbours(
    input: {
      readonly names: readonly string[];
      /** How many steps, 1 to 20. Default: 1. */
      readonly depth?: number | undefined;
      /** At most this many entities, including those asked for; 1 to 1000. Default: 100. */
      readonly limit?: number | undefined;
      /** Only over relations of these types. Default: all. */
      readonly relationTypes?: readonly string[] | undefined;
      /** As it was known then. Default: now. */
      readonly asOf?: Time | undefined;
    },
    options?: CallOptions,
  ): Promise<Neighbours> {
    return this.#pass("graph.neighbours", input, options);
  }

  /**
   * A shortest path between two entities, following relations in both directions; null when there is none within `maxDepth`.
   *
   * @throws NotFoundError when one of the entities does not exist.
   *
   * @example
   * ```ts
   * const entities = ["Alice", "Acme"].map((name) => ({ name, entityType: "thing", observations: [] }));
   * await user.graph.create_entities({ entities });
   * console.log(await user.graph.path({ from: "Alice", to: "Acme" })); // null
   * ```
   */
  path(
    input: {
      readonly from: string;
      readonly to: string;
      /** How many steps, 1 to 20. Default: 6. */
      readonly maxDepth?: number | undefined;
      /** As it was known then. Default: now. */
      readonly asOf?: Time | undefined;
    },
    options?: CallOptions,
  ): Promise<GraphPath | null> {
    return this.#pass("graph.path", input, options);
  }

  /**
   * The entities that a name may mean, most likely first, with the evidence for each; empty when none is similar. This merges
   * nothing.
   *
   * @example
   * ```ts
   * await user.graph.create_entities({ entities: [{ name: "Kim Minsu", entityType: "person", observations: [] }] });
   * const [candidate] = await user.graph.resolve("Mr. Kim");
   * console.log(candidate?.entity.name, candidate?.evidence);
   * ```
   */
  resolve(name: string, options?: CallOptions): Promise<Candidate[]> {
    return this.#call("graph.resolve", { name }, options);
  }

  /**
   * Changes the name or type of an entity. Its relations follow, and the old name becomes an alias. One commit, which can be undone; empty
   * when nothing changed.
   *
   * @throws NotFoundError when the entity does not exist.
   * @throws InvalidInputError when another entity has the new name; use `merge` to join the two.
   *
   * @example
   * ```ts
   * await user.graph.create_entities({ entities: [{ name: "Acme", entityType: "company", observations: [] }] });
   * await user.graph.update({ name: "Acme", newName: "Acme Corp" });
   * console.log((await user.graph.list()).map(({ name, aliases }) => [name, aliases?.[0]?.name])); // [["Acme Corp", "Acme"]]
   * ```
   */
  update(
    input: { readonly name: string; readonly newName?: string | undefined; readonly entityType?: string | undefined },
    options?: KeepSourceOptions,
  ): Promise<Action[]> {
    return this.#pass("graph.update", input, options);
  }

  /**
   * Merges two entities: observations are joined, relations are redirected to the one that stays, and the other name becomes an alias with
   * the evidence. One commit, which can be undone.
   *
   * @throws NotFoundError when one of the entities does not exist.
   *
   * @example
   * ```ts
   * const entities = ["Kim Minsu", "Mr. Kim"].map((name) => ({ name, entityType: "person", observations: [] }));
   * await user.graph.create_entities({ entities });
   * await user.graph.merge({ into: "Kim Minsu", from: "Mr. Kim", evidence: "the user said so" });
   * console.log((await user.graph.list()).length); // 1
   * ```
   */
  merge(
    input: { readonly into: string; readonly from: string; readonly evidence: string },
    options?: CallOptions,
  ): Promise<Action[]> {
    return this.#pass("graph.merge", input, options);
  }

  /**
   * The graph as the text of a `memory.jsonl`: a line per entity, then a line per relation.
   *
   * @example
   * ```ts
   * const text = await user.graph.exportJsonl();
   * console.log(await user.graph.importJsonl(text)); // { entities: 0, relations: 0, skipped: [], commitIds: [] }
   * ```
   */
  exportJsonl(options?: CallOptions): Promise<string> {
    return this.#call("graph.export_jsonl", {}, options);
  }

  /**
   * Imports the text of a `memory.jsonl`, up to 24 MiB as JSON. Existing entities and relations are not changed; a line that cannot be
   * imported is skipped and listed.
   *
   * @example
   * ```ts
   * const line = JSON.stringify({ type: "entity", name: "Alice", entityType: "person", observations: [] });
   * const { entities, skipped } = await user.graph.importJsonl(`${line}\nnonsense\n`);
   * console.log(entities, skipped[0]?.line); // 1 2
   * ```
   */
  importJsonl(text: string, options?: CallOptions): Promise<GraphImport> {
    return this.#call("graph.import_jsonl", { text }, options);
  }

  async #pass<Result>(method: string, input: unknown, options: unknown): Promise<Result> {
    return this.#call(method, record(input, "input"), options);
  }
}
