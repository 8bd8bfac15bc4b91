/** A scope as it was at some time. */
import type { Caller } from "./caller.js";
import type { ListOptions } from "./facts.js";
import type { Graph } from "./graph.js";
import { record } from "./plain.js";
import type { ProfilesOf } from "./profiles.js";
import type { ProfileSchemas } from "./schema.js";
import type { CallOptions, EntityItem, EntityListOptions, Fact, GraphPath, Neighbours, RelationItem, RelationListOptions } from "./types.js";

/** What was known at a time; nothing in it can be changed. */
export interface View<Schemas extends ProfileSchemas> {
  readonly profiles: {
    /** The profiles as they were. */
    get(options?: CallOptions): Promise<ProfilesOf<Schemas>>;
  };
  readonly facts: {
    /** The facts as they were; empty when there were none. */
    list(options?: Omit<ListOptions, "contested">): Promise<Fact[]>;
    /** A fact as it was; null when it was not there then. */
    get(id: string, options?: CallOptions): Promise<Fact | null>;
  };
  readonly graph: {
    /** The entities as they were, in the order in which they were created; empty when there were none. */
    list(options?: Omit<EntityListOptions, "asOf">): Promise<EntityItem[]>;
    /** The relations as they were, in the order in which they were created; empty when there were none. */
    relations(options?: Omit<RelationListOptions, "asOf">): Promise<RelationItem[]>;
    /** What was around some entities; `NotFoundError` when one of them was not there. */
    neighbours(input: Omit<Parameters<Graph["neighbours"]>[0], "asOf">, options?: CallOptions): Promise<Neighbours>;
    /** A shortest path between two entities; null when there was none, `NotFoundError` when one of them was not there. */
    path(input: Omit<Parameters<Graph["path"]>[0], "asOf">, options?: CallOptions): Promise<GraphPath | null>;
  };
}

/** The view of a scope at a time in milliseconds since 1970 UTC. */
export function viewAt<Schemas extends ProfileSchemas>(call: Caller, asOf: unknown): View<Schemas> {
  return {
    profiles: { get: (options) => call("profiles.get", { asOf }, options) },
    facts: {
      list: (options) => call("facts.list", { asOf }, options),
      get: (id, options) => call("facts.get", { id, asOf }, options),
    },
    graph: {
      list: (options) => call("graph.list", { asOf }, options),
      relations: (options) => call("graph.relations", { asOf }, options),
      neighbours: async (input, options) => call("graph.neighbours", { ...record(input, "input"), asOf }, options),
      path: async (input, options) => call("graph.path", { ...record(input, "input"), asOf }, options),
    },
  };
}
