/**
 * What the engine answers is what the package declares: every method and event, walked property by property. A property that
 * the engine adds, drops or renames fails here, and so does one that is declared and never comes.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createProject } from "./support/project.mjs";
import { Shapes } from "./support/shape.mjs";

const DECLARATIONS = `
import type { Archive, Blocks, Context, Documents, DocumentOutcome, Episodes, Events, Facts, Graph, Instructions, Items, Memory, Scope, StoredMessage, Threads, Tiers, Trimmed } from "mnemic";

type Profile = { readonly person: { readonly properties: { readonly city: { readonly type: "string" }; readonly age: { readonly type: "integer" } } } };
type User = Scope<Profile>;
type Answer<Method extends (...values: never[]) => unknown> = Awaited<ReturnType<Method>>;

export interface Answers {
  remember: Answer<User["remember"]>;
  generate: Answer<User["generate"]>;
  flush: Answer<User["flush"]>;
  recall: Answer<User["recall"]>;
  history: Answer<User["history"]>;
  undo: Answer<User["undo"]>;
  forget: Answer<User["forget"]>;
  explain: Answer<User["explain"]>;
  "profiles.get": Answer<User["profiles"]["get"]>;
  "profiles.set": Answer<User["profiles"]["set"]>;
  "profiles.patch": Answer<User["profiles"]["patch"]>;
  "profiles.delete": Answer<User["profiles"]["delete"]>;
  "profiles.history": Answer<User["profiles"]["history"]>;
  "profiles.diff": Answer<User["profiles"]["diff"]>;
  "profiles.rollback": Answer<User["profiles"]["rollback"]>;
  "facts.add": Answer<Facts["add"]>;
  "facts.get": Answer<Facts["get"]>;
  "facts.list": Answer<Facts["list"]>;
  "facts.search": Answer<Facts["search"]>;
  "facts.update": Answer<Facts["update"]>;
  "facts.delete": Answer<Facts["delete"]>;
  "facts.history": Answer<Facts["history"]>;
  "graph.create_entities": Answer<Graph["create_entities"]>;
  "graph.create_relations": Answer<Graph["create_relations"]>;
  "graph.add_observations": Answer<Graph["add_observations"]>;
  "graph.delete_entities": Answer<Graph["delete_entities"]>;
  "graph.delete_observations": Answer<Graph["delete_observations"]>;
  "graph.delete_relations": Answer<Graph["delete_relations"]>;
  "graph.read_graph": Answer<Graph["read_graph"]>;
  "graph.search_nodes": Answer<Graph["search_nodes"]>;
  "graph.open_nodes": Answer<Graph["open_nodes"]>;
  "graph.search": Answer<Graph["search"]>;
  "graph.list": Answer<Graph["list"]>;
  "graph.relations": Answer<Graph["relations"]>;
  "graph.endRelations": Answer<Graph["endRelations"]>;
  "graph.neighbours": Answer<Graph["neighbours"]>;
  "graph.path": Answer<Graph["path"]>;
  "graph.resolve": Answer<Graph["resolve"]>;
  "graph.merge": Answer<Graph["merge"]>;
  "graph.update": Answer<Graph["update"]>;
  "graph.exportJsonl": Answer<Graph["exportJsonl"]>;
  "graph.importJsonl": Answer<Graph["importJsonl"]>;
  "facts.import": Answer<Facts["import"]>;
  "items.list": Answer<Items["list"]>;
  "items.get": Answer<Items["get"]>;
  "items.edit": Answer<Items["edit"]>;
  "items.delete": Answer<Items["delete"]>;
  "items.pin": Answer<Items["pin"]>;
  "items.purge": Answer<Items["purge"]>;
  "instructions.get": Answer<Instructions["get"]>;
  "instructions.set": Answer<Instructions["set"]>;
  "instructions.list": Answer<Instructions["list"]>;
  "instructions.revise": Answer<Instructions["revise"]>;
  "instructions.history": Answer<Instructions["history"]>;
  "instructions.rollback": Answer<Instructions["rollback"]>;
  "instructions.delete": Answer<Instructions["delete"]>;
  "tiers.add": Answer<Tiers["add"]>;
  "tiers.retrieve": Answer<Tiers["retrieve"]>;
  "tiers.prompt": Answer<Tiers["prompt"]>;
  "tiers.respond": Answer<Tiers["respond"]>;
  "tiers.state": Answer<Tiers["state"]>;
  "tiers.traits": Answer<Tiers["traits"]>;
  "tiers.update": Answer<Tiers["update"]>;
  "tiers.remove": Answer<Tiers["remove"]>;
  "tiers.clear": Answer<Tiers["clear"]>;
  "episodes.add": Answer<Episodes["add"]>;
  "episodes.get": Answer<Episodes["get"]>;
  "episodes.list": Answer<Episodes["list"]>;
  "episodes.search": Answer<Episodes["search"]>;
  "episodes.update": Answer<Episodes["update"]>;
  "episodes.delete": Answer<Episodes["delete"]>;
  "episodes.learn": Answer<Episodes["learn"]>;
  "threads.append": Answer<Threads["append"]>;
  "threads.remove": Answer<Threads["remove"]>;
  "threads.removeAll": Answer<Threads["removeAll"]>;
  "threads.trim": Trimmed<StoredMessage>;
  "threads.window": Answer<Threads["window"]>;
  "threads.summarise": Answer<Threads["summarise"]>;
  "threads.summary": Answer<Threads["summary"]>;
  "threads.summaries": Answer<Threads["summaries"]>;
  "threads.list": Answer<Threads["list"]>;
  "threads.messages": Answer<Threads["messages"]>;
  "threads.search": Answer<Threads["search"]>;
  "documents.put": Answer<Documents["put"]>;
  "documents.get": Answer<Documents["get"]>;
  "documents.delete": Answer<Documents["delete"]>;
  "documents.move": Answer<Documents["move"]>;
  "documents.deleteAll": Answer<Documents["deleteAll"]>;
  "documents.list": Answer<Documents["list"]>;
  "documents.search": Answer<Documents["search"]>;
  "documents.listNamespaces": Answer<Documents["listNamespaces"]>;
  "documents.batch": DocumentOutcome[];
  "context.blocks.list": Answer<Blocks["list"]>;
  "context.blocks.get": Answer<Blocks["get"]>;
  "context.blocks.set": Answer<Blocks["set"]>;
  "context.blocks.delete": Answer<Blocks["delete"]>;
  "context.archive.insert": Answer<Archive["insert"]>;
  "context.archive.search": Answer<Archive["search"]>;
  "context.archive.delete": Answer<Archive["delete"]>;
  "context.call": Answer<Context["call"]>;
  "context.load": Answer<Context["load"]>;
  "context.step": Answer<Context["step"]>;
  "context.status": Answer<Context["status"]>;
  import: Answer<User["import"]>;
  usage: Answer<Memory["usage"]>;
  verify: Answer<Memory["verify"]>;
  idle: Answer<Memory["idle"]>;
  jobs: Answer<Memory["jobs"]>;
  inspect: Answer<Memory["inspect"]>;
  change: Events["change"];
  extraction: Events["extraction"];
  error: Events["error"];
  span: Events["span"];
}
`;

const PROFILES = { person: { type: "object", properties: { city: { type: "string" }, age: { type: "integer" } } } };

/** A storage in a Map, that several memories open one after the other. */
function mapStorage(pairs) {
  return {
    read: (start, end) => [...pairs].filter(([key]) => start <= key && key < end).sort(([a], [b]) => (a < b ? -1 : 1)),
    write({ puts, deletes }) {
      for (const key of deletes) pairs.delete(key);
      for (const [key, value] of puts) pairs.set(key, value.slice());
    },
  };
}

