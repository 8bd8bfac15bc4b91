/** `sqliteStorage` as a server meets it: with both bindings, with several processes, after forgetting, and where there is no SQLite. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createProject } from "./support/project.mjs";
import { ask, BINDINGS } from "./support/sqlite.mjs";

const support = (name) => readFile(join(import.meta.dirname, "support", name), "utf8");

let project, bare;

/** A worker that writes a file for a moment. */
const MAKING = `
  import { parentPort, workerData } from "node:worker_threads";
  import { sqliteBinding } from "./node_modules/mnemic/node/binding.js";
  const database = sqliteBinding()(workerData);
  database.exec("BEGIN IMMEDIATE; CREATE TABLE other (id)");
  parentPort.postMessage("writing");
  setTimeout(() => {
    database.exec("COMMIT");
    database.close();
  }, 300);
`;

before(async () => {
  const files = { "contract.mjs": await support("contract.mjs"), "planting.mjs": await support("planting.mjs"), "making.mjs": MAKING };
  project = await createProject(files, ["better-sqlite3"]);
  bare = await createProject();
});

after(async () => {
  await project?.remove();
  await bare?.remove();
});

/** What every program begins with: a folder of its own, and the bytes of the files in it. */
const PRELUDE = `
  import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
  import { join } from "node:path";
  import { openMemory } from "mnemic";
  import { sqliteStorage } from "mnemic/node";
  const folder = mkdtempSync("stored-");
  const files = () => readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]);
  const answer = (value) => process.stdout.write(JSON.stringify(value));
`;

for (const [name, flags] of Object.entries(BINDINGS)) {
  describe(name, () => {
    test("it keeps the contract of storages", async () => {
      const faults = await ask(
        project,
        `${PRELUDE} import { broken } from "./contract.mjs";
         answer(await broken((name) => sqliteStorage(join(folder, name + ".db"))));`,
        flags,
      );
      assert.deepEqual(faults, {});
    });

    test("a process ends by itself with a memory and a model, and the next one finds what it confirmed", async () => {
      const open = (call) => `
        import { openMemory } from "mnemic";
        import { sqliteStorage } from "mnemic/node";
        const memory = await openMemory({ name: "chat", storage: sqliteStorage("ends-${name.replace(":", "-")}.db"), llm: () => ({ facts: [], profile: [] }) });
        const user = memory.scope({ userId: "alice" });
        ${call}
        process.stdout.write(JSON.stringify([(await user.threads.messages("t")).map(({ content }) => content), memory.storage.kind]));`;
      const said = 'await user.remember({ role: "user", content: "I keep bees." }, { threadId: "t" });';
      assert.deepEqual(await ask(project, open(said), flags), [["I keep bees."], "object"]);
      assert.deepEqual(await ask(project, open(""), flags), [["I keep bees."], "object"]);
    });

    test("what is no database, and a folder that is not there, are told", async () => {
      const codes = await ask(
        project,
        `${PRELUDE} import { writeFileSync } from "node:fs";
         writeFileSync(join(folder, "text.db"), "This is a text, and no database at all. ".repeat(200));
         const code = (...values) => { try { sqliteStorage(...values); } catch (error) { return error.code; } };
         answer([
           code(join(folder, "text.db")), code(join(folder, "absent", "a.db")), code(""), code(7),
           code(join(folder, "a.db"), { durability: "most" }), code(join(folder, "a.db"), { busyTimeoutMs: -1 }),
           readFileSync(join(folder, "text.db"), "utf8").startsWith("This is a text"),
         ]);`,
        flags,
      );
      assert.deepEqual(codes, ["Storage", "Storage", "InvalidInput", "InvalidInput", "InvalidInput", "InvalidInput", true]);
    });

    test("names that are no files, or that a binding would change, are refused", async () => {
      const codes = await ask(
        project,
        `${PRELUDE}
         const code = (path) => { try { sqliteStorage(path).close(); } catch (error) { return error.code; } };
         answer({ codes: [":memory:", "file:z.db?mode=memory", " a.db", "a.db ", "a\\0b.db", "\\ud800.db"].map(code), files: readdirSync(".").filter((name) => /\\.db/.test(name) && !/^ends-/.test(name)) });`,
        flags,
      );
      assert.deepEqual(codes, { codes: Array(6).fill("InvalidInput"), files: [] });
    });

    /** Each write waited out the whole busyTimeoutMs, and with it the process, until the reader was done. */
    test("a reader keeps no write waiting, and what was deleted is erased once it is done", async () => {
      const found = await ask(
        project,
        `${PRELUDE} import { sqliteBinding } from "./node_modules/mnemic/node/binding.js";
         const path = join(folder, "read.db");
         const storage = sqliteStorage(path, { busyTimeoutMs: 600000 });
         const head = (counter) => ["head", new Uint8Array([counter, 0, 0, 0, 0, 0, 0, 0])];
         const holds = () => files().some(([, bytes]) => bytes.includes("a secret word"));
         storage.write({ puts: [["a", Buffer.from("a secret word".repeat(20))], head(1)], deletes: [] }, 0);
         const other = sqliteBinding()(path);
         other.exec("BEGIN");
         other.prepare("SELECT count(*) FROM mnemic_pairs").get();
         storage.write({ puts: [head(2)], deletes: ["a"] }, 1);
         storage.write({ puts: [["b", new Uint8Array([1])], head(3)], deletes: [] }, 2);
         const meanwhile = holds();
         other.exec("COMMIT");
         // The process would end before: nothing waits for the log.
         const alive = setInterval(() => {}, 1000);
         while (holds()) await new Promise((resolve) => setImmediate(resolve));
         clearInterval(alive);
         other.close();
         storage.close();
         answer({ meanwhile });`,
        flags,
      );
      assert.deepEqual(found, { meanwhile: true });
    });

    /** SQLite refuses a new file its log at once while another connection writes it, whatever its timeout says. */
    test("it opens a file that another connection is just making", async () => {
      const found = await ask(
        project,
        `${PRELUDE} import { Worker } from "node:worker_threads";
         const path = join(folder, "made.db");
         const making = new Worker(new URL("./making.mjs", import.meta.url), { workerData: path });
         await new Promise((resolve) => making.once("message", resolve));
         const hasty = (() => { try { sqliteStorage(path, { busyTimeoutMs: 0 }).close(); } catch ({ code }) { return code; } })();
         sqliteStorage(path).close();
         answer({ hasty });`,
        flags,
      );
      assert.deepEqual(found, { hasty: "Storage" });
    });

    test("while another connection writes, a write waits, and then fails having changed nothing", async () => {
      const found = await ask(
        project,
        `${PRELUDE} import { sqliteBinding } from "./node_modules/mnemic/node/binding.js";
         const path = join(folder, "locked.db");
         const storage = sqliteStorage(path, { busyTimeoutMs: 0 });
         const head = (counter) => ["head", new Uint8Array([counter, 0, 0, 0, 0, 0, 0, 0])];
         storage.write({ puts: [["a", new Uint8Array([1])], head(1)], deletes: [] }, 0);
         const other = sqliteBinding()(path);
         other.exec("BEGIN IMMEDIATE");
         let refused;
         try {
           storage.write({ puts: [["a", new Uint8Array([2])], head(2)], deletes: [] }, 1);
         } catch ({ code, message }) {
           refused = [code, message.includes("locked")];
         }
         const meanwhile = [...storage.read("a", "b")[0][1]];
         other.exec("COMMIT");
         other.close();
         storage.write({ puts: [["a", new Uint8Array([3])], head(2)], deletes: [] }, 1);
         answer({ refused, meanwhile, then: [...storage.read("a", "b")[0][1]] });`,
        flags,
      );
      assert.deepEqual(found, { refused: ["Storage", true], meanwhile: [1], then: [3] });
    });
  });
}

