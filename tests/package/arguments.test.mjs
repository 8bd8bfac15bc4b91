/**
 * Every argument of every method, with values that it cannot be: the call fails with a typed error in our words, which name the
 * argument and what to pass, and nothing is changed.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { mnemic } from "./support/installed.mjs";
import { at, changed, NEVER, OTHER, places } from "./support/wrong.mjs";

const PROFILES = { person: { type: "object", properties: { city: { type: "string" } } } };
const LATER = Date.now() + 3_600_000;
const filter = { text: { $exists: true } };
const message = { role: "user", content: "hello", id: "m", name: "Ana", createdAt: 5000, trust: "user", metadata: { a: 1 } };
const page = { limit: 5, offset: 0 };
const scoring = { mode: "sum", weights: { similarity: 1, recency: 1, significance: 1 }, decay: 0.9 };
const relation = { from: "Ana", to: "Ben", relationType: "knows" };
const selection = {
  depth: 1, match: [{ prefix: ["a"], suffix: ["a"] }], keyPrefix: "k", after: "a", where: { key: "k" }, filter: { a: 1 }, orderBy: "key", order: "desc",
};
const excerpt = { maxTokens: 1000, observationLimit: 5 };

/** Data of the app, and what has a language of its own: whatever is in it is not an argument. */
const FREE = new Set(["metadata", "filter", "where", "value", "patch", "arguments", "labels"]);