let project, mnemic, shapes;
const shown = new Set();

/** Checks an answer and passes it on. */
function is(name, value) {
  shown.add(name);
  assert.deepEqual(shapes.complaints(name, value), []);
  return value;
}

before(async () => {
  project = await createProject();
  mnemic = await project.import('export * from "mnemic";');
  const file = await project.write("answers.ts", DECLARATIONS);
  const { default: ts } = await import("typescript");
  shapes = new Shapes(file, {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ["lib.es2022.d.ts", "lib.dom.d.ts"],
    types: [],
    skipLibCheck: true,
  });
});

after(() => project?.remove());

async function open(pairs, options) {
  const memory = await mnemic.openMemory({
    name: "shapes",
    storage: mapStorage(pairs),
    profiles: PROFILES,
    extraction: { trigger: { messages: 1 } },
    ...options,
  });
  for (const name of ["change", "extraction", "error"]) memory.on(name, (event) => is(name, event));
  return [memory, memory.scope({ userId: "alice" })];
}

test("what an app writes, reads, looks back at and takes back", async () => {
  const [memory, user] = await open(new Map());
  const message = { role: "user", content: "I have a cello lesson on Thursday.", id: "one", name: "Alice", metadata: { by: "app" } };
  const parts = [{ type: "text", text: "Which one?" }, { type: "image", url: "a:b" }];
  const { messageIds } = is("remember", await user.remember([message, { role: "assistant", content: parts }]));
  is("remember", await user.remember(message));
  const expiresAt = Date.now() + 3_600_000;
  const added = is("facts.add", await user.facts.add({ text: "Alice plays the cello", category: "preference", metadata: { a: [1] }, expiresAt }));
  is("facts.add", await user.facts.add("Alice plays the cello"));
  is("facts.update", await user.facts.update(added.id, { significance: 9, dates: { since: "spring 2021", until: "9998" } }));
  is("facts.get", await user.facts.get(added.id));
  is("facts.get", await user.facts.get("0191a0b0-0000-7000-8000-000000000000"));
  is("facts.list", await user.facts.list());
  is("facts.search", await user.facts.search("cello"));
  is("facts.history", await user.facts.history(added.id));
  const city = is("profiles.set", await user.profiles.set("person", "city", "Lisbon"));
  is("profiles.patch", await user.profiles.patch("person", { city: "Porto", age: 40 }));
  is("profiles.set", await user.profiles.set("person", "age", 41, { expiresAt, metadata: { by: "form" }, labels: { form: "7" } }));
  is("profiles.diff", await user.profiles.diff("person", "city", 1, 2));
  is("profiles.diff", await user.profiles.diff("person", "age", 1, 2));
  is("profiles.history", await user.profiles.history("person", "age"));
  is("profiles.rollback", await user.profiles.rollback("person", "city", 1));
  is("profiles.history", await user.profiles.history("person", "city"));
  is("profiles.get", await user.profiles.get());
  is("recall", await user.recall("when is the cello lesson?", { rewrite: true }));
  for (const id of [added.id, city.id, messageIds[0]]) {
    is("explain", await user.explain(id));
    is("history", await user.history(id));
  }
  is("profiles.delete", await user.profiles.delete("person", "age"));
  const gone = is("facts.delete", await user.facts.delete(added.id));
  is("history", await user.history(added.id));
  is("forget", await user.forget({ query: "cello" }));
  is("undo", await user.undo(gone.commitId));
  is("threads.list", await user.threads.list());
  is("threads.messages", await user.threads.messages("default"));
  is("threads.search", await user.threads.search("cello"));
  is("profiles.get", await user.asOf(Date.now()).profiles.get());
  is("facts.list", await user.asOf(Date.now()).facts.list());
  is("usage", await memory.usage());
  is("verify", await memory.verify());
  is("idle", await memory.idle());
  is("inspect", await memory.inspect());
  await memory.close();
});

