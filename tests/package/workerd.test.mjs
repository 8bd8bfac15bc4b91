/** The package in Cloudflare's runtime, inside a Durable Object with SQLite and kept by it. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createProject } from "./support/project.mjs";
import { bundleWorker, startWorker } from "./support/worker.mjs";

const WORKER = `
import { DurableObject } from "cloudflare:workers";
import { openMemory } from "mnemic";
import { durableObjectStorage } from "mnemic/cloudflare";

export class Chat extends DurableObject {
  memory() {
    return (this.opened ??= openMemory({
      name: "chat",
      storage: durableObjectStorage(this.ctx.storage),
      profiles: { "user-profile": { type: "object", properties: { name: { type: "string" } } } },
    }));
  }

  actions = {
    kind: async (memory) => memory.storage.kind,
    remember: async (memory, user, { messages }) => user.remember(messages, { threadId: "monday" }),
    fact: async (memory, user, { text }) => user.facts.add(text),
    name: async (memory, user, { name }) => user.profiles.set("user-profile", "name", name),
    learned: async (memory, user) => {
      await memory.idle();
      const facts = (await user.facts.list({ limit: 1000 })).map(({ text }) => text);
      return { facts, entities: (await user.graph.read_graph()).entities };
    },
    all: async (memory, user) => ({
      facts: (await user.facts.list({ limit: 1000 })).map(({ text }) => text).sort(),
      messages: (await user.threads.messages("monday")).map(({ content }) => content),
      profile: (await user.profiles.get())["user-profile"].profile,
      recalled: (await user.recall("which instrument? the cello?")).text,
      verified: (await memory.verify()).ok,
    }),
    two: async (memory, user) => {
      const other = await openMemory({ name: "chat", storage: durableObjectStorage(this.ctx.storage) });
      const theirs = other.scope(user.scope);
      await Promise.all([user.facts.add("Written by one"), theirs.facts.add("Written by the other")]);
      await user.facts.add("Written by one again");
      await other.close();
      const third = await openMemory({ name: "chat", storage: durableObjectStorage(this.ctx.storage) });
      const texts = (await third.scope(user.scope).facts.list({ limit: 1000 })).map(({ text }) => text);
      await third.close();
      return texts.filter((text) => text.startsWith("Written")).sort();
    },
    storage: async () => contract(this.ctx.storage),
    sealed: async (memory, user, { by, give = by, text }) => {
      const key = await crypto.subtle.importKey("raw", new Uint8Array(32).fill(7), "AES-GCM", false, ["encrypt", "decrypt"]);
      const encryption = { key: { key }, passphrase: { passphrase: "four words nobody guesses" }, guess: { passphrase: "a guess" } }[give];
      try {
        const storage = durableObjectStorage(partOf(this.ctx.storage, by));
        const sealed = await openMemory({ name: "sealed", storage, ...(encryption && { encryption }) });
        const theirs = sealed.scope({ userId: "quokkauser" });
        if (text !== undefined) await theirs.remember({ role: "user", content: text });
        await sealed.idle();
        const { items } = await theirs.recall("which instrument? the cello?");
        const answer = { by: (await sealed.encryption.status()).by, recalled: items.length, ok: (await sealed.verify()).ok };
        await sealed.close();
        return answer;
      } catch ({ name }) {
        return { error: name };
      }
    },
    scan: async (memory, user, { prefix, words }) => {
      const values = await this.ctx.storage.list({ prefix });
      const told = [...values].map(([key, value]) => key + new TextDecoder("latin1").decode(value));
      return { values: values.size, told: words.filter((word) => told.some((text) => text.includes(word))) };
    },
  };

  async fetch(request) {
    const [, action] = new URL(request.url).pathname.split("/");
    const memory = await this.memory();
    return Response.json(await this.actions[action](memory, memory.scope({ userId: "alice" }), await request.json()));
  }
}

/** A part of the object's own storage, under keys of its own. */
function partOf(own, name) {
  const renamed = (key) => key.replace(/^mnemic:/, name + ":");
  const pairs = (part) => ({
    get: (key) => part.get(renamed(key)),
    put: (values) => part.put(Object.fromEntries(Object.entries(values).map(([key, value]) => [renamed(key), value]))),
    delete: (keys) => part.delete(keys.map(renamed)),
    list: async ({ start, end }) =>
      new Map(Array.from(await part.list({ start: renamed(start), end: renamed(end) }), ([key, value]) => [key.replace(name + ":", "mnemic:"), value])),
  });
  return { ...pairs(own), transaction: (work) => own.transaction((transaction) => work(pairs(transaction))), sync: () => own.sync() };
}

