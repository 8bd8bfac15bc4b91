/** The knowledge graph as an app and a model's tools meet it. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createProject } from "./support/project.mjs";

let project, mnemic, memory;
let scopes = 0;

before(async () => {
  project = await createProject();
  mnemic = await project.import('export * from "mnemic";');
  memory = await mnemic.openMemory({ name: "graph", storage: "memory" });
});

after(async () => {
  await memory?.close();
  await project?.remove();
});

const alice = { name: "Alice", entityType: "person", observations: ["works at Acme Corp", "likes tea"] };
const bob = { name: "Bob", entityType: "person", observations: [] };
const acme = { name: "Acme Corp", entityType: "organization", observations: ["makes anvils"] };
const knows = { from: "Alice", to: "Bob", relationType: "knows" };
const worksAt = { from: "Alice", to: "Acme Corp", relationType: "works_at" };

/** The scope of a new user with three entities and two relations. */
async function seeded() {
  const user = memory.scope({ userId: `user-${++scopes}` });
  await user.graph.create_entities({ entities: [alice, bob, acme] });
  await user.graph.create_relations({ relations: [knows, worksAt] });
  return user;
}

test("the nine operations answer as the tools of that name, key by key", async () => {
  const { graph } = await seeded();
  const is = async (call, expected) => assert.equal(JSON.stringify(await call), JSON.stringify(expected));
  await is(graph.read_graph(), { entities: [alice, bob, acme], relations: [knows, worksAt] });
  await is(graph.read_graph({}), { entities: [alice, bob, acme], relations: [knows, worksAt] });
  await is(graph.create_entities({ entities: [alice] }), { entities: [], skipped: ["Alice"] });
  await is(graph.create_relations({ relations: [knows] }), { relations: [] });
  await is(graph.add_observations({ observations: [{ entityName: "Bob", contents: ["sings"] }] }), {
    results: [{ entityName: "Bob", addedObservations: ["sings"] }],
  });
  await is(graph.search_nodes({ query: "SING" }), { entities: [{ ...bob, observations: ["sings"] }], relations: [knows] });
  await is(graph.open_nodes({ names: ["Zed", "Acme Corp"] }), { entities: [acme], relations: [worksAt] });
  await is(graph.delete_observations({ deletions: [{ entityName: "Bob", observations: ["sings"] }] }), {
    success: true,
    message: "Observations deleted successfully",
  });
  await is(graph.delete_relations({ relations: [knows, knows] }), {
    success: true,
    message: "Relations deleted successfully",
  });
  await is(graph.delete_entities({ entityNames: ["Alice", "Zed"] }), {
    success: true,
    message: "Deleted 1 of 2 entities. Not found: Zed",
  });
  await is(graph.read_graph(), { entities: [bob, acme], relations: [] });
});

test("a missing entity is an error with its name, and nothing is stored", async () => {
  const { graph } = await seeded();
  const before = await graph.exportJsonl();
  const missing = { name: "NotFoundError", code: "NotFound", message: "Entity with name Zed not found" };
  await assert.rejects(graph.create_relations({ relations: [worksAt, { ...knows, to: "Zed" }] }), missing);
  await assert.rejects(
    graph.add_observations({ observations: [{ entityName: "Bob", contents: ["x"] }, { entityName: "Zed", contents: [] }] }),
    missing,
  );
  await assert.rejects(graph.create_entities({}), { code: "InvalidInput" });
  await assert.rejects(graph.create_entities(undefined), { code: "InvalidInput" });
  await assert.rejects(graph.create_entities([alice]), { code: "InvalidInput" });
  await assert.rejects(graph.search_nodes({ query: "q".repeat(2049) }), { code: "InvalidInput" });
  assert.equal(await graph.exportJsonl(), before);
});

test("the notice of skipped entities is in the words that models know", () => {
  assert.equal(
    mnemic.skippedEntitiesNotice(["Alice"]),
    "Skipped 1 entity that already exists: Alice. Its observations were not added; use add_observations for existing entities.",
  );
  assert.equal(
    mnemic.skippedEntitiesNotice(["Alice", "Bob"]),
    "Skipped 2 entities that already exist: Alice, Bob. Their observations were not added; use add_observations for existing entities.",
  );
});

test("many calls at once lose nothing", async () => {
  const { graph } = await seeded();
  const numbers = Array.from({ length: 20 }, (_, number) => number);
  await Promise.all(numbers.map((number) => graph.create_entities({ entities: [{ ...bob, name: `entity ${number}` }] })));
  await Promise.all(numbers.map((number) => graph.add_observations({ observations: [{ entityName: "Bob", contents: [`${number}`] }] })));
  assert.equal((await graph.read_graph()).entities.length, 23);
  assert.equal((await graph.open_nodes({ names: ["Bob"] })).entities[0].observations.length, 20);
});