test("what documents and imports answer", async () => {
  const [memory, user] = await open(new Map());
  const put = is("documents.put", await user.documents.put(["a", "b"], "k", { words: "cello lesson" }, { ttlMs: 300_000 }));
  is("documents.put", await user.documents.put(["a"], "l", { words: "other" }, { index: false }));
  is("documents.get", await user.documents.get(["a", "b"], "k"));
  is("documents.get", await user.documents.get(["a"], "k"));
  await user.documents.put(["a"], "bytes", new Uint8Array([1, 2]));
  is("documents.get", await user.documents.get(["a"], "bytes"));
  is("documents.search", await user.documents.search(["a"], { query: "cello" }));
  is("documents.move", await user.documents.move(["a"], "l", { toKey: "moved" }));
  is("documents.move", await user.documents.move(["a"], "l", { toKey: "moved" }));
  await user.documents.move(["a"], "moved", { toKey: "l" });
  is("documents.list", await user.documents.list(["a"]));
  is("documents.listNamespaces", await user.documents.listNamespaces());
  const operations = [
    { op: "get", namespace: ["a"], key: "l" },
    { op: "search", query: "cello" },
    { op: "listNamespaces" },
    { op: "put", namespace: ["a"], key: "m", value: {} },
    { op: "delete", namespace: ["a"], key: "none" },
    { op: "list", prefix: ["a"] },
    { op: "move", namespace: ["a"], key: "none", toKey: "n" },
    { op: "deleteAll", prefix: ["none"] },
  ];
  is("documents.batch", await user.documents.batch(operations));
  is("explain", await user.explain(put.id));
  is("history", await user.history(put.id));
  is("documents.delete", await user.documents.delete(["a", "b"], "k"));
  is("documents.delete", await user.documents.delete(["a", "b"], "k"));
  is("documents.deleteAll", await user.documents.deleteAll(["a"]));
  is("import", await user.import([{ namespace: ["a"], key: "n", value: {} }, { namespace: 1, key: "o", value: {} }]));
  await memory.close();
});

