/** The package as a user of Node meets it: installed from its tarball. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { z } from "zod";
import { createProject } from "./support/project.mjs";

const PROFILES = {
  "user-profile": {
    type: "object",
    properties: { name: { type: "string" }, language: { enum: ["de", "en", "fr"] } },
  },
};

let project, mnemic, memory, user;

before(async () => {
  project = await createProject();
  mnemic = await project.import('export * from "mnemic";');
  memory = await mnemic.openMemory({ name: "node", storage: "memory", profiles: PROFILES });
  user = memory.scope({ userId: "alice" });
});

after(async () => {
  await memory?.close();
  await project?.remove();
});

test("a message that was remembered is recalled, word for word and in its thread", async () => {
  const { threadId, messageIds, commitId } = await user.remember(
    [
      { role: "user", content: "I play the cello in an orchestra.", createdAt: new Date(1_700_000_000_000) },
      { role: "assistant", content: "Lovely! Since when?" },
    ],
    { threadId: "monday" },
  );
  assert.equal(threadId, "monday");
  assert.equal(messageIds.length, 2);
  assert.equal(typeof commitId, "string");
  const messages = await user.threads.messages("monday");
  assert.deepEqual(messages.map(({ role, content }) => [role, content]), [
    ["user", "I play the cello in an orchestra."],
    ["assistant", "Lovely! Since when?"],
  ]);
  assert.equal(messages[0].createdAt, 1_700_000_000_000);
  assert.deepEqual((await user.threads.list()).map((thread) => [thread.threadId, thread.messages]), [["monday", 2]]);
  const recalled = await user.recall("which instrument does she play? the cello?");
  assert.match(recalled.text, /cello/);
  assert.ok(recalled.tokens > 0 && recalled.tokens <= 1000);
  assert.ok(recalled.items.some(({ text }) => text.includes("cello")));
});

test("a fact is kept, found, changed, explained, and its history kept", async () => {
  const expiresAt = new Date(Date.now() + 3_600_000);
  const added = await user.facts.add({ text: "Alice lives in Lisbon", category: "personal info", significance: 7, expiresAt });
  assert.equal(added.action, "created");
  assert.equal(added.revision, 1);
  const fact = await user.facts.get(added.id);
  assert.equal(fact.text, "Alice lives in Lisbon");
  assert.equal(fact.category, "personal info");
  assert.equal(fact.significance, 7);
  assert.equal(fact.expiresAt, expiresAt.getTime());
  assert.equal((await user.facts.search("where does she live? Lisbon?"))[0].id, added.id);
  const updated = await user.facts.update(added.id, { text: "Alice lives in Porto" });
  assert.equal(updated.action, "updated");
  assert.equal(updated.revision, 2);
  assert.equal((await user.facts.get(added.id)).text, "Alice lives in Porto");
  const history = await user.facts.history(added.id);
  assert.deepEqual(history.map(({ revision, text }) => [revision, text]), [
    [1, "Alice lives in Lisbon"],
    [2, "Alice lives in Porto"],
  ]);
  assert.equal((await user.explain(added.id)).id, added.id);
  await user.facts.delete(added.id);
  assert.equal(await user.facts.get(added.id), null);
});

test("metadata comes back as JSON: a Date inside as an ISO string, undefined left out", async () => {
  const when = new Date(1_700_000_000_000);
  const metadata = { when, nothing: undefined, list: [1, null, { deep: "ä漢🎻" }] };
  const { id } = await user.facts.add({ text: "Alice met Bob", metadata });
  assert.deepEqual((await user.facts.get(id)).metadata, { when: when.toISOString(), list: [1, null, { deep: "ä漢🎻" }] });
  assert.equal(metadata.when, when, "the argument was not changed");
});

test("profiles are validated, patched and rolled back", async () => {
  const { profiles } = user;
  assert.deepEqual((await profiles.get())["user-profile"].profile, {});
  await profiles.set("user-profile", "language", "de");
  await profiles.set("user-profile", "language", "fr");
  const { profile, fields } = (await profiles.get())["user-profile"];
  assert.deepEqual(profile, { language: "fr" });
  assert.equal(fields.language.revision, 2);
  assert.deepEqual((await profiles.history("user-profile", "language")).map(({ value }) => value), ["de", "fr"]);
  await profiles.rollback("user-profile", "language", 1);
  assert.equal((await profiles.get())["user-profile"].profile.language, "de");
  await assert.rejects(profiles.set("user-profile", "language", "klingon"), (error) => {
    assert.ok(error instanceof mnemic.SchemaViolationError);
    assert.equal(error.code, "SchemaViolation");
    assert.ok(Array.isArray(error.details.violations));
    return true;
  });
  await profiles.patch("user-profile", { name: "Alice", language: null });
  assert.deepEqual((await profiles.get())["user-profile"].profile, { name: "Alice" });
  await profiles.delete("user-profile");
  assert.deepEqual((await profiles.get())["user-profile"].profile, {});
});

test("a schema of Zod is as good as a JSON Schema", async () => {
  const profiles = { person: z.object({ city: z.string().min(2), sizes: z.array(z.number()).optional() }) };
  const other = await mnemic.openMemory({ name: "zod", storage: "memory", profiles });
  const bob = other.scope({ userId: "bob" });
  await bob.profiles.set("person", "city", "Porto");
  assert.deepEqual((await bob.profiles.get()).person.profile, { city: "Porto" });
  await assert.rejects(bob.profiles.set("person", "city", "P"), mnemic.SchemaViolationError);
  await other.close();
});

test("a commit is undone, and the past can be read", async () => {
  const carol = memory.scope({ userId: "carol" });
  const before = Date.now() - 1000;
  const { id, commitId } = await carol.facts.add("Carol likes figs");
  assert.equal(await carol.asOf(before).facts.get(id), null);
  assert.deepEqual(await carol.asOf(new Date(before)).facts.list(), []);
  assert.equal((await carol.asOf(Date.now() + 1000).facts.get(id))?.text, "Carol likes figs");
  await carol.undo(commitId);
  assert.equal(await carol.facts.get(id), null);
});

test("what was said already makes no commit", async () => {
  const erin = memory.scope({ userId: "erin" });
  const { id, commitId } = await erin.facts.add("Erin draws");
  assert.equal(typeof commitId, "string");
  assert.deepEqual(await erin.facts.add(" erin  DRAWS"), { action: "unchanged", id, kind: "fact", revision: 1 });
  const said = { role: "user", content: "I draw.", id: "one" };
  const { messageIds } = await erin.remember(said);
  assert.deepEqual(await erin.remember(said), { threadId: "default", messageIds });
});

test("one scope never sees another", async () => {
  const bob = memory.scope({ userId: "bob" });
  const { id } = await bob.facts.add("Bob's secret is safe");
  assert.equal(await user.facts.get(id), null);
  assert.ok(!(await user.recall("what is the secret?")).text.includes("secret is safe"));
  await assert.rejects(user.facts.delete(id), mnemic.NotFoundError);
  assert.equal((await bob.facts.get(id)).text, "Bob's secret is safe");
});

test("events tell of commits; a listener that is taken away hears nothing", async () => {
  const dave = memory.scope({ userId: "dave" });
  const heard = [];
  const stop = memory.on("change", (event) => heard.push(event));
  const { id, commitId } = await dave.facts.add("Dave sails");
  stop();
  await dave.facts.add("Dave reads");
  assert.deepEqual(heard.map((event) => event.commitId), [commitId]);
  assert.equal(heard[0].cause, "user");
  assert.equal(heard[0].remote, false);
  assert.deepEqual(heard[0].scope, { userId: "dave" });
  assert.ok(heard[0].changes.some((change) => change.id === id && change.action === "created"));
});

test("usage, verify and idle answer for the whole memory", async () => {
  const usage = await memory.usage();
  assert.ok(usage.records > 0 && usage.commits > 0);
  assert.deepEqual(Object.keys((await memory.idle())), ["pending", "failed"]);
  const { ok, damage } = await memory.verify();
  assert.equal(ok, true);
  assert.deepEqual(damage, []);
  assert.equal(memory.storage.kind, "memory");
});

/** A process with an open memory and a model hung for the 60 s that messages wait for others. */
test("an open memory that waits keeps no process alive, and says what it waits for", async () => {
  const path = await project.write(
    "waiting.mjs",
    `import { openMemory } from "mnemic";
     const memory = await openMemory({ name: "waiting", storage: "memory", llm: async () => ({ facts: [], profile: [] }) });
     const user = memory.scope({ userId: "a" });
     await user.remember({ role: "user", content: "I keep bees." });
     await user.recall("bees");
     await memory.idle();
     const [{ kind, waiting, nextAt }] = await memory.jobs();
     console.log(kind, waiting, nextAt > Date.now());
     console.log(process.getActiveResourcesInfo().includes("Timeout"));`,
  );
  assert.deepEqual((await project.run(path)).trim().split("\n"), ["learning 1 true", "false"]);
});

