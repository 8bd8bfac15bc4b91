/** Facts by score and time, imports, items, instructions and episodes, through the package. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { mnemic } from "./support/installed.mjs";

async function open(options) {
  const memory = await mnemic.openMemory({ name: "facts", storage: "memory", extraction: { auto: false }, ...options });
  return [memory, memory.scope({ userId: "alice" })];
}

test("facts are imported once, with vectors as lists or typed arrays", async () => {
  const embed = { id: "toy", embed: (texts) => texts.map(() => [1, 2, 3]) };
  const [memory, user] = await open({ embed });
  const facts = [
    { text: "Alice sings", sourceId: "1", embedding: [1, 0, 0.5], validFrom: new Date(0) },
    { text: "Alice dances", sourceId: "2", embedding: new Float32Array([0, 1, 0.5]) },
  ];
  const { added, known, commitId } = await user.facts.import(facts);
  assert.deepEqual([added, known, typeof commitId], [2, 0, "string"]);
  assert.equal((await memory.usage()).vectors, 2);
  assert.deepEqual(await user.facts.import(facts), { added: 0, known: 2 });
  for (const embedding of [[1, Number.NaN, 1], ["a"], "text", new Set([1])]) {
    await assert.rejects(user.facts.import([{ text: "x", embedding }]), { code: "InvalidInput" });
  }
  await assert.rejects(user.facts.import([{ text: "x", embedding: [1, 2] }]), { code: "Embedder" });
  await memory.close();
});

// `facts.update` refused a `Date` as `validTo`, which its type allows: it crossed as text.
test("the time a fact ended is a Date or milliseconds, and null takes it away", async () => {
  const [memory, user] = await open();
  const { id } = await user.facts.add({ text: "Alice works at Acme", validFrom: new Date(1000) });
  for (const validTo of [new Date(2000), 2000]) {
    await user.facts.update(id, { validTo });
    assert.equal((await user.facts.get(id)).validTo, 2000);
  }
  await user.facts.update(id, { validTo: null });
  assert.equal((await user.facts.get(id)).validTo, undefined);
  await memory.close();
});

test("a score can be made from its terms, and both axes of time are asked apart", async () => {
  const [memory, user] = await open();
  const then = Date.UTC(2020, 0, 1);
  await user.facts.add({ text: "Alice plays the cello", significance: 10, validFrom: new Date(then) });
  await user.facts.add({ text: "Alice will sell the cello", validFrom: Date.now() + 3_600_000 });
  const [product] = await user.facts.search("cello", { scoring: { mode: "product", decay: 0.5 } });
  const { words, meaning, about, recency, significance } = product.terms;
  assert.ok(Math.abs(product.score - (words + meaning + about) * recency * significance) < 1e-5);
  const [sum] = await user.facts.search("cello", { scoring: { mode: "sum", weights: { recency: 3 } } });
  const { weights } = sum.terms;
  assert.deepEqual(weights, { similarity: 1, recency: 3, significance: 1 });
  assert.equal(sum.score, 2.5, "a term that all share counts half");
  assert.equal((await user.facts.list()).length, 1);
  assert.equal((await user.facts.list({ validAt: new Date(then - 1) })).length, 0);
  assert.equal((await user.facts.list({ validAt: Date.now() + 7_200_000 })).length, 2);
  assert.equal((await user.asOf(then).facts.list({ validAt: Date.now() })).length, 0);
  await assert.rejects(user.recall("cello", { scoring: { decay: 2 } }), { code: "InvalidInput" });
  await memory.close();
});

test("every item is seen, edited, pinned, deleted and purged in one way", async () => {
  const [memory, user] = await open();
  const { id } = await user.facts.add("Alice lives in Lisbon");
  await user.instructions.set("Be brief.");
  await user.episodes.add({ situation: "a late train", approach: "rebook", outcome: "a free seat" });
  assert.deepEqual((await user.items.list()).map(({ kind }) => kind).sort(), ["episode", "fact", "instruction"]);
  await user.items.edit(id, { text: "Alice lives in Porto", expiresAt: new Date(Date.now() + 1e9) });
  assert.ok((await user.items.get(id)).expiresAt > Date.now());
  await user.items.edit(id, { expiresAt: null });
  assert.equal((await user.items.get(id)).expiresAt, undefined);
  await user.items.pin(id);
  const item = await user.items.get(id);
  assert.deepEqual([item.text, item.pinned, item.origin, item.revision], ["Alice lives in Porto", true, "user", 4]);
  const { text } = await user.recall("my train is late");
  assert.match(text, /^<memory>\nInstructions:\n- Be brief\.\nFacts:\n- Alice lives.*\nExamples:\n- When a late train/);
  assert.deepEqual(await user.items.purge({ kinds: ["fact"], filter: {} }), { count: 1, purged: false, ids: [id] });
  await user.items.purge({ filter: {}, force: true });
  assert.deepEqual(await user.items.list(), []);
  await memory.close();
});

test("a model revises instructions and writes down episodes", async () => {
  const purposes = [];
  const llm = ({ purpose }) => {
    purposes.push(purpose);
    if (purpose === "revise") return { text: "Be brief, in metric units.", why: "Asked for." };
    return { episode: { situation: "a late train", approach: "rebook", outcome: "a free seat", messages: [1] } };
  };
  const [memory, user] = await open({ llm });
  await user.remember({ role: "user", content: "My train is late." }, { threadId: "t" });
  const messages = [{ role: "user", content: "In miles?", createdAt: new Date() }];
  await user.instructions.revise({ feedback: "Metric!", messages });
  assert.equal((await user.instructions.get()).why, "Asked for.");
  assert.equal((await user.episodes.learn({ threadId: "t" }))[0].action, "created");
  assert.deepEqual(await user.episodes.learn({ threadId: "t" }), []);
  assert.deepEqual(purposes, ["revise", "episode", "episode"]);
  await memory.close();
});