test("what a model extracts, corrects and fails at, and what no longer fits its schema", async () => {
  const pairs = new Map();
  const answers = [
    {
      facts: [{ action: "add", text: "The user lives in Lisbon.", category: "personal info", significance: 7, message: 1, quote: "in Lisbon" }],
      profile: [{ schema: "person", field: "city", value: "Lisbon", context: "The user lives in Lisbon.", message: 1, quote: "Lisbon" }],
    },
    { facts: [{ action: "supersede", target: 1, text: "The user lives in Porto.", message: 1, quote: "to Porto" }], profile: [] },
    "no JSON",
    "nor this",
  ];
  const llm = () => answers.shift() ?? Promise.reject(new Error("offline"));
  const embed = { id: "toy", embed: (texts) => texts.map(({ length }) => [1, length]) };
  const [memory, user] = await open(pairs, { llm, embed, keepPrompts: true });
  memory.on("span", (span) => is("span", span));
  for (const content of ["I live in Lisbon.", "I moved to Porto.", "And now?"]) {
    await user.remember({ role: "user", content });
    is("idle", await memory.idle());
    is("jobs", await memory.jobs());
    is("inspect", await memory.inspect());
  }
  const facts = is("facts.list", await user.facts.list({ includeEnded: true }));
  assert.equal(facts.length, 2);
  is("items.list", await user.items.list({ includeEnded: true }));
  for (const { id } of facts) {
    is("explain", await user.explain(id));
    is("facts.history", await user.facts.history(id));
  }
  const { person } = is("profiles.get", await user.profiles.get());
  is("explain", await user.explain(person.fields.city.id));
  is("history", await user.history(person.fields.city.id));
  const { id: madrid } = await user.facts.add({ text: "The user lives in Madrid", dates: { since: "2020" } });
  await memory.idle();
  is("facts.list", await user.facts.list({ contested: true }));
  is("facts.get", await user.facts.get(madrid, { contested: true }));
  is("facts.search", await user.facts.search("where does the user live?", { includeEnded: true }));
  is("recall", await user.recall("where does the user live?"));
  await user.facts.update(madrid, { validTo: Date.now() - 1000 });
  const { items } = is("recall", await user.recall("where did the user live before?"));
  assert.ok(items.find(({ id }) => id === madrid).validTo < Date.now());
  is("usage", await memory.usage());
  is("inspect", await memory.inspect());
  await memory.close();

  const offline = { id: "toy", embed: () => Promise.reject(new Error("offline")) };
  const narrower = { person: { type: "object", properties: { city: { enum: ["Porto"] }, age: { type: "integer" } } } };
  const [again, same] = await open(pairs, { profiles: narrower, embed: offline });
  assert.equal(is("profiles.get", await same.profiles.get()).person.fields.city.stale.length, 1);
  assert.equal(is("recall", await same.recall("where?")).warnings.length, 1);
  await same.facts.add("Alice sings");
  is("idle", await again.idle());
  is("recall", await same.recall("who sings?"));
  const [embedding] = is("jobs", await again.jobs());
  assert.deepEqual([embedding.kind, embedding.waiting, embedding.failures], ["embedding", 1, 1]);
  await again.close();
});