/** Of 29 754 deleted values, SQLite's secure_delete alone left eight in the file: beginnings of rows, on pages from which they had moved. */
test("no deleted value is left in the files, after random writes", async () => {
  // With the first, one value was left.
  const seeds = [23757, Math.floor(Math.random() * 2 ** 31)];
  console.log(`seeds ${seeds}`);
  const writing = (seed) => `${PRELUDE} let state = ${seed} | 1;
     const below = (limit) => { state ^= state << 13; state ^= state >>> 17; state ^= state << 5; return (state >>> 0) % limit; };
     const storage = sqliteStorage(join(folder, "random.db"), { durability: "relaxed" });
     const [live, deleted] = [new Map(), new Set()];
     let [head, number] = [0, 0];
     const drop = (key) => { if (live.has(key)) deleted.add(live.get(key)); live.delete(key); };
     for (let round = 0; round < 600; round += 1) {
       const [puts, deletes] = [[], []];
       for (let count = below(20); count > 0 && live.size > 0; count -= 1) {
         const key = [...live.keys()][below(live.size)];
         drop(key);
         deletes.push(key);
       }
       for (let count = 1 + below(20); count > 0; count -= 1) {
         const key = below(5) === 0 && live.size > 0 ? [...live.keys()][below(live.size)] : "k" + String(number).padStart(8, "0");
         drop(key);
         const word = "word" + number + "end";
         number += 1;
         live.set(key, word);
         puts.push([key, Buffer.from((word + " ").repeat(1 + below(below(10) === 0 ? 9000 : 60)))]);
       }
       const counter = new Uint8Array(8);
       new DataView(counter.buffer).setUint32(0, head + 1, true);
       storage.write({ puts: [...puts, ["head", counter]], deletes }, head);
       head += 1;
     }
     const words = new Set(files().flatMap(([, bytes]) => bytes.toString("latin1").match(/word\\d+end/g) ?? []));
     answer({ deleted: deleted.size, left: [...words].filter((word) => deleted.has(word)) });`;
  for (const { deleted, left } of await Promise.all(seeds.map((seed) => ask(project, writing(seed))))) {
    assert.ok(deleted > 4000, `only ${deleted} were deleted`);
    assert.deepEqual(left, []);
  }
});

