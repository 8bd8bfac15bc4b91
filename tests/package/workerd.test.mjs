/** The package in Cloudflare's runtime, inside a Durable Object with SQLite and kept by it. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createProject } from "./support/project.mjs";
import { bundleWorker, startWorker } from "../../scripts/workerd.mjs";

const WORKER = `
import { DurableObject } from "cloudflare:workers";
import { openMemory } from "mnemic";
import { durableObjectStorage } from "mnemic/cloudflare";
import { broken } from "./contract.js";

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
    broken: async () => broken(async (name) => durableObjectStorage(partOf(this.ctx.storage, "contract_" + name.replaceAll("-", "_")))),
    oversized: async () => oversized(this.ctx.storage),
    failing: async () => failing(this.ctx.storage),
    rewritten: async () => rewritten(this.ctx.storage),
    none: async () => {
      try {
        durableObjectStorage({ get() {}, list() {} });
      } catch ({ code, message }) {
        return { code, message };
      }
    },
    sealed: async (memory, user, { by, give = by, text }) => {
      const key = await crypto.subtle.importKey("raw", new Uint8Array(32).fill(7), "AES-GCM", false, ["encrypt", "decrypt"]);
      const encryption = { key: { key }, passphrase: { passphrase: "four words nobody guesses" }, guess: { passphrase: "a guess" } }[give];
      try {
        const storage = durableObjectStorage(partOf(this.ctx.storage, "sealed_" + by));
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
    large: async () => {
      const open = () => openMemory({ name: "large", storage: durableObjectStorage(partOf(this.ctx.storage, "large")) });
      const bytes = Uint8Array.from({ length: 16 << 20 }, (_, place) => (place * 2654435761) >>> 13);
      const text = "Petrel is a sloop. ".repeat(800_000);
      const first = await open();
      const { documents } = first.scope({ userId: "alice" });
      await documents.put(["large"], "bytes", bytes);
      await documents.put(["large"], "text", { text });
      await documents.put(["large"], "small", { text: "A cello" });
      await first.close();
      const again = await open();
      const theirs = again.scope({ userId: "alice" }).documents;
      const { data } = await theirs.get(["large"], "bytes");
      const answer = {
        bytes: data.byteLength === bytes.byteLength && data.every((byte, place) => byte === bytes[place]),
        text: (await theirs.get(["large"], "text")).value.text === text,
        listed: (await theirs.list(["large"], { orderBy: "key" })).map(({ key, bytes }) => [key, bytes]),
        ok: (await again.verify()).ok,
      };
      await theirs.deleteAll(["large"]);
      await again.close();
      return answer;
    },
    scan: async (memory, user, { table, words }) => {
      const values = this.ctx.storage.sql.exec("SELECT key, value FROM " + table).toArray();
      const told = values.map(({ key, value }) => key + new TextDecoder("latin1").decode(value));
      return { values: values.length, told: words.filter((word) => told.some((text) => text.includes(word))) };
    },
    former: async (memory, user) => {
      // What the version before SQL left: every value under a key of the object's own pairs.
      const { kv, sql } = this.ctx.storage;
      await memory.idle();
      const rows = sql.exec("SELECT key, value FROM mnemic_values").toArray();
      for (const { key, value } of rows) kv.put("mnemic:" + key, new Uint8Array(value));
      kv.put("mnemic", "of the app");
      kv.put("mnemic:note", "of the app, too");
      sql.exec("DROP TABLE mnemic_values");
      return rows.length;
    },
    moved: async () => {
      const left = [...this.ctx.storage.kv.list({ prefix: "mnemic" })].map(([key]) => key);
      return { left, rows: this.ctx.storage.sql.exec("SELECT count(*) AS rows FROM mnemic_values").toArray()[0].rows };
    },
  };

  async fetch(request) {
    const [, action] = new URL(request.url).pathname.split("/");
    const memory = await this.memory();
    return Response.json(await this.actions[action](memory, memory.scope({ userId: "alice" }), await request.json()));
  }
}

/** A part of the object's own storage, in a table of its own; what is given as fail may throw before a statement is carried out. */
function partOf(own, name, fail = () => {}) {
  const sql = {
    exec(query, ...values) {
      fail(query);
      return own.sql.exec(query.replaceAll("mnemic_values", name), ...values);
    },
    get databaseSize() {
      return own.sql.databaseSize;
    },
  };
  return { sql, kv: { list: () => [], delete: () => false }, transactionSync: (work) => own.transactionSync(work) };
}