test("what a virtual context holds and answers", async () => {
  const answers = [
    { toolCalls: [{ name: "core_memory_append", arguments: { label: "human", content: "Plays the cello." } }] },
    { toolCalls: [{ name: "send_message", arguments: JSON.stringify({ message: "Lovely!" }) }] },
  ];
  const llm = () => answers.shift() ?? Promise.reject(new Error("offline"));
  const [memory, { context, items }] = await open(new Map(), { llm, extraction: { auto: false } });
  is("context.blocks.list", await context.blocks.list());
  is("context.status", await context.status());
  is("context.step", await context.step("I play the cello."));
  is("context.blocks.get", await context.blocks.get("human"));
  is("context.blocks.get", await context.blocks.get("nobody"));
  is("context.blocks.set", await context.blocks.set({ label: "plans", value: "a", description: "b", limit: 10, readOnly: true }));
  is("context.call", await context.call("core_memory_append", { label: "plans", content: "c" }));
  is("context.blocks.list", await context.blocks.list());
  is("context.blocks.delete", await context.blocks.delete("plans"));
  is("context.load", await context.load("Strings are tuned in fifths.", { name: "a", tags: ["b"] }));
  const { id } = is("context.archive.insert", await context.archive.insert("Cello lesson on Thursday."));
  is("context.archive.search", await context.archive.search({ query: "cello strings" }));
  is("context.archive.delete", await context.archive.delete(id));
  is("items.list", await items.list());
  await memory.close();
});

test("what is in a graph", async () => {
  const [memory, { graph }] = await open(new Map());
  const entities = ["Kim Minsu", "Mr. Kim", "Acme"].map((name) => ({ name, entityType: "thing", observations: ["a", "b"] }));
  const relations = [{ from: "Kim Minsu", to: "Acme", relationType: "works_at" }, { from: "Mr. Kim", to: "Acme", relationType: "knows" }];
  is("graph.create_entities", await graph.create_entities({ entities }));
  is("graph.create_entities", await graph.create_entities({ entities }));
  is("graph.create_relations", await graph.create_relations({ relations }));
  is("graph.add_observations", await graph.add_observations({ observations: [{ entityName: "Acme", contents: ["c"] }] }));
  is("graph.read_graph", await graph.read_graph({ maxTokens: 60 }));
  is("graph.search_nodes", await graph.search_nodes({ query: "kim" }));
  is("graph.open_nodes", await graph.open_nodes({ names: ["Acme"], observationLimit: 1 }));
  is("graph.search", await graph.search("Acme", { observationLimit: 1 }));
  is("graph.neighbours", await graph.neighbours({ names: ["Acme"] }));
  is("graph.neighbours", await graph.neighbours({ names: ["Acme"], limit: 1 }));
  is("graph.path", await graph.path({ from: "Kim Minsu", to: "Mr. Kim" }));
  is("graph.path", await graph.path({ from: "Kim Minsu", to: "Mr. Kim", maxDepth: 1 }));
  is("graph.endRelations", await graph.endRelations({ relations: relations.slice(0, 1) }));
  is("graph.relations", await graph.relations({ includeEnded: true }));
  is("graph.resolve", await graph.resolve("Kim"));
  is("graph.update", await graph.update({ name: "Mr. Kim", entityType: "human" }));
  is("graph.merge", await graph.merge({ into: "Kim Minsu", from: "Mr. Kim", evidence: "said so" }));
  is("graph.resolve", await graph.resolve("Mr. Kim"));
  is("graph.list", await graph.list({ observationLimit: 1 }));
  is("graph.importJsonl", await graph.importJsonl(`${is("graph.exportJsonl", await graph.exportJsonl())}nonsense`));
  is("graph.delete_observations", await graph.delete_observations({ deletions: [{ entityName: "Acme", observations: ["a"] }] }));
  is("graph.delete_relations", await graph.delete_relations({ relations }));
  is("graph.delete_entities", await graph.delete_entities({ entityNames: ["Acme"] }));
  await memory.close();
});

