/** The parts of the engine: what is loaded when, and what happens when one cannot be loaded. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { after, before, mock, test } from "node:test";
import { createProject } from "./support/project.mjs";
import { root } from "./support/tarball.mjs";

const FIRST = "mnemic_bg.wasm";
const SEARCH = "mnemic_search.wasm";
const RULES = "mnemic_rules.wasm";
const SYSTEMS = "mnemic_systems.wasm";
const FOLDING = "mnemic_folding.wasm";
/** How long a log becomes before it is folded, and some more. */
const LONG = 270;

let project, slim;

before(async () => {
  project = await createProject();
  slim = await project.import(`
    import { readFile } from "node:fs/promises";
    import { createRequire } from "node:module";
    export * from "mnemic/slim";
    const { resolve } = createRequire(import.meta.url);
    export const compile = async (file) => WebAssembly.compile(await readFile(resolve(\`mnemic/\${file}\`)));
  `);
});

after(() => project?.remove());

/** A memory, the files that were asked for, and a way to make the next load of a file fail. */
async function opened(options, failing = new Set()) {
  const files = [];
  const loadModule = (file) => {
    files.push(file);
    if (failing.delete(file)) throw new TypeError("offline");
    return slim.compile(file);
  };
  const openMemory = slim.opener({ loadModule });
  const memory = await openMemory({ name: "parts", storage: "memory", ...options });
  return { openMemory, memory, user: memory.scope({ userId: "alice" }), files, failing };
}

const profiles = { "user-profile": { type: "object", properties: { name: { type: "string" } } } };
const model = async () => ({ facts: [{ action: "add", text: "The user lives in Porto.", message: 1, quote: "I live in Porto" }] });
const said = { role: "user", content: "My name is Alice and I live in Porto." };

test("what most applications do needs the first module and the one that is loaded once it is open", async () => {
  const { memory, user, files } = await opened({ profiles, llm: model, extraction: { trigger: { messages: 50 } } });
  await user.remember(said, { threadId: "monday" });
  await user.facts.add("Alice cooks for two");
  assert.match((await user.recall("what does Alice cook?")).text, /cooks for two/);
  assert.equal((await user.facts.list()).length, 1);
  assert.equal((await user.facts.search("cooks")).length, 1);
  assert.deepEqual((await user.profiles.get())["user-profile"].profile, {});
  assert.equal((await user.threads.list()).length, 1);
  assert.equal((await user.threads.messages("monday")).length, 1);
  assert.ok((await user.items.list()).length > 0);
  await memory.usage();
  assert.deepEqual(files, [FIRST, SEARCH]);
  await memory.close();
});

test("neither opening nor other calls wait for what searches, and a recall does", async () => {
  let arrive;
  const arrival = new Promise((resolve) => (arrive = resolve));
  let arrived = false;
  const loadModule = async (file) => {
    if (file === SEARCH) {
      await arrival;
      arrived = true;
    }
    return slim.compile(file);
  };
  const memory = await slim.opener({ loadModule })({ name: "parts", storage: "memory" });
  const user = memory.scope({ userId: "alice" });
  await user.facts.add("Alice cooks for two");
  assert.equal((await user.facts.list()).length, 1);
  assert.equal(arrived, false);
  const done = [];
  const recalled = user.recall("what does Alice cook?").then(({ text }) => {
    done.push("recall");
    return { text, arrived };
  });
  const listed = user.facts.list().then(() => done.push("list"));
  setTimeout(arrive, 50);
  const { text, arrived: isThere } = await recalled;
  assert.match(text, /cooks for two/);
  assert.equal(isThere, true);
  await listed;
  assert.deepEqual(done, ["recall", "list"]);
  await memory.close();
});

test("what cannot be loaded in the background is loaded by the first call that needs it, and nobody is told", async () => {
  const { memory, user, files, failing } = await opened({}, new Set([SEARCH]));
  const errors = [];
  memory.on("error", (error) => errors.push(error.code));
  await user.facts.add("Alice cooks for two");
  failing.add(SEARCH);
  await assert.rejects(user.recall("what does Alice cook?"), (error) => error instanceof slim.LoadError && error.details.file === SEARCH);
  assert.match((await user.recall("what does Alice cook?")).text, /cooks for two/);
  assert.deepEqual(files, [FIRST, SEARCH, SEARCH, SEARCH]);
  assert.deepEqual(errors, []);
  await memory.close();
});