const head = (counter) => {
  const bytes = new Uint8Array(12);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(counter), true);
  return ["head", bytes];
};

/** The code with which a storage refuses a batch. */
const refusal = (storage, batch, expected) => {
  try {
    storage.write(batch, expected);
  } catch ({ code, message }) {
    return code ?? message;
  }
};

/** A value beyond Cloudflare's limit for a row: the code, and what is stored afterwards. */
async function oversized(own) {
  const storage = durableObjectStorage(partOf(own, "oversized"));
  await storage.write({ puts: [["small", new Uint8Array(1)], head(1)], deletes: [] }, 0);
  const puts = [["a", new Uint8Array(1)], ["huge", new Uint8Array(2_000_000)], head(2)];
  return { code: refusal(storage, { puts, deletes: ["small"] }, 1), left: (await storage.read("a", "z")).map(([key]) => key) };
}

/** What is read of a value in rows of a former size, before and after its key gets values of other sizes: the places that are wrong. */
async function rewritten(own) {
  const part = partOf(own, "rewritten");
  const storage = durableObjectStorage(part);
  const [key, former] = ["segment/00000001/vectors/000001", 64 * 1024];
  const noise = (bytes, seed) => Uint8Array.from({ length: bytes }, (_, place) => (place * 2654435761 + seed) >>> 13);
  const places = [[0, 10], [32_760, 20], [65_530, 12], [98_304, 70_000], [131_072, 5], [199_990, 20], [0, 200_000], [250_000, 5]];
  const wrong = (value, when) =>
    places.filter(([offset, length]) => {
      const [read, wanted] = [storage.readAt(key, offset, length), value.subarray(offset, offset + length)];
      return read?.byteLength !== wanted.byteLength || !read.every((byte, place) => byte === wanted[place]);
    }).map(([offset, length]) => when + ": " + length + " bytes at " + offset);
  await storage.write({ puts: [head(1)], deletes: [] }, 0);
  const rows = noise(200_000, 1);
  for (let row = 0; row * former < rows.byteLength; row += 1) {
    const name = row === 0 ? key : key + "\u0001" + String(row).padStart(4, "0");
    part.sql.exec("INSERT INTO mnemic_values (key, value) VALUES (?, ?)", name, rows.slice(row * former, (row + 1) * former));
  }
  const found = wrong(rows, "in rows of a former size");
  const values = [["written again", noise(200_000, 2)], ["small", noise(1000, 3)], ["large again", noise(200_000, 4)]];
  for (const [place, [when, value]] of values.entries()) {
    await storage.write({ puts: [[key, value], head(place + 2)], deletes: [] }, place + 1);
    found.push(...wrong(value, when));
  }
  const whole = noise(200_000, 5);
  part.sql.exec("DELETE FROM mnemic_values WHERE key > ? AND key < ?", key, key + "\u0002");
  part.sql.exec("UPDATE mnemic_values SET value = ? WHERE key = ?", whole, key);
  await storage.read("head", "heae");
  return [...found, ...wrong(whole, "in one row")];
}

/** A storage that fails in the middle of a batch, is full, or has no room left by its own limit. */
async function failing(own) {
  let fails = () => {};
  const storage = durableObjectStorage(partOf(own, "failing", (query) => fails(query)));
  await storage.write({ puts: [["a", new Uint8Array(1)], head(1)], deletes: [] }, 0);
  const batch = { puts: [["b", new Uint8Array(1)], ["c", new Uint8Array(1)], head(2)], deletes: ["a"] };
  const codes = [];
  for (const message of ["disk I/O error: SQLITE_IOERR", "database or disk is full: SQLITE_FULL"]) {
    for (let last = 1; last <= 4; last += 1) {
      let left = last;
      fails = (query) => {
        if (/^(DELETE|INSERT)/.test(query) && --left === 0) throw new Error(message);
      };
      codes.push(refusal(storage, batch, 1));
    }
  }
  fails = () => {};
  const after = (await storage.read("", "z")).map(([key]) => key);
  const limited = durableObjectStorage(partOf(own, "failing"), { maxBytes: own.sql.databaseSize });
  const full = refusal(limited, { ...batch, deletes: [] }, 1);
  const forgets = refusal(limited, batch, 1);
  return { codes, after, full, forgets: String(forgets), left: (await storage.read("", "z")).map(([key]) => key) };
}