test("what failed and waits to be tried again keeps no process alive", async () => {
  const path = await project.write(
    "failing.mjs",
    `import { openMemory } from "mnemic";
     const away = async () => { throw new Error("away"); };
     const memory = await openMemory({
       name: "failing", storage: "memory", llm: away, embed: { id: "away", embed: away },
       extraction: { trigger: { messages: 1, everyMs: 3_600_000 } },
     });
     const user = memory.scope({ userId: "a" });
     await user.remember({ role: "user", content: "I keep bees." });
     await memory.idle();
     const jobs = await memory.jobs();
     console.log(jobs.map(({ kind }) => kind).sort().join(" "), jobs.every(({ nextAt }) => nextAt > Date.now()));
     console.log(process.getActiveResourcesInfo().includes("Timeout"));`,
  );
  assert.deepEqual((await project.run(path)).trim().split("\n"), ["embedding learning true", "false"]);
});

test("CommonJS can require it, and the module and the manifest can be found", async () => {
  const { require } = await project.import(
    'import { createRequire } from "node:module"; export const require = createRequire(import.meta.url);',
  );
  assert.match(require.resolve("mnemic/mnemic_bg.wasm"), /mnemic_bg\.wasm$/);
  assert.equal(require("mnemic/package.json").name, "mnemic");
  const path = await project.write("required.cjs", 'console.log(typeof require("mnemic").openMemory);');
  assert.match(await project.run(path), /^function/);
});

/** The engine's own error, which is no class of the package, came out where no storage has that name. */
test("a move from or to a browser's storage is refused by name", async () => {
  const storage = { read: async () => [], write: async () => undefined };
  for (const [from, to, path] of [["indexeddb", storage, "options.from"], [storage, "opfs", "options.to"]]) {
    const refusal = (error) => error instanceof mnemic.InvalidInputError && error.details.path === path && /sqliteStorage/.test(error.message);
    await assert.rejects(mnemic.moveMemory("chat", { from, to }), refusal);
  }
});