test("a part that needs another cannot be had without it, and comes with it the next time", async () => {
  const { memory, user, files, failing } = await opened({}, new Set([SEARCH]));
  failing.add(SEARCH);
  await assert.rejects(user.graph.read_graph(), (error) => error.code === "Load" && error.details.file === SEARCH);
  assert.deepEqual((await user.graph.read_graph()).entities, []);
  assert.deepEqual(files, [FIRST, SEARCH, SYSTEMS, SEARCH, SEARCH]);
  await memory.close();
});

test("encrypting a memory loads two small parts more", async () => {
  const { memory, user, files } = await opened({ llm: model, encryption: { passphrase: "some words" } });
  await user.facts.add("Alice cooks for two");
  assert.deepEqual(files, [FIRST, "mnemic_encryption.wasm", FOLDING, SEARCH]);
  await memory.close();
});

test("rules are loaded where there is no model, and only there", async () => {
  const without = await opened();
  await without.user.remember(said);
  await without.memory.idle();
  assert.deepEqual((await without.user.facts.list()).map(({ text }) => text), ["The user lives in Porto.", "The user's name is Alice."]);
  assert.deepEqual(without.files, [FIRST, SEARCH, RULES]);
  await without.memory.close();

  const withModel = await opened({ llm: model });
  await withModel.user.remember(said);
  await withModel.user.flush();
  assert.deepEqual((await withModel.user.facts.list()).map(({ text }) => text), ["The user lives in Porto."]);
  assert.deepEqual(withModel.files, [FIRST, SEARCH, SYSTEMS]);
  await withModel.memory.close();
});

test("a message that is sent again needs nothing more, and one that takes the place of another does", async () => {
  const { memory, user, files } = await opened({ llm: model, extraction: { trigger: { messages: 50 } } });
  const first = { ...said, id: "first" };
  const { messageIds } = await user.remember(first);
  await user.remember(first);
  assert.deepEqual(files, [FIRST, SEARCH]);
  const again = await user.remember({ ...first, content: "My name is Alice and I live in Graz." });
  assert.deepEqual(again.messageIds, messageIds);
  assert.deepEqual((await user.threads.messages()).map(({ content }) => content), ["My name is Alice and I live in Graz."]);
  assert.deepEqual(files, [FIRST, SEARCH, SYSTEMS]);
  await memory.close();
});

test("a long log is folded by a part of its own, and one that cannot be loaded leaves it as it is", async () => {
  const { memory, user, files, failing } = await opened();
  failing.add(FOLDING);
  const failed = new Promise((resolve) => memory.on("error", resolve));
  const add = (from) => Promise.all(Array.from({ length: LONG }, (_, number) => user.facts.add(`Alice has book ${from + number}`)));
  await add(0);
  assert.equal((await failed).code, "Load");
  assert.deepEqual(files, [FIRST, SEARCH, FOLDING]);
  assert.equal((await memory.verify()).segments, 0);
  await add(LONG);
  await memory.idle();
  assert.deepEqual(files.filter((file) => file === FOLDING), [FOLDING, FOLDING]);
  const { ok, segments, records } = await memory.verify();
  assert.deepEqual({ ok, segments, records }, { ok: true, segments: 1, records: 2 * LONG });
  await memory.close();
});

test("no module names a folder of the machine that built it", () => {
  const modules = readdirSync(project.path("node_modules/mnemic")).filter((file) => file.endsWith(".wasm"));
  assert.ok(modules.includes(FIRST));
  for (const file of modules) {
    const bytes = readFileSync(project.path("node_modules/mnemic", file));
    // A panic names the file it comes from, such as hashbrown-0.17.1/src/raw.rs.
    for (const place of [root, "registry/src"]) assert.ok(!bytes.includes(`${place}/`), `${file}: ${place}`);
  }
});

test("calls that need a part at the same time load it once, for all memories", async () => {
  const { openMemory, memory, user, files } = await opened();
  const other = await openMemory({ name: "other", storage: "memory" });
  const entity = { name: "Porto", entityType: "city", observations: ["Alice lives there"] };
  await Promise.all([user.graph.create_entities({ entities: [entity] }), user.tiers.state(), other.scope({ userId: "bob" }).episodes.list()]);
  assert.deepEqual((await user.graph.open_nodes({ names: ["Porto"] })).entities.map(({ name }) => name), ["Porto"]);
  assert.deepEqual(files, [FIRST, SEARCH, SYSTEMS]);
  await memory.close();
  await other.close();
});