/** For every method arguments with all that it takes. `ids` are those of the scope. */
const CALLS = {
  remember: () => [[message], { threadId: "t", learn: true }],
  generate: () => [{
    messages: [message], threadId: "t", facts: ["Ana sings", { text: "Ana dances", topic: "other" }], labels: { a: "b" }, metadata: { a: 1 },
    metadataMerge: "merge", ttlMs: 60_000, consolidate: true, topics: [{ label: "t", description: "d" }], participants: ["Ana"],
  }],
  flush: () => [{ threadId: "t" }],
  recall: () => ["bees", {
    maxTokens: 500, limit: 5, currentThreadId: "t", filter, threshold: 0.5, scoring, sections: { facts: { priority: 1, maxTokens: 100 } }, rewrite: true, hops: 1,
  }],
  tools: () => ["openai", { include: ["facts"] }],
  history: ({ fact }) => [fact],
  undo: ({ commit }) => [commit],
  forget: ({ fact }) => [{ ids: [fact] }, { preview: true, limit: 5 }],
  explain: ({ fact }) => [fact],
  "facts.add": () => [{
    text: "Ana keeps hens", category: "other", significance: 5, metadata: { a: 1 }, dates: { since: "2021", until: "2022" },
    expiresAt: LATER, trust: "user", sourceId: "s",
  }],
  "facts.import": () => [[{ text: "Ana keeps ducks", significance: 5, embedding: [1, 15] }]],
  "facts.get": ({ fact }) => [fact, { contested: true }],
  "facts.list": () => [{ ...page, filter, includeEnded: false, contested: false, validAt: 5000 }],
  "facts.search": () => ["bees", { limit: 5, filter, threshold: 0.5, scoring, includeEnded: true }],
  "facts.update": ({ fact }) => [fact, {
    text: "Ana keeps bees", category: "other", significance: 5, metadata: { a: 1 }, validFrom: 5000, validTo: LATER, expiresAt: LATER,
  }, { keepSource: true }],
  "facts.delete": ({ fact }) => [fact, { keepSource: true }],
  "facts.history": ({ fact }) => [fact],
  "facts.consolidate": () => [{ limit: 5 }],
  "items.list": () => [{ ...page, kinds: ["fact"], filter, includeEnded: true }],
  "items.get": ({ fact }) => [fact],
  "items.edit": ({ fact }) => [fact, { text: "Ana keeps bees", significance: 5, metadata: { a: 1 }, expiresAt: LATER }, { keepSource: true }],
  "items.delete": ({ fact }) => [fact, { keepSource: true }],
  "items.pin": ({ fact }) => [fact, true],
  "items.purge": () => [{ kinds: ["fact"], filter: { text: "nothing" }, force: true, keepSource: true }],
  "instructions.get": () => ["assistant"],
  "instructions.set": () => ["Be kind.", { name: "assistant" }],
  "instructions.revise": () => [{ feedback: "Be kinder.", name: "assistant", threadId: "t" }],
  "instructions.list": () => [{}],
  "instructions.history": () => ["assistant"],
  "instructions.rollback": () => ["assistant", 1],
  "instructions.delete": () => ["assistant"],
  "episodes.add": () => [{ situation: "s", approach: "a", outcome: "o", metadata: { a: 1 }, threadId: "t" }],
  "episodes.get": ({ episode }) => [episode],
  "episodes.list": () => [{ ...page, filter: { situation: "s" } }],
  "episodes.search": () => ["s", { limit: 5, threshold: 0.5, scoring }],
  "episodes.update": ({ episode }) => [episode, { situation: "s", approach: "a", outcome: "o", metadata: { a: 1 } }, { keepSource: true }],
  "episodes.delete": ({ episode }) => [episode, { keepSource: true }],
  "episodes.learn": () => [{ threadId: "t" }],
  "threads.list": () => [{}],
  "threads.messages": () => ["t", { ...page, order: "desc" }],
  "threads.search": () => ["hello", { limit: 5, threadId: "t", role: ["user"], from: 0, to: 9_000, filter: { content: "hello" }, threshold: 0.5 }],
  "threads.append": () => [[message], { threadId: "t" }],
  "threads.remove": ({ message: id }) => ["t", [id]],
  "threads.removeAll": () => ["other"],
  "threads.trim": () => [{ threadId: "t", maxTokens: 100, strategy: "last", startOn: ["user"], endOn: ["user"], includeSystem: true, allowPartial: true }],
  "threads.window": () => ["t", { last: 5 }],
  "threads.summarise": () => ["t"],
  "threads.summary": () => ["t"],
  "threads.summaries": () => [{ level: "week", limit: 5, exceptThreadId: "t" }],
  "tiers.add": () => [{ query: "q", response: "r", createdAt: 5000, metadata: { a: 1 }, threadId: "t", trust: "user" }],
  "tiers.retrieve": () => ["q", { topSegments: 5, topPages: 5, topKnowledge: 5 }],
  "tiers.prompt": () => ["q", { maxTokens: 1000 }],
  "tiers.respond": () => ["q", { maxTokens: 1000, threadId: "t" }],
  "tiers.state": () => [{}],
  "tiers.traits": () => [{}],
  "tiers.update": () => [{}],
  "tiers.remove": ({ page: id }) => [id],
  "tiers.clear": () => [{}],
  "documents.put": () => [["a"], "k", { a: 1 }, { index: ["a"], ttlMs: 5000, ifRevision: 1, ifAbsent: false }],
  "documents.get": () => [["a"], "k", { refreshTtl: true }],
  "documents.delete": () => [["a"], "other", { ifRevision: 1 }],
  "documents.move": () => [["a"], "other", { toNamespace: ["b"], toKey: "k", ifRevision: 1 }],
  "documents.deleteAll": () => [["other"], { ...selection, ...page }],
  "documents.list": () => [["a"], { ...selection, ...page }],
  "documents.search": () => [["a"], { ...page, query: "q", threshold: 0.5, filter: { "value.a": 1 }, refreshTtl: true, depth: 1 }],
  "documents.listNamespaces": () => [{ ...page, prefix: ["a"], suffix: ["a"], match: [{ prefix: ["a"] }], maxDepth: 2 }],
  "documents.batch": () => [[
    { op: "put", namespace: ["a"], key: "k", value: { a: 1 }, index: ["a"], ttlMs: 5000, ifRevision: 1 },
    { op: "get", namespace: ["a"], key: "k", refreshTtl: true },
    { op: "search", prefix: ["a"], query: "q", limit: 5, offset: 0 },
    { op: "listNamespaces", prefix: ["a"], maxDepth: 2 },
    { op: "list", prefix: ["a"], ...selection },
    { op: "move", namespace: ["a"], key: "k", toKey: "l" },
    { op: "deleteAll", prefix: ["other"], keyPrefix: "k" },
  ]],
  "context.assemble": () => [{
    maxTokens: 1000, threadId: "t", query: "q", instructions: "Be kind.", sections: { facts: { priority: 1, maxTokens: 100 } }, rewrite: true, hops: 1, as: "openai",
  }],
  "context.load": () => ["A long text.", { name: "book", tags: ["a"], passageTokens: 100 }],
  "context.step": () => [[message], { threadId: "t", maxCalls: 1, maxTokens: 2000, learn: true }],
  "context.status": () => [{ threadId: "t" }],
  "context.blocks.list": () => [{}],
  "context.blocks.get": () => ["human"],
  "context.blocks.set": () => [{ label: "notes", value: "v", description: "d", limit: 500, readOnly: false }],
  "context.blocks.delete": () => ["notes"],
  "context.archive.insert": () => ["A passage.", { tags: ["a"] }],
  "context.archive.search": () => [{ query: "q", tags: ["a"], match: "any", page: 0, limit: 5, threshold: 0.1, await: false }],
  "context.archive.delete": ({ passage }) => [passage],
  "commits.list": ({ commit }) => [{ causes: ["user"], before: commit, limit: 5 }],
  "proposals.list": () => [{}],
  "proposals.accept": ({ fact }) => [[fact]],
  "proposals.reject": ({ fact }) => [[fact]],
  "profiles.get": () => [{}],
  "profiles.set": () => ["person", "city", "Lisbon", { expiresAt: LATER, metadata: { a: 1 }, labels: { a: "b" }, keepSource: true }],
  "profiles.patch": () => ["person", { city: "Porto" }, { keepSource: true }],
  "profiles.delete": () => ["person", "city", { keepSource: true }],
  "profiles.history": () => ["person", "city"],
  "profiles.diff": () => ["person", "city", 1, 2],
  "profiles.rollback": () => ["person", "city", 1, { keepSource: true }],
  "graph.create_entities": () => [{ entities: [{ name: "Cem", entityType: "person", observations: ["sings"] }] }],
  "graph.create_relations": () => [{ relations: [relation] }],
  "graph.add_observations": () => [{ observations: [{ entityName: "Ana", contents: ["sings"] }] }],
  "graph.delete_entities": () => [{ entityNames: ["Nobody"] }, { keepSource: true }],
  "graph.delete_observations": () => [{ deletions: [{ entityName: "Ana", observations: ["snores"] }] }],
  "graph.delete_relations": () => [{ relations: [relation] }],
  "graph.read_graph": () => [excerpt],
  "graph.search_nodes": () => [{ ...excerpt, query: "Ana" }],
  "graph.open_nodes": () => [{ ...excerpt, names: ["Ana"] }],
  "graph.search": () => ["Ana", { limit: 5, filter: { name: "Ana" }, threshold: 0.5, observationLimit: 5 }],
  "graph.list": () => [{ ...page, entityTypes: ["person"], observationLimit: 5, asOf: LATER }],
  "graph.relations": () => [{ ...page, from: "Ana", to: "Ben", relationType: "knows", includeEnded: true, asOf: LATER }],
  "graph.endRelations": () => [{ relations: [relation], at: 5000 }],
  "graph.neighbours": () => [{ names: ["Ana"], depth: 1, limit: 5, relationTypes: ["knows"], asOf: LATER }],
  "graph.path": () => [{ from: "Ana", to: "Ben", maxDepth: 3, asOf: LATER }],
  "graph.resolve": () => ["Ana"],
  "graph.update": () => [{ name: "Ana", newName: "Anna", entityType: "person" }, { keepSource: true }],
  "graph.merge": () => [{ into: "Ana", from: "Ben", evidence: "said so" }],
  "graph.exportJsonl": () => [{}],
  "graph.importJsonl": () => ['{"type":"entity","name":"Dan","entityType":"person","observations":[]}'],
};