test("what is learned at once", async () => {
  const field = (value, said) => ({ schema: "person", field: "city", value, said, message: 1, quote: "Braga" });
  const answers = [
    { facts: [{ action: "add", text: "The user lives in Porto.", message: 1 }], profile: [field("Porto")] },
    { facts: [{ action: "supersede", target: 1, text: "The user lives in Braga.", message: 1 }], profile: [field("Porto, Braga", "Braga")] },
    { facts: [], profile: [field(null)] },
  ];
  const [memory, user] = await open(new Map(), { llm: () => answers.shift(), extraction: { auto: false } });
  const say = (content) => ({ messages: { role: "user", content }, ttlMs: 3_600_000 });
  is("generate", await user.generate(say("I live in Porto.")));
  const { changes } = is("generate", await user.generate(say("I live in Braga.")));
  assert.equal(changes.length, 3);
  is("profiles.history", await user.profiles.history("person", "city"));
  await user.remember({ role: "user", content: "I live nowhere." });
  is("flush", await user.flush({ threadId: "elsewhere" }));
  const [{ action }] = is("flush", await user.flush()).changes;
  assert.equal(action, "deleted");
  await memory.close();
});

test("scores, imports, items, instructions and episodes", async () => {
  const written = { situation: "a late bus", approach: "walk", outcome: "a dry walk", messages: [1] };
  const llm = ({ purpose }) => ({ revise: { text: "Be kind.", why: "Asked for." }, rewrite: { queries: ["train"] } })[purpose] ?? { episode: written };
  const [memory, user] = await open(new Map(), { llm, extraction: { auto: false } });
  await user.remember({ role: "user", content: "My bus is late." }, { threadId: "t" });
  const facts = [{ text: "Alice plays the cello", sourceId: "1", validFrom: 0, expiresAt: Date.now() + 3_600_000 }];
  is("facts.import", await user.facts.import(facts));
  is("facts.import", await user.facts.import(facts));
  await user.profiles.set("person", "city", "Lisbon");
  is("instructions.get", await user.instructions.get());
  is("instructions.set", await user.instructions.set("Be brief."));
  is("instructions.revise", await user.instructions.revise({ feedback: "Kinder!", threadId: "t" }));
  is("instructions.get", await user.instructions.get());
  is("instructions.list", await user.instructions.list());
  is("instructions.history", await user.instructions.history());
  is("instructions.rollback", await user.instructions.rollback("assistant", 1));
  const train = { situation: "a late train", approach: "rebook", outcome: "a free seat", threadId: "t", metadata: { a: 1 } };
  const { id } = is("episodes.add", await user.episodes.add(train));
  is("episodes.learn", await user.episodes.learn({ threadId: "t" }));
  is("episodes.search", await user.episodes.search("late bus", { scoring: { mode: "sum" } }));
  is("episodes.search", await user.episodes.search("late bus"));
  is("recall", await user.recall("late bus", { scoring: { mode: "product" } }));
  is("facts.search", await user.facts.search("cello", { scoring: { mode: "sum" } }));
  await memory.idle();
  is("facts.search", await user.facts.search("cello"));
  is("facts.list", await user.facts.list());
  is("episodes.search", await user.episodes.search("late bus"));
  is("episodes.list", await user.episodes.list());
  is("episodes.update", await user.episodes.update(id, { outcome: "none" }));
  is("episodes.get", await user.episodes.get(id));
  const items = is("items.list", await user.items.list());
  for (const item of items) {
    is("items.pin", await user.items.pin(item.id));
    is("items.edit", await user.items.edit(item.id, { significance: 3 }));
    is("items.get", await user.items.get(item.id));
    is("explain", await user.explain(item.id));
    is("history", await user.history(item.id));
  }
  is("recall", await user.recall("late bus"));
  const entity = (name) => ({ name, entityType: "thing", observations: [] });
  await user.graph.create_entities({ entities: ["User", "Ana", "Acme"].map(entity) });
  const relations = [{ from: "User", to: "Ana", relationType: "has_sister" }, { from: "Ana", to: "Acme", relationType: "works_at" }];
  await user.graph.create_relations({ relations });
  is("recall", await user.recall("where does my sister work?", { rewrite: true, hops: 1 }));
  is("episodes.delete", await user.episodes.delete(id));
  is("items.get", await user.items.get(id));
  is("episodes.get", await user.episodes.get(id));
  is("items.delete", await user.items.delete(items.find(({ kind }) => kind === "fact").id));
  is("instructions.delete", await user.instructions.delete());
  is("items.purge", await user.items.purge({ filter: {} }));
  is("items.purge", await user.items.purge({ filter: {}, force: true }));
  await memory.close();
});

