/** The values of the knowledge graph. */
import type { AwaitOptions, CallOptions, MatchOptions, PageOptions, Time } from "./call.js";
import type { Dates } from "./fact.js";
import type { Source } from "./source.js";

/** An entity. */
export interface Entity {
  /** 1 to 512 bytes; upper and lower case differ. */
  name: string;
  /** What it is, such as `"person"`; up to 512 bytes. */
  entityType: string;
  /** What is known about it, each a single statement of up to 16 KiB. */
  observations: string[];
}

/** An entity to create. */
export interface NewEntity extends Readonly<Omit<Entity, "observations">> {
  readonly observations: readonly string[];
}

/** A relation. */
export interface Relation {
  /** The name of the entity it starts from. */
  from: string;
  /** The name of the entity it leads to. */
  to: string;
  /** In active voice, such as `"works_at"`; up to 512 bytes. */
  relationType: string;
}

/** An entity with where it comes from. */
export interface EntityItem extends Entity {
  id: string;
  /** How many observations were left out; absent when none were. */
  moreObservations?: number;
  /** Other names it has, with the evidence; absent when there are none. */
  aliases?: Array<{ name: string; evidence: string }>;
  createdAt: number;
  updatedAt: number;
  revision: number;
  /** Empty when the app wrote it itself. */
  source: Source[];
}

/** A relation with its time and where it comes from. */
export interface RelationItem extends Relation {
  id: string;
  /** Since when it is true. */
  validFrom: number;
  /** Until when it was true; absent while it holds. */
  validTo?: number;
  /** Both as they were said; absent where they were not. */
  dates?: Dates;
  createdAt: number;
  updatedAt: number;
  revision: number;
  /** Empty when the app wrote it itself. */
  source: Source[];
}

/** Entities and their relations, in the order of creation. */
export interface GraphExcerpt {
  entities: Entity[];
  relations: Relation[];
  /** How much did not fit into `maxTokens` or `observationLimit`; absent when everything did. */
  truncated?: { entities: number; observations: number; relations: number };
}

/** How much of the graph to return. */
export interface ExcerptLimits {
  /** At most about this many tokens of JSON, 1 to 1 000 000. Default: 20 000. */
  readonly maxTokens?: number | undefined;
  /** At most so many observations of each entity. Default: all. */
  readonly observationLimit?: number | undefined;
}

/** What a deletion did. */
export interface Deletion {
  /** Always true: a missing item counts as deleted. */
  success: boolean;
  /** What was deleted and what was not found, in words for a model. */
  message: string;
  /** The ids of messages of which words are withheld since. Absent when there are none. */
  withheld?: string[];
}

/** Which entities to list. */
export interface EntityListOptions extends CallOptions, PageOptions {
  /** Only of these types. Default: all. */
  readonly entityTypes?: readonly string[] | undefined;
  /** At most so many observations of each. Default: all. */
  readonly observationLimit?: number | undefined;
  /** As they were known then. Default: now. */
  readonly asOf?: Time | undefined;
}

/** How to search entities. */
export interface EntitySearchOptions extends CallOptions, MatchOptions, AwaitOptions {
  /** At most so many observations of each. Default: all. */
  readonly observationLimit?: number | undefined;
}

/** Which relations to list. */
export interface RelationListOptions extends CallOptions, PageOptions {
  /** Only from the entity with this name. */
  readonly from?: string | undefined;
  /** Only to the entity with this name. */
  readonly to?: string | undefined;
  readonly relationType?: string | undefined;
  /** Lists also those that are no longer true. Default: false. */
  readonly includeEnded?: boolean | undefined;
  /** As they were known then. Default: now. */
  readonly asOf?: Time | undefined;
}

/** What is around some entities. */
export interface Neighbours {
  /** Nearest first. `depth` is the number of steps, 0 for the entities asked for. */
  entities: Array<EntityItem & { depth: number }>;
  /** The relations that were followed, and others between entities nearer than `depth`; at most 1000. */
  relations: RelationItem[];
  /** Present when the limits left something out. */
  truncated?: true;
}

/** A path from one entity to another. */
export interface GraphPath {
  /** The entities on it, both ends included. */
  entities: EntityItem[];
  /** The relations between them, one fewer; each may point in either direction. */
  relations: RelationItem[];
}

/** An entity that a name may mean. */
export interface Candidate {
  entity: EntityItem;
  /** Equal; equal except case and spaces; equal to an alias; equal except titles; or all words of one occur in the other. */
  likeness: "exact" | "case" | "alias" | "title" | "part";
  /** The evidence, in words. */
  evidence: string;
}

/** What an import did. */
export interface GraphImport {
  /** How many entities are new. */
  entities: number;
  /** How many relations are new. */
  relations: number;
  /** The lines that could not be imported, and why; empty when all could. */
  skipped: Array<{ line: number; reason: string }>;
  /** The commits, oldest first; `user.undo(commitIds)` takes the import back. Empty when nothing was new. */
  commitIds: string[];
}