export default {
  fetch: (request, env) => env.OBJECT.get(env.OBJECT.idFromName("alice")).fetch(request),
};
`;

let project, modules, worker;

before(async () => {
  const contract = await readFile(join(import.meta.dirname, "support/contract.mjs"), "utf8");
  project = await createProject({ "worker.js": WORKER, "contract.js": contract });
  modules = await bundleWorker(project, "worker.js");
  worker = await startWorker(modules, "Chat", project.path("kept"));
});

after(async () => {
  await worker?.stop();
  await project?.remove();
});

test("the worker takes the entry and the modules that are meant for it", () => {
  assert.deepEqual(modules.map(({ type }) => type), ["ESModule", ...Array(6).fill("CompiledWasm")]);
  assert.doesNotMatch(modules[0].contents, /node:fs|compileStreaming/);
});

test("the storage keeps all promises of a storage", async () => {
  assert.deepEqual(await worker.ask("broken"), {});
});

test("a value beyond the limit of a row is refused, and nothing of its batch is stored", async () => {
  assert.deepEqual(await worker.ask("oversized"), { code: "InvalidInput", left: ["head", "small"] });
});

test("a batch is stored whole or not at all, whichever statement fails, and the failure is typed", async () => {
  assert.deepEqual(await worker.ask("failing"), {
    codes: [...Array(4).fill("Storage"), ...Array(4).fill("QuotaExceeded")],
    after: ["a", "head"],
    full: "QuotaExceeded",
    forgets: "undefined",
    left: ["b", "c", "head"],
  });
});

/** The size of rows has changed once: a part of a value was looked for in the row where it would be today. */
test("parts of a value are read from rows of any size", async () => {
  assert.deepEqual(await worker.ask("rewritten"), []);
});

test("a document of 16 MiB comes back from the rows of the object", async () => {
  assert.deepEqual(await worker.ask("large"), {
    bytes: true,
    text: true,
    listed: [["bytes", 16 << 20], ["small", 18], ["text", 15_200_011]],
    ok: true,
  });
});

test("an object without SQLite is refused with the cure", async () => {
  const { code, message } = await worker.ask("none");
  assert.equal(code, "InvalidInput");
  assert.match(message, /new_sqlite_classes/);
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

test("a memory of the version that kept key-value pairs opens, is moved in one go, and leaves the app's own pairs alone", async () => {
  const before = await worker.ask("all");
  const rows = await worker.ask("former");
  await worker.stop();
  worker = await startWorker(modules, "Chat", project.path("kept"));
  assert.deepEqual(await worker.ask("all"), before);
  const { left, rows: now } = await worker.ask("moved");
  assert.deepEqual(left, ["mnemic", "mnemic:note"]);
  assert.ok(now >= rows, `${now} of ${rows}`);
});

test("an encrypted memory survives a restart, and what the object stores tells no word of it", async () => {
  const words = ["cello", "quokkauser", "userId"];
  await worker.ask("remember", { messages: [{ role: "user", content: "I play the cello in quokkauser's house." }] });
  assert.deepEqual((await worker.ask("scan", { table: "mnemic_values", words })).told, words, "the scan finds what is plain");
  for (const by of ["key", "passphrase"]) {
    const text = "I play the cello.";
    const opened = { by, recalled: 1, ok: true };
    assert.deepEqual({ ...(await worker.ask("sealed", { by, text })), recalled: 1 }, opened);
    await worker.stop();
    worker = await startWorker(modules, "Chat", project.path("kept"));
    const again = await worker.ask("sealed", { by });
    assert.ok(again.recalled >= 1, JSON.stringify(again));
    assert.deepEqual({ ...again, recalled: 1 }, opened);
    const { values, told } = await worker.ask("scan", { table: `sealed_${by}`, words });
    assert.ok(values > 2, `${values}`);
    assert.deepEqual(told, []);
    assert.deepEqual(await worker.ask("sealed", { by, give: "none" }), { error: "LockedError" });
    assert.deepEqual(await worker.ask("sealed", { by, give: "guess" }), { error: "WrongKeyError" });
  }
});
