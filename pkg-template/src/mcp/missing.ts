/**
 * Entities that relations name but nobody created. The memory knows no relation without both its entities, so such an entity is kept
 * with neither a type nor observations, and the tools show it as if it were not there.
 */
import type { Entity, Relation } from "../types.js";
import type { McpUser } from "./user.js";

/** Carries out a tool of the memory. @throws Refused */
export type Call = (name: string, args: object) => Promise<Record<string, unknown>>;

/** How much of the graph one look takes. */
const ALL = { maxTokens: 1_000_000 };
/** How many names one call takes. */
const NAMES = 1000;

/** An entity that is only named. */
export function missingEntity(name: string): Entity {
  return { name, entityType: "", observations: [] };
}

/** Whether an entity is only named. */
export function isMissing({ entityType, observations }: Entity): boolean {
  return entityType === "" && observations.length === 0;
}

/** What of an excerpt shows when missing entities do not. */
export function withoutMissing({ entities, relations }: { entities: readonly Entity[]; relations: readonly Relation[] }): {
  entities: Entity[];
  relations: Relation[];
} {
  const shown = entities.filter((entity) => !isMissing(entity));
  const names = new Set(shown.map(({ name }) => name));
  return { entities: shown, relations: relations.filter(({ from, to }) => names.has(from) || names.has(to)) };
}

/** Sees to it that there are entities with these names. */
export async function nameAll(call: Call, names: readonly string[]): Promise<void> {
  for (const some of slices(names)) {
    await call("create_entities", { entities: some.map(missingEntity) });
  }
}

/** Those of some entities that are named and not there yet get their type and observations. Answers which these were. */
export async function fillIn(user: McpUser, call: Call, entities: readonly Entity[]): Promise<Entity[]> {
  const { entities: known } = await user.graph.open_nodes({ names: entities.map(({ name }) => name), ...ALL });
  const missing = new Set(known.filter(isMissing).map(({ name }) => name));
  const filled: Entity[] = [];
  for (const { name, entityType, observations } of entities) {
    if (!missing.delete(name)) continue;
    await user.graph.update({ name, entityType });
    const { results } = (await call("add_observations", { observations: [{ entityName: name, contents: observations }] })) as {
      results: Array<{ addedObservations: string[] }>;
    };
    filled.push({ name, entityType, observations: results.flatMap(({ addedObservations }) => addedObservations) });
  }
  return filled;
}

/** Which of some names are of missing entities. */
export async function missingAmong(user: McpUser, names: readonly string[]): Promise<string[]> {
  const { entities } = await user.graph.open_nodes({ names, ...ALL });
  const there = new Set(entities.filter((entity) => !isMissing(entity)).map(({ name }) => name));
  return names.filter((name) => !there.has(name));
}

/** The names at the other ends of what entities are related to. */
export async function relatedTo(user: McpUser, names: readonly string[]): Promise<string[]> {
  const { relations } = await user.graph.open_nodes({ names, ...ALL });
  return relations.flatMap(({ from, to }) => [from, to]).filter((name) => !names.includes(name));
}

/** Deletes those of some missing entities that no relation names any more. */
export async function sweep(user: McpUser, call: Call, names: readonly string[]): Promise<void> {
  for (const some of slices(names)) {
    const { entities, relations } = await user.graph.open_nodes({ names: some, ...ALL });
    const used = new Set(relations.flatMap(({ from, to }) => [from, to]));
    const entityNames = entities.filter((entity) => isMissing(entity) && !used.has(entity.name)).map(({ name }) => name);
    if (entityNames.length > 0) await call("delete_entities", { entityNames });
  }
}

function* slices(names: readonly string[]): Generator<string[]> {
  const all = [...new Set(names)];
  for (let start = 0; start < all.length; start += NAMES) yield all.slice(start, start + NAMES);
}
