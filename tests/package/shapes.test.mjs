/**
 * What the engine answers is what the package declares: every method and event, walked property by property. A property that
 * the engine adds, drops or renames fails here, and so does one that is declared and never comes.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createProject } from "./support/project.mjs";
import { Shapes } from "./support/shape.mjs";

const DECLARATIONS = `
import type { Episodes, Events, Facts, Instructions, Items, Memory, Scope, Threads } from "mnemic";

type Profile = { readonly person: { readonly properties: { readonly city: { readonly type: "string" }; readonly age: { readonly type: "integer" } } } };
type User = Scope<Profile>;
type Answer<Method extends (...values: never[]) => unknown> = Awaited<ReturnType<Method>>;

export interface Answers {
  remember: Answer<User["remember"]>;
  recall: Answer<User["recall"]>;
  history: Answer<User["history"]>;
  undo: Answer<User["undo"]>;
  explain: Answer<User["explain"]>;
  "profiles.get": Answer<User["profiles"]["get"]>;
  "profiles.set": Answer<User["profiles"]["set"]>;
  "profiles.patch": Answer<User["profiles"]["patch"]>;
  "profiles.delete": Answer<User["profiles"]["delete"]>;
  "profiles.history": Answer<User["profiles"]["history"]>;
  "profiles.rollback": Answer<User["profiles"]["rollback"]>;
  "facts.add": Answer<Facts["add"]>;
  "facts.get": Answer<Facts["get"]>;
  "facts.list": Answer<Facts["list"]>;
  "facts.search": Answer<Facts["search"]>;
  "facts.update": Answer<Facts["update"]>;
  "facts.delete": Answer<Facts["delete"]>;
  "facts.history": Answer<Facts["history"]>;
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
  "episodes.add": Answer<Episodes["add"]>;
  "episodes.get": Answer<Episodes["get"]>;
  "episodes.list": Answer<Episodes["list"]>;
  "episodes.search": Answer<Episodes["search"]>;
  "episodes.update": Answer<Episodes["update"]>;
  "episodes.delete": Answer<Episodes["delete"]>;
  "episodes.learn": Answer<Episodes["learn"]>;
  "threads.list": Answer<Threads["list"]>;
  "threads.messages": Answer<Threads["messages"]>;
  "threads.search": Answer<Threads["search"]>;
  usage: Answer<Memory["usage"]>;
  verify: Answer<Memory["verify"]>;
  idle: Answer<Memory["idle"]>;
  change: Events["change"];
  extraction: Events["extraction"];
  error: Events["error"];
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
    extraction: { delayMs: 0 },
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
  is("facts.update", await user.facts.update(added.id, { significance: 9 }));
  is("facts.get", await user.facts.get(added.id));
  is("facts.get", await user.facts.get("0191a0b0-0000-7000-8000-000000000000"));
  is("facts.list", await user.facts.list());
  is("facts.search", await user.facts.search("cello"));
  is("facts.history", await user.facts.history(added.id));
  const city = is("profiles.set", await user.profiles.set("person", "city", "Lisbon"));
  is("profiles.patch", await user.profiles.patch("person", { city: "Porto", age: 40 }));
  is("profiles.rollback", await user.profiles.rollback("person", "city", 1));
  is("profiles.history", await user.profiles.history("person", "city"));
  is("profiles.get", await user.profiles.get());
  is("recall", await user.recall("when is the cello lesson?"));
  for (const id of [added.id, city.id, messageIds[0]]) {
    is("explain", await user.explain(id));
    is("history", await user.history(id));
  }
  is("profiles.delete", await user.profiles.delete("person", "age"));
  const gone = is("facts.delete", await user.facts.delete(added.id));
  is("history", await user.history(added.id));
  is("undo", await user.undo(gone.commitId));
  is("threads.list", await user.threads.list());
  is("threads.messages", await user.threads.messages("default"));
  is("threads.search", await user.threads.search("cello"));
  is("profiles.get", await user.asOf(Date.now()).profiles.get());
  is("facts.list", await user.asOf(Date.now()).facts.list());
  is("usage", await memory.usage());
  is("verify", await memory.verify());
  is("idle", await memory.idle());
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
  const [memory, user] = await open(pairs, { llm, embed });
  for (const content of ["I live in Lisbon.", "I moved to Porto.", "And now?"]) {
    await user.remember({ role: "user", content });
    is("idle", await memory.idle());
  }
  const facts = is("facts.list", await user.facts.list({ includeSuperseded: true }));
  assert.equal(facts.length, 2);
  is("items.list", await user.items.list({ includeEnded: true }));
  for (const { id } of facts) {
    is("explain", await user.explain(id));
    is("facts.history", await user.facts.history(id));
  }
  const { person } = is("profiles.get", await user.profiles.get());
  is("explain", await user.explain(person.fields.city.id));
  is("history", await user.history(person.fields.city.id));
  is("facts.search", await user.facts.search("where does the user live?"));
  is("recall", await user.recall("where does the user live?"));
  is("usage", await memory.usage());
  await memory.close();

  const offline = { id: "toy", embed: () => Promise.reject(new Error("offline")) };
  const narrower = { person: { type: "object", properties: { city: { enum: ["Porto"] }, age: { type: "integer" } } } };
  const [again, same] = await open(pairs, { profiles: narrower, embed: offline });
  assert.equal(is("profiles.get", await same.profiles.get()).person.fields.city.stale.length, 1);
  assert.equal(is("recall", await same.recall("where?")).warnings.length, 1);
  await same.facts.add("Alice sings");
  is("idle", await again.idle());
  await again.close();
});

test("scores, imports, items, instructions and episodes", async () => {
  const written = { situation: "a late bus", approach: "walk", outcome: "a dry walk", messages: [1] };
  const llm = ({ purpose }) => (purpose === "revise" ? { text: "Be kind.", why: "Asked for." } : { episode: written });
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
  is("episodes.delete", await user.episodes.delete(id));
  is("items.get", await user.items.get(id));
  is("episodes.get", await user.episodes.get(id));
  is("items.delete", await user.items.delete(items.find(({ kind }) => kind === "fact").id));
  is("instructions.delete", await user.instructions.delete());
  is("items.purge", await user.items.purge({ filter: {} }));
  is("items.purge", await user.items.purge({ filter: {}, force: true }));
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

test("every method and event was asked, and everything declared was seen", () => {
  assert.deepEqual(shapes.unasked(shown), []);
  assert.deepEqual(shapes.unseen(), []);
});