describe("what is forgotten is in none of its files", () => {
  for (const whole of [false, true]) {
    for (const encrypted of [false, true]) {
      test(`${whole ? "a scope" : "a conversation and what is stored apart"}${encrypted ? ", encrypted" : ""}`, async () => {
        const { before, after, nothing } = await ask(
          project,
          `${PRELUDE} import { forgotten, holds, NOTHING, options } from "./planting.mjs";
           const key = await crypto.subtle.importKey("raw", new Uint8Array(32).fill(7), "AES-GCM", false, ["encrypt", "decrypt"]);
           const open = () => openMemory({ ...options, name: "erased", storage: sqliteStorage(join(folder, "erased.db")), ${encrypted ? "encryption: { key }" : ""} });
           const stored = async () => files().filter(([, bytes]) => holds(bytes)).map(([name]) => name);
           answer({ ...(await forgotten(open, stored, ${whole})), nothing: NOTHING });`,
        );
        assert.ok(before.told && before.kinds.length >= 7, `planted in ${before.kinds}`);
        assert.equal(before.stored.length > 0, !encrypted, "a scan finds what is plain, and nothing of what is encrypted");
        assert.deepEqual(after, nothing);
      });
    }
  }
});

test("processes that write at once lose nothing", async () => {
  const writer = `
    import { openMemory } from "mnemic";
    import { sqliteStorage } from "mnemic/node";
    const [, , name] = process.argv;
    const memory = await openMemory({ name: "shared", storage: sqliteStorage("shared.db"), extraction: { auto: false } });
    const user = memory.scope({ userId: "alice" });
    for (let number = 0; number < 40; number += 1) await user.facts.add("Fact " + number + " of " + name);
    await memory.close();
    process.stdout.write("[]");`;
  await Promise.all(["one", "two", "three"].map((name) => ask(project, writer, BINDINGS["node:sqlite"], name)));
  const [texts, ok] = await ask(
    project,
    `import { openMemory } from "mnemic";
     import { sqliteStorage } from "mnemic/node";
     const memory = await openMemory({ name: "shared", storage: sqliteStorage("shared.db") });
     const facts = await memory.scope({ userId: "alice" }).facts.list({ limit: 1000 });
     process.stdout.write(JSON.stringify([facts.map(({ text }) => text), (await memory.verify()).ok]));`,
  );
  const expected = ["one", "two", "three"].flatMap((name) => Array.from({ length: 40 }, (_, number) => `Fact ${number} of ${name}`));
  assert.deepEqual(texts.sort(), expected.sort());
  assert.equal(ok, true);
});

test("where there is no SQLite, the error says what to install", async () => {
  const source = `
    import { sqliteStorage } from "mnemic/node";
    try { sqliteStorage("a.db"); process.stdout.write("[]"); }
    catch ({ name, code, message }) { process.stdout.write(JSON.stringify([name, code, message])); }`;
  const [name, code, message] = await ask(bare, source, BINDINGS["better-sqlite3"]);
  assert.deepEqual([name, code], ["LoadError", "Load"]);
  assert.match(message, /^.*npm install better-sqlite3.*$/, "one line, without the folders that Node looked into");
  // Node 20 dies of the versions after 12 without a word.
  if (Number(process.versions.node.split(".")[0]) < 22) {
    const [, code, message] = JSON.parse(await project.run(await project.write("old.mjs", source)));
    assert.equal(code, "Load");
    assert.match(message, /npm install better-sqlite3@12/);
  }
});

test("failures of both bindings have the same types", async () => {
  const { sqliteFailure } = await project.import('export * from "./node_modules/mnemic/node/binding.js";');
  const codeOf = (fields) => sqliteFailure(Object.assign(new Error("it failed"), fields), "a.db").code;
  assert.equal(codeOf({ code: "ERR_SQLITE_ERROR", errcode: 13 }), "QuotaExceeded");
  assert.equal(codeOf({ code: "SQLITE_FULL" }), "QuotaExceeded");
  assert.equal(codeOf({ code: "ERR_SQLITE_ERROR", errcode: 10 | (3 << 8) }), "Storage");
  assert.equal(codeOf({ code: "SQLITE_IOERR_WRITE" }), "Storage");
});
