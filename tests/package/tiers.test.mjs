/** The tiers, through the package. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { mnemic } from "./support/installed.mjs";

async function open(options) {
  const memory = await mnemic.openMemory({ name: "tiers", storage: "memory", ...options });
  return [memory, memory.scope({ userId: "alice" })];
}

test("pages move to segments and are found there, without a model", async () => {
  const [memory, user] = await open({ tiers: { capacity: 2 } });
  for (const [query, response] of [
    ["When do tomatoes ripen?", "Tomatoes ripen in August."],
    ["How do I water tomatoes?", "Water tomatoes in the morning."],
    ["Which chords are easy?", "G, C and D."],
    ["How is the weather?", "Fine."],
  ]) {
    await user.tiers.add({ query, response, createdAt: new Date(0), threadId: "t" });
  }
  await memory.idle();
  const { counts, recent } = await user.tiers.state();
  assert.deepEqual([counts.short + counts.mid, recent[0].createdAt, recent[0].tier], [4, 0, "short"]);
  assert.ok(counts.mid >= 2 && counts.short <= 2);
  const { pages, segments } = await user.tiers.retrieve("ripe tomatoes");
  assert.equal(pages[0].query, "When do tomatoes ripen?");
  assert.equal(pages[0].segmentId, segments.find(({ id }) => id === pages[0].segmentId).id);
  await memory.idle();
  const visited = (await user.tiers.state()).segments.find(({ id }) => id === pages[0].segmentId);
  assert.deepEqual([visited.visits, visited.heat.visits], [1, 1]);
  assert.equal((await user.threads.messages("t")).length, 8);
  const removed = await user.tiers.remove(pages[0].id);
  assert.deepEqual([removed.action, removed.kind], ["deleted", "page"]);
  assert.ok(!JSON.stringify(await user.tiers.retrieve("ripe tomatoes")).includes("August"));
  await assert.rejects(user.tiers.remove(pages[0].id), { code: "NotFound" });
  assert.equal((await user.threads.messages("t")).length, 8, "messages stay");
  await user.undo(removed.commitId);
  const [{ id }] = await user.threads.messages("t");
  await user.threads.remove("t", [id]);
  assert.deepEqual((await user.tiers.state()).counts.short + (await user.tiers.state()).counts.mid, 3);
  assert.deepEqual(await user.tiers.clear(), { removed: 3 });
  assert.deepEqual((await user.tiers.state()).counts, { short: 0, mid: 0, segments: 0, traits: 0, agentTraits: 0 });
  await memory.close();
});

test("a model answers out of the tiers, and what it says of pages is used", async () => {
  const purposes = [];
  const llm = ({ purpose, prompt, messages }) => {
    purposes.push(`${purpose} ${prompt}`);
    if (purpose !== "tier") return `You asked: ${messages.at(-1).content}`;
    const pages = [{ page: 1, continues: false, chain: "Tea.", keywords: ["Tea"], theme: 1 }];
    return JSON.stringify({ pages, themes: [{ segment: null, summary: "The user asks about tea." }] });
  };
  const [memory, user] = await open({ llm, extraction: { auto: false }, tiers: { capacity: 1 } });
  const { response, page } = await user.tiers.respond("Which tea?");
  assert.deepEqual([response, page.kind, page.action], ["You asked: Which tea?", "page", "created"]);
  await user.tiers.respond("And which cup?", { maxTokens: 1000, threadId: "t" });
  const { moved, segments, usage } = await user.tiers.update();
  assert.deepEqual([moved, segments, usage.calls], [1, 1, 1]);
  const [segment] = (await user.tiers.state()).segments;
  assert.deepEqual([segment.summary, segment.keywords], ["The user asks about tea.", ["tea"]]);
  const { messages, tokens } = await user.tiers.prompt("Tea?", { maxTokens: 2000 });
  assert.deepEqual(messages.map(({ role }) => role), ["system", "user", "assistant", "user"]);
  assert.ok(tokens <= 2000);
  assert.deepEqual(purposes, ["respond respond-1", "respond respond-1", "tier tier-1"]);
  await assert.rejects(user.tiers.prompt("Tea?", { maxTokens: 10 }), { code: "BudgetExceeded" });
  await assert.rejects(user.tiers.respond("x", { threadId: "a\nb" }), { code: "InvalidInput" });
  await assert.rejects(user.tiers.respond("x", { signal: AbortSignal.abort() }), { code: "Aborted" });
  await memory.close();
});

test("what is no page and no option is refused", async () => {
  const [memory, user] = await open();
  await assert.rejects(user.tiers.add("x"), { code: "InvalidInput" });
  await assert.rejects(user.tiers.add({ query: "x", response: "" }), { code: "InvalidInput" });
  await assert.rejects(user.tiers.retrieve("x", { topPages: 0 }), { code: "InvalidInput" });
  await memory.close();
  await assert.rejects(open({ tiers: { capacity: 0 } }), { code: "InvalidInput" });
  await assert.rejects(open({ tiers: { size: 1 } }), { code: "InvalidInput" });
});