/** What is asked in another way: by tests of its own, or it answers with what is wrong instead of failing. */
const ELSEWHERE = new Set(["import", "export", "exportFiles", "asOf", "readOnly", "temporary", "callTool", "context.call"]);

/** Words of the parser, of the language it is written in, of JavaScript, and of what throws here. */
const FOREIGN =
  /invalid (type|value|length)|expected |unknown (field|variant)|missing field|struct |\b[iuf](8|32|64)\b|usize|at line \d|floating point|undefined \(|Cannot (read|convert|destructure|perform)|is not (a function|iterable)|mine/i;

let memory;

before(async () => {
  memory = await mnemic.openMemory({
    name: "arguments",
    storage: "memory",
    profiles: PROFILES,
    extraction: { auto: false },
    llm: () => JSON.stringify({ facts: [] }),
    embed: { id: "toy", embed: (texts) => texts.map((text) => [1, text.length]) },
  });
});

after(() => memory?.close());

/** A scope with one of everything, and the ids. */
async function filled(name) {
  const user = memory.scope({ userId: name });
  const fact = await user.facts.add("Alice keeps bees");
  await user.profiles.set("person", "city", "Faro");
  await user.instructions.set("Be brief.");
  await user.documents.put(["a"], "k", { a: 1 });
  const { messageIds } = await user.remember({ role: "user", content: "hello" }, { threadId: "t" });
  const entity = (name) => ({ name, entityType: "person", observations: ["old"] });
  await user.graph.create_entities({ entities: [entity("Ana"), entity("Ben")] });
  const ids = {
    fact: fact.id,
    commit: fact.commitId,
    message: messageIds[0],
    episode: (await user.episodes.add({ situation: "s", approach: "a", outcome: "o" })).id,
    page: (await user.tiers.add({ query: "q", response: "r" })).id,
    passage: (await user.context.archive.insert("A passage.")).id,
  };
  return { user, ids };
}

/** Every method of a scope and its parts, by its name. */
function methods(part, before = "") {
  return Object.getOwnPropertyNames(Object.getPrototypeOf(part))
    .filter((name) => name !== "constructor" && typeof part[name] === "function")
    .map((name) => before + name);
}

function called(user, name, given) {
  const parts = name.split(".");
  const method = parts.pop();
  return parts.reduce((part, key) => part[key], user)[method](...given);
}

/** What is wrong with how a call took a wrong value; nothing when it is refused as it must be, or may be taken. */
function complaint(path, given, what, { error, answer }, isChanged) {
  const value = NEVER[what] ?? OTHER[what];
  if (error === undefined) {
    if (Object.hasOwn(NEVER, what)) return `was taken: ${JSON.stringify(answer)}`;
    return;
  }
  if (!(error instanceof mnemic.MnemicError)) return `was refused without a type: ${error}`;
  if (isChanged) return `changed something: ${error.message}`;
  if (FOREIGN.test(error.message)) return `was refused in the words of others: ${error.message}`;
  if (["NotFound", "Conflict", "SchemaViolation", "Model", "Embedder"].includes(error.code)) return;
  if (!["InvalidInput", "InvalidFilter", "InvalidSchema"].includes(error.code)) return `was refused with ${error.code}: ${error.message}`;
  if (error.message.length > 600) return `was refused with ${error.message.length} characters`;
  // By the last word of a name: "newName" may be told as the entity's name, and one of "tags" as a tag.
  const names = path
    .filter((key) => typeof key === "string")
    .flatMap((key) => (["prefix", "suffix"].includes(key) ? [key, "namespace"] : [key]))
    .map((key) => key.match(/[A-Z]?[a-z]+$/u)[0].toLowerCase().replace(/s$/u, ""));
  if (/^an entity's name /u.test(error.message)) return;
  if (names.length > 0 && !names.some((name) => error.message.toLowerCase().includes(name))) return `was refused without its name: ${error.message}`;
  // What is beyond them is rounded or infinite as the number of another size that a field holds.
  const isShown = names.length > 0 && typeof at(given, path) === "number" && typeof value === "number" && Math.abs(value) < 2 ** 31;
  if (isShown && !error.message.includes(String(value))) return `was refused without the value: ${error.message}`;
}

test("every method is in the table", () => {
  const user = memory.scope({ userId: "alice" });
  const all = methods(user);
  for (const [name, part] of Object.entries(user)) {
    if (["scope", "encryption"].includes(name)) continue;
    all.push(...methods(part, `${name}.`));
    for (const [inner, deeper] of Object.entries(part)) all.push(...methods(deeper, `${name}.${inner}.`));
  }
  assert.deepEqual(all.filter((name) => !ELSEWHERE.has(name)).sort(), Object.keys(CALLS).sort());
});

for (const [name, make] of Object.entries(CALLS)) {
  test(`${name} refuses what its arguments cannot be`, async () => {
    const { user, ids } = await filled(name);
    const given = make(ids);
    const complaints = [];
    for (const path of places(given, FREE)) {
      for (const [what, value] of [...Object.entries(NEVER), ...Object.entries(OTHER)]) {
        // What calls before it left to do is not its doing.
        await memory.idle();
        const before = (await memory.usage()).commits;
        const ended = await called(user, name, changed(given, path, value)).then((answer) => ({ answer }), (error) => ({ error }));
        const found = complaint(path, given, what, ended, (await memory.usage()).commits !== before);
        if (found !== undefined) complaints.push(`${JSON.stringify(path)} as ${what} ${found}`);
      }
    }
    assert.deepEqual(complaints, []);
  });
}

test("a time in words is refused with what a time is", async () => {
  const user = memory.scope({ userId: "words" });
  const refusal = { code: "InvalidInput", message: 'validFrom is "2021-05"; pass a Date, or milliseconds since 1970 UTC', details: { path: "validFrom" } };
  await assert.rejects(user.facts.add({ text: "Ana keeps hens", validFrom: "2021-05" }), refusal);
  await assert.rejects(user.facts.import([{ text: "Ana keeps hens", validFrom: "May" }]), /^InvalidInputError: facts\[0\]\.validFrom is "May"; pass a Date/);
  await assert.rejects(user.facts.list({ asOf: "yesterday" }), /asOf is "yesterday"; pass a Date/);
});