/** What a storage promises, on a part of the object's own storage that no memory uses. */
async function contract(own) {
  const storage = durableObjectStorage(partOf(own, "contract"));
  const head = (counter) => {
    const bytes = new Uint8Array(12);
    new DataView(bytes.buffer).setBigUint64(0, BigInt(counter), true);
    return ["head", bytes];
  };
  const name = (index) => "k" + String(index).padStart(3, "0");
  const many = Array.from({ length: 300 }, (_, index) => [name(index), new Uint8Array([index % 256])]);
  await storage.write({ puts: [...many, head(1)], deletes: [] }, 0);
  const ranged = await storage.read("k010", "k013");
  const behind = await storage.write({ puts: [["k000", new Uint8Array(1)], head(9)], deletes: ["k001"] }, 0).catch(({ code }) => code);
  const afterConflict = (await storage.read("k000", "k002")).map(([key, value]) => [key, ...value]);
  const big = new Uint8Array(8 << 20).subarray(5, 5 + (1 << 20)).fill(7);
  await storage.write({ puts: [["big", big], head(2)], deletes: many.slice(0, 290).map(([key]) => key).concat("absent") }, 1);
  const [[, read]] = await storage.read("big", "bih");
  return {
    ranged: ranged.map(([key, value]) => [key, value instanceof Uint8Array, ...value]),
    behind,
    afterConflict,
    left: (await storage.read("k", "l")).length,
    big: [read.byteLength, read.buffer.byteLength, read.every((byte) => byte === 7)],
    empty: await storage.read("x", "y"),
  };
}

export default {
  fetch: (request, env) => env.OBJECT.get(env.OBJECT.idFromName("alice")).fetch(request),
};
`;

let project, modules, worker;

before(async () => {
  project = await createProject({ "worker.js": WORKER });
  modules = await bundleWorker(project, "worker.js");
  worker = await startWorker(modules, "Chat", project.path("kept"));
});

after(async () => {
  await worker?.stop();
  await project?.remove();
});

test("the worker takes the entry and the modules that are meant for it", () => {
  assert.deepEqual(modules.map(({ type }) => type), ["ESModule", ...Array(5).fill("CompiledWasm")]);
  assert.doesNotMatch(modules[0].contents, /node:fs|compileStreaming/);
});

test("the storage keeps its promises: order, groups of more than 128 keys, conflicts, values of 1 MiB", async () => {
  assert.deepEqual(await worker.ask("storage"), {
    ranged: [["k010", true, 10], ["k011", true, 11], ["k012", true, 12]],
    behind: "Conflict",
    afterConflict: [["k000", 0], ["k001", 1]],
    left: 10,
    big: [1 << 20, 1 << 20, true],
    empty: [],
  });
});

test("it remembers, and what it remembers survives a restart", async () => {
  assert.equal(await worker.ask("kind"), "object");
  await worker.ask("remember", { messages: [{ role: "user", content: "I play the cello." }] });
  const facts = Array.from({ length: 40 }, (_, index) => `Fact number ${index}`);
  for (const text of facts) await worker.ask("fact", { text });
  await worker.ask("name", { name: "Alice" });
  const before = await worker.ask("all");
  assert.deepEqual(before.facts, facts.sort());
  assert.deepEqual(before.messages, ["I play the cello."]);
  assert.deepEqual(before.profile, { name: "Alice" });
  assert.match(before.recalled, /cello/);
  assert.equal(before.verified, true);
  await worker.stop();
  worker = await startWorker(modules, "Chat", project.path("kept"));
  assert.deepEqual(await worker.ask("all"), before);
});

test("the parts that are loaded later are there as well, compiled beforehand", async () => {
  await worker.ask("remember", { messages: [{ role: "user", content: "I live in Porto." }] });
  const { facts, entities } = await worker.ask("learned");
  assert.ok(facts.includes("The user lives in Porto."), facts.join());
  assert.deepEqual(entities, []);
});

test("two memories on one object lose nothing of each other", async () => {
  assert.deepEqual(await worker.ask("two"), ["Written by one", "Written by one again", "Written by the other"]);
});

test("an encrypted memory survives a restart, and what the object stores tells no word of it", async () => {
  const words = ["cello", "quokkauser", "userId"];
  await worker.ask("remember", { messages: [{ role: "user", content: "I play the cello in quokkauser's house." }] });
  assert.deepEqual((await worker.ask("scan", { prefix: "mnemic:", words })).told, words, "the scan finds what is plain");
  for (const by of ["key", "passphrase"]) {
    const text = "I play the cello.";
    const opened = { by, recalled: 1, ok: true };
    assert.deepEqual({ ...(await worker.ask("sealed", { by, text })), recalled: 1 }, opened);
    await worker.stop();
    worker = await startWorker(modules, "Chat", project.path("kept"));
    const again = await worker.ask("sealed", { by });
    assert.ok(again.recalled >= 1, JSON.stringify(again));
    assert.deepEqual({ ...again, recalled: 1 }, opened);
    const { values, told } = await worker.ask("scan", { prefix: `${by}:`, words });
    assert.ok(values > 2, `${values}`);
    assert.deepEqual(told, []);
    assert.deepEqual(await worker.ask("sealed", { by, give: "none" }), { error: "LockedError" });
    assert.deepEqual(await worker.ask("sealed", { by, give: "guess" }), { error: "WrongKeyError" });
  }
});