test("tiers", async () => {
  const pages = [{ page: 1, continues: true, chain: "Tea.", keywords: ["tea"], theme: 1 }];
  const agent = [{ text: "The assistant recommended tea.", message: 1 }];
  const evidence = "Asks about tea.";
  const traits = [{ name: "curiosity", level: "high", confidence: 0.4, evidence, message: 1 }];
  const answers = {
    tier: { pages, themes: [{ segment: null, summary: "Tea." }] },
    distil: { facts: [{ action: "add", text: "Alice likes tea", message: 1, quote: "tea" }], traits, agent, agent_profile: [{ name: "role", value: "host", message: 1 }] },
  };
  const llm = ({ purpose }) => answers[purpose] ?? "Green tea.";
  const [memory, user] = await open(new Map(), { llm, extraction: { auto: false }, tiers: { capacity: 1, heat: 1 } });
  is("tiers.state", await user.tiers.state());
  await user.profiles.set("person", "city", "Lisbon");
  is("tiers.add", await user.tiers.add({ query: "Which tea?", response: "Green tea.", threadId: "t", metadata: { a: 1 } }));
  is("tiers.respond", await user.tiers.respond("More tea?"));
  is("tiers.update", await user.tiers.update());
  is("tiers.traits", await user.tiers.traits());
  is("tiers.retrieve", await user.tiers.retrieve("tea that the assistant recommended"));
  await memory.idle();
  is("tiers.retrieve", await user.tiers.retrieve("tea that the assistant recommended"));
  is("tiers.state", await user.tiers.state());
  is("tiers.prompt", await user.tiers.prompt("Which tea?"));
  for (const { id } of is("items.list", await user.items.list({ kinds: ["trait"] }))) is("explain", await user.explain(id));
  is("tiers.remove", await user.tiers.remove((await user.tiers.state()).recent[0].id));
  is("tiers.clear", await user.tiers.clear());
  await memory.close();
});

test("what is damaged", async () => {
  const pairs = new Map();
  const [memory, user] = await open(pairs);
  await user.facts.add("Alice sings");
  for (const [key, value] of pairs) if (key !== "head") value.fill(0xff, 12);
  const { ok, damage } = is("verify", await memory.verify());
  assert.equal(ok, false);
  assert.ok(damage.length > 0);
  await memory.close();
});