test("the graph is walked, ended, resolved, merged, and all of it taken back", async () => {
  const user = await seeded();
  const { graph } = user;
  const { entities, relations } = await graph.neighbours({ names: ["Bob"], depth: 2 });
  assert.deepEqual(entities.map(({ name, depth }) => [name, depth]), [["Bob", 0], ["Alice", 1], ["Acme Corp", 2]]);
  assert.equal(relations.length, 2);
  const path = await graph.path({ from: "Bob", to: "Acme Corp" });
  assert.deepEqual(path.entities.map(({ name }) => name), ["Bob", "Alice", "Acme Corp"]);
  assert.equal(await graph.path({ from: "Bob", to: "Acme Corp", maxDepth: 1 }), null);
  const [ended] = await graph.endRelations({ relations: [worksAt], at: new Date() });
  assert.deepEqual(await graph.relations({ to: "Acme Corp" }), []);
  assert.equal((await graph.relations({ to: "Acme Corp", includeEnded: true }))[0].id, ended.id);
  await user.undo(ended.commitId);
  // Commits of a burst run ahead of the clock, a millisecond each.
  const [{ at }] = await user.commits.list({ limit: 1 });
  assert.equal((await graph.relations({ to: "Acme Corp", asOf: at })).length, 1);

  await graph.create_entities({ entities: [{ name: "Ms. Alice", entityType: "person", observations: ["swims"] }] });
  const candidates = await graph.resolve("ms. alice");
  assert.deepEqual(candidates.map(({ entity, likeness }) => [entity.name, likeness]), [["Ms. Alice", "case"], ["Alice", "title"]]);
  const before = await graph.exportJsonl();
  const [{ commitId }] = await graph.merge({ into: "Alice", from: "Ms. Alice", evidence: "the user said so" });
  const [merged] = await graph.list({ entityTypes: ["person"], limit: 1 });
  assert.deepEqual(merged.aliases, [{ name: "Ms. Alice", evidence: "the user said so" }]);
  assert.equal((await graph.search("who swims?"))[0].name, "Alice");
  await user.undo(commitId);
  assert.equal(await graph.exportJsonl(), before);
  const [{ id }] = await graph.list({ limit: 1 });
  assert.match((await user.explain(id)).text, /^Alice\nperson\n/);
});

test("an entity is renamed, and the graph is read as it was", async () => {
  const user = await seeded();
  const { graph } = user;
  // After many commits their times are ahead of the clock.
  const [{ at: then }] = await user.commits.list({ limit: 1 });
  const actions = await graph.update({ name: "Alice", newName: "Alice Liddell", entityType: "author" });
  assert.deepEqual(actions.map(({ action, kind }) => [action, kind]), [["updated", "entity"], ["updated", "relation"], ["updated", "relation"]]);
  const [renamed] = await graph.list({ limit: 1 });
  assert.deepEqual([renamed.name, renamed.entityType, renamed.aliases], ["Alice Liddell", "author", [{ name: "Alice", evidence: "renamed" }]]);
  assert.equal((await graph.relations({ to: "Acme Corp" }))[0].from, "Alice Liddell");
  await assert.rejects(graph.update({ name: "Bob", newName: "Acme Corp" }), { code: "InvalidInput" });
  await assert.rejects(graph.update({ name: "Alice" }), { code: "NotFound" });
  await assert.rejects(graph.update(undefined), { code: "InvalidInput" });

  const past = user.asOf(then).graph;
  assert.equal((await past.list({ limit: 1 }))[0].name, "Alice");
  assert.equal((await past.relations({ to: "Acme Corp" }))[0].from, "Alice");
  assert.equal((await past.neighbours({ names: ["Alice"] })).entities.length, 3);
  assert.deepEqual((await past.path({ from: "Bob", to: "Alice" })).entities.map(({ name }) => name), ["Bob", "Alice"]);
  await assert.rejects(past.neighbours({ names: ["Alice Liddell"] }), { code: "NotFound" });
  await assert.rejects(past.neighbours(5), { code: "InvalidInput" });
  assert.deepEqual(await user.asOf(0).graph.list(), []);
  await user.undo(actions[0].commitId);
  assert.equal((await graph.list({ limit: 1 }))[0].name, "Alice");
});

test("memory.jsonl comes in and goes out byte by byte", async () => {
  const { graph } = await seeded();
  const text = await graph.exportJsonl();
  assert.equal(text.split("\n")[0], JSON.stringify({ type: "entity", ...alice }));
  assert.ok(text.endsWith(`${JSON.stringify({ type: "relation", ...worksAt })}\n`));
  const other = memory.scope({ userId: "import" }).graph;
  const { commitIds, ...imported } = await other.importJsonl(`nonsense\n${text}`);
  assert.deepEqual(imported, {
    entities: 3,
    relations: 2,
    skipped: [{ line: 1, reason: (await other.importJsonl("nonsense")).skipped[0].reason }],
  });
  assert.equal(await other.exportJsonl(), text);
  assert.deepEqual(await other.importJsonl(text), { entities: 0, relations: 0, skipped: [], commitIds: [] });
  await memory.scope({ userId: "import" }).undo(commitIds);
  assert.deepEqual(await other.list(), []);
});