test("a part that cannot be loaded rejects the call that needs it, and the next one tries again", async () => {
  const { memory, user, files, failing } = await opened();
  failing.add(SYSTEMS);
  await assert.rejects(user.graph.read_graph(), (error) => {
    assert.ok(error instanceof slim.LoadError);
    assert.equal(error.code, "Load");
    assert.match(error.message, /^the WebAssembly module mnemic_systems\.wasm.*offline/);
    assert.equal(error.details.file, SYSTEMS);
    return true;
  });
  await user.facts.add("Alice cooks for two");
  assert.deepEqual((await user.graph.read_graph()).entities, []);
  assert.deepEqual(files, [FIRST, SEARCH, SYSTEMS, SYSTEMS]);
  await memory.close();
});

test("calls take effect in the order in which they are made, whatever is to be loaded for them", async () => {
  const { memory, user, files } = await opened({ profiles });
  const { id } = await user.facts.add("Alice drinks tea");
  // The second round finds the part loaded.
  for (const drink of ["coffee", "milk"]) {
    const text = `Alice drinks ${drink}`;
    const made = [user.facts.update(id, { text }), user.facts.add(text), user.recall("what does Alice drink?"), user.facts.list()];
    const [updated, added, recalled, list] = await Promise.all(made);
    assert.deepEqual([updated.action, added.action, added.id], ["updated", "unchanged", id]);
    assert.match(recalled.text, new RegExp(drink));
    assert.deepEqual(list.map((fact) => fact.text), [text]);
  }
  assert.deepEqual(files, [FIRST, SEARCH, SYSTEMS]);
  await memory.close();
});

test("a part that never comes fails the call that needs it after a while, and holds nobody up any longer", async () => {
  let arrive;
  const arrival = new Promise((resolve) => (arrive = resolve));
  const loadModule = async (file) => {
    if (file === SYSTEMS) await arrival;
    return slim.compile(file);
  };
  const memory = await slim.opener({ loadModule })({ name: "parts", storage: "memory" });
  const user = memory.scope({ userId: "alice" });
  await user.facts.add("Alice drinks tea");
  mock.timers.enable({ apis: ["setTimeout"] });
  const graph = user.graph.read_graph();
  const facts = user.facts.list();
  // The call crosses to the engine in a microtask.
  await new Promise(setImmediate);
  mock.timers.tick(30_000);
  await assert.rejects(graph, (error) => error.code === "Load" && /was not there after 30 s/.test(error.message));
  assert.equal((await facts).length, 1);
  mock.timers.reset();
  arrive();
  assert.deepEqual((await user.graph.read_graph()).entities, []);
  await memory.close();
});

test("when rules cannot be loaded, what was said waits and is learned from later", async () => {
  const { memory, user, files, failing } = await opened();
  failing.add(RULES);
  const failed = new Promise((resolve) => {
    memory.on("extraction", (event) => event.state === "failed" && resolve(event.error.code));
  });
  await user.remember(said);
  assert.equal(await failed, "Load");
  assert.deepEqual(await user.facts.list(), []);
  const { changes } = await user.flush();
  assert.equal(changes.length, 2);
  assert.deepEqual(files, [FIRST, SEARCH, RULES, RULES]);
  await memory.close();
});

test("a file in the place of another is refused, and so is one of another build", async () => {
  const anyFile = slim.opener({ loadModule: (file) => slim.compile(file === SYSTEMS ? FIRST : file) });
  const memory = await anyFile({ name: "parts", storage: "memory" });
  await assert.rejects(memory.scope({ userId: "alice" }).graph.read_graph(), (error) => {
    assert.ok(error instanceof slim.LoadError);
    assert.match(error.message, /mnemic_systems\.wasm is the part "first"/);
    return true;
  });
  await memory.close();

  // An empty module that says of itself that it is the part, of a build that never was.
  const label = Buffer.from("\u0004partsystems 0000000000000000");
  const other = Buffer.concat([Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 0, label.length]), label]);
  const mixed = slim.opener({ loadModule: (file) => (file === SYSTEMS ? WebAssembly.compile(other) : slim.compile(file)) });
  const second = await mixed({ name: "parts", storage: "memory" });
  await assert.rejects(second.scope({ userId: "alice" }).graph.read_graph(), /mnemic_systems\.wasm is of another build/);
  await second.close();

  const nothing = slim.opener({ loadModule: () => WebAssembly.compile(other.subarray(0, 8)) });
  await assert.rejects(nothing({ name: "parts", storage: "memory" }), /no module of mnemic/);
});
