/** The graph in pages: what does not fit into one answer comes with the next, and nothing is cut off. */
import type { Entity, Relation } from "../types.js";
import { Refused } from "./answer.js";

/** What a model is told of the cursors. */
export const CURSOR = "Where to go on: the nextCursor of the answer before. Leave it out for the beginning";
export const PAGES = "There is more: pass it as cursor in the same call. Absent at the end";

/** About how many bytes of JSON a page has at most: some 12,000 tokens of English, which clients take. */
const PAGE_BYTES = 48 * 1024;

/** A part of the graph, as a model is given it. */
export interface Page {
  entities: Entity[];
  relations: Relation[];
  nextCursor?: string;
}

/** Where entities and relations come from: some of them, from a place on; none at the end. */
export interface Source {
  entities(from: number): Promise<readonly Entity[]>;
  relations(from: number): Promise<readonly Relation[]>;
  /** Whether an entity is left out. Default: none is. */
  isLeftOut?(entity: Entity): boolean;
}

/** What is at hand as a whole. */
export function whole({ entities, relations }: { entities: readonly Entity[]; relations: readonly Relation[] }): Source {
  return {
    entities: async (from) => entities.slice(from),
    relations: async (from) => relations.slice(from),
  };
}

/** A page from a cursor on. */
export async function page(source: Source, cursor: unknown): Promise<Page> {
  const place = placeOf(cursor);
  const filled = new Filled();
  for (let items = await source.entities(place.entity); items.length > 0; items = await source.entities(place.entity)) {
    for (const item of items) {
      if (source.isLeftOut?.(item)) {
        place.entity += 1;
        continue;
      }
      const { name, entityType, observations } = item;
      const kept = filled.take(observations.slice(place.observation), { name, entityType, observations: [] });
      if (kept === undefined) return filled.until(place);
      filled.entities.push({ name, entityType, observations: kept });
      place.observation += kept.length;
      if (place.observation < observations.length) return filled.until(place);
      place.entity += 1;
      place.observation = 0;
    }
  }
  for (let items = await source.relations(place.relation); items.length > 0; items = await source.relations(place.relation)) {
    for (const { from, to, relationType } of items) {
      const relation = { from, to, relationType };
      if (filled.take([], relation) === undefined) return filled.until(place);
      filled.relations.push(relation);
      place.relation += 1;
    }
  }
  return filled.until(undefined);
}

/** All pages as one. */
export async function all(source: Source): Promise<Page> {
  const { nextCursor, ...graph } = await page(source, undefined);
  for (let cursor = nextCursor; cursor !== undefined; ) {
    const next = await page(source, cursor);
    const [first, ...entities] = next.entities;
    const last = graph.entities.at(-1);
    // The rest of what did not fit into the page before.
    if (first !== undefined && first.name === last?.name) last.observations.push(...first.observations);
    else if (first !== undefined) graph.entities.push(first);
    graph.entities.push(...entities);
    graph.relations.push(...next.relations);
    cursor = next.nextCursor;
  }
  return graph;
}

interface Place {
  entity: number;
  /** Of that entity. */
  observation: number;
  relation: number;
}

class Filled {
  readonly entities: Entity[] = [];
  readonly relations: Relation[] = [];
  #bytes = 0;

  /** Takes an item and as many of its texts as fit, at least one on an empty page; undefined when it has no room. */
  take(texts: readonly string[], item: object): string[] | undefined {
    const isFirst = this.#bytes === 0;
    let bytes = this.#bytes + size(item);
    if (bytes > PAGE_BYTES && !isFirst) return undefined;
    let count = 0;
    for (const text of texts) {
      const more = bytes + size(text);
      if (more > PAGE_BYTES && !(isFirst && count === 0)) break;
      bytes = more;
      count += 1;
    }
    if (count === 0 && texts.length > 0) return undefined;
    this.#bytes = bytes;
    return texts.slice(0, count);
  }

  until(place: Place | undefined): Page {
    const { entities, relations } = this;
    if (place === undefined) return { entities, relations };
    return { entities, relations, nextCursor: `${place.entity}.${place.observation}.${place.relation}` };
  }
}

const ENCODER = new TextEncoder();

function size(value: unknown): number {
  return ENCODER.encode(JSON.stringify(value, null, 2)).length + 16;
}

function placeOf(cursor: unknown): Place {
  if (cursor === undefined) return { entity: 0, observation: 0, relation: 0 };
  const numbers = typeof cursor === "string" ? /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/.exec(cursor)?.slice(1).map(Number) : undefined;
  if (numbers === undefined) {
    throw new Refused("Error: cursor is none that an answer had; pass the nextCursor of the answer before, or leave it out");
  }
  const [entity = 0, observation = 0, relation = 0] = numbers;
  return { entity, observation, relation };
}