test("threads and their summaries", async () => {
  const llm = () => ({ summary: "They looked for the way." });
  const [memory, user] = await open(new Map(), { llm, extraction: { auto: false }, summaries: { auto: true } });
  const tool = [
    { role: "user", content: "Which way?", createdAt: Date.UTC(2026, 0, 1) },
    { role: "assistant", content: null, toolCalls: [{ id: "c1" }], createdAt: Date.UTC(2026, 0, 1) },
    { role: "tool", name: "map", content: "North", toolCallId: "c1", createdAt: Date.UTC(2026, 0, 1) },
  ];
  const { messageIds: appended } = is("threads.append", await user.threads.append(tool, { threadId: "tools" }));
  is("threads.messages", await user.threads.messages("tools"));
  is("threads.trim", await user.threads.trim({ threadId: "tools", maxTokens: 1000 }));
  is("threads.summarise", await user.threads.summarise("tools"));
  is("threads.summary", await user.threads.summary("tools"));
  is("threads.window", await user.threads.window("tools"));
  await memory.idle();
  const [week] = is("threads.summaries", await user.threads.summaries({ level: "week" }));
  assert.equal(week?.text, "They looked for the way.");
  is("threads.remove", await user.threads.remove("tools", [appended[0]]));
  is("threads.removeAll", await user.threads.removeAll("tools"));
  await memory.close();
  const [other, own] = await open(new Map(), { extraction: { auto: false } });
  await own.threads.append(Array.from({ length: 12 }, (_, n) => ({ role: "user", content: `${n}` })), { threadId: "long" });
  assert.equal(is("threads.window", await own.threads.window("long")).missing, 2);
  const plans = ["The deadline for the paper, the deadline of deadlines: the fourth.", "They have moved the deadline for my paper to the ninth, as my adviser wrote."];
  const said = (content, day, name) => ({ role: "user", name, content, createdAt: Date.UTC(2024, 4, day) });
  await own.threads.append([said(plans[0], 1, "Ana"), said(plans[1], 2, "Ana")], { threadId: "plans" });
  await own.threads.append([said("The paper has no deadline.", 3, "Ben"), said("It rains.", 4, "Ben")], { threadId: "weather" });
  const [first] = is("threads.search", await own.threads.search("When is the deadline for the paper?"));
  assert.equal(first.content, plans[1]);
  is("threads.search", await own.threads.search("What did Ana say of the paper in May 2024?"));
  await other.close();
});

test("what is masked, withheld and forgotten", async () => {
  const quote = "I live in Lisbon";
  const learned = {
    facts: [{ action: "add", text: "The user lives in Lisbon.", message: 1, quote }],
    profile: [{ schema: "person", field: "city", value: "Lisbon", extracted: "Lisbon", context: "They said so.", message: 1, quote }],
    entities: [{ name: "Lisbon", type: "city", observations: ["The user lives there."], same_as: null, message: 1, quote }],
    relations: [{ from: "User", relation: "lives_in", to: "Lisbon", since: "2021", message: 1, quote }],
  };
  const [memory, user] = await open(new Map(), { llm: () => learned, extraction: { auto: false, graph: true } });
  const card = "4111 1111 1111 1111";
  const said = { role: "user", content: `${quote}. My card is ${card}.` };
  is("remember", await user.remember({ ...said, trust: "web" }, { threadId: "page", learn: false }));
  is("threads.messages", await user.threads.messages("page"));
  await user.generate({ messages: { ...said, trust: "web" } });
  is("graph.relations", await user.graph.relations());
  const [web] = is("facts.list", await user.facts.list());
  is("facts.delete", await user.facts.delete(web.id));
  await user.forget({ scope: true });
  await user.generate({ messages: said, threadId: "home" });
  is("facts.add", await user.facts.add(`The card ${card}`));
  is("facts.import", await user.facts.import([{ text: `A card: ${card}` }]));
  is("graph.delete_entities", await user.graph.delete_entities({ entityNames: ["Lisbon"] }));
  const fact = (await user.facts.list()).find(({ text }) => text.includes("lives"));
  const deleted = is("facts.delete", await user.facts.delete(fact.id));
  assert.equal(deleted.twins.length, 1);
  is("threads.messages", await user.threads.messages("home"));
  is("forget", await user.forget({ threadId: "home" }));
  await memory.close();
});

test("every method and event was asked, and everything declared was seen", () => {
  assert.deepEqual(shapes.unasked(shown), []);
  assert.deepEqual(shapes.unseen(), []);
});
