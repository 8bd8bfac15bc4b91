/** Closing a memory: what is finished first, and a storage that never answers. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createProject } from "./support/project.mjs";

let project;

before(async () => {
  project = await createProject();
});

after(() => project?.remove());

/** Closing waited for ever for a write that was never answered. The clock is the script's own, so that nothing is waited for. */
test("closing does not wait for ever for a storage that does not answer", async () => {
  const path = await project.write(
    "closing.mjs",
    `import { openMemory, StorageError } from "mnemic";
     const pairs = new Map();
     let hangs = false;
     const storage = {
       read: (start, end) => [...pairs].filter(([key]) => start <= key && key < end).sort(([a], [b]) => (a < b ? -1 : 1)),
       write({ puts, deletes }) {
         if (hangs) return new Promise(() => {});
         for (const key of deletes) pairs.delete(key);
         for (const [key, value] of puts) pairs.set(key, value.slice());
       },
     };
     const memory = await openMemory({ name: "hangs", storage });
     hangs = true;
     const user = memory.scope({ userId: "a" });
     void user.facts.add("Alice keeps bees").catch(() => {});
     const timers = [];
     const original = globalThis.setTimeout;
     globalThis.setTimeout = (call, ms, ...rest) => (ms === 10_000 ? timers.push(call) : original(call, ms, ...rest));
     const closing = memory.close();
     globalThis.setTimeout = original;
     const again = memory.close();
     for (const call of timers) call();
     const errors = await Promise.all([closing, again].map((end) => end.then(() => "closed", (error) => error)));
     console.log(errors.every((error) => error instanceof StorageError && error.message.includes("unknown")));
     console.log(await user.facts.list().catch(({ code }) => code));
     process.exit();`,
  );
  assert.deepEqual((await project.run(path)).trim().split("\n"), ["true", "Closed"]);
});

/** Learning by rules was cut off by closing, so that a pool that closed each memory after its use never learned. */
test("what was remembered is learned by rules before a memory is closed, also to make room in a pool; a model is not waited for", async () => {
  const path = await project.write(
    "learning.mjs",
    `import { openMemory } from "mnemic";
     import { fileStorage, memoryPool } from "mnemic/node";
     const open = (name, options) => openMemory({ name: "chat", storage: fileStorage(name + ".mnemic"), ...options });
     const said = { role: "user", content: "I live in Lisbon." };
     const learned = async (name) => {
       const memory = await open(name, { extraction: { auto: false } });
       const facts = await memory.scope({ userId: name }).facts.list();
       const { pending } = await memory.idle();
       await memory.close();
       return [facts.map(({ text }) => text).join(), pending].join();
     };
     const memory = await open("one");
     await memory.scope({ userId: "one" }).remember(said);
     await memory.close();
     console.log(await learned("one"));
     const pool = memoryPool({ open, max: 1 });
     for (const name of ["two", "three", "four"]) await pool.use(name, (memory) => memory.scope({ userId: name }).remember(said));
     await pool.close();
     for (const name of ["two", "three", "four"]) console.log(await learned(name));
     let asked = () => {};
     const begun = new Promise((resolve) => (asked = resolve));
     const withModel = await open("five", { llm: () => (asked(), new Promise(() => {})), extraction: { trigger: { messages: 1 } } });
     await withModel.scope({ userId: "five" }).remember(said);
     await begun;
     await withModel.close();
     console.log(await learned("five"));`,
  );
  const rules = "The user lives in Lisbon.,0";
  assert.deepEqual((await project.run(path)).trim().split("\n"), [rules, rules, rules, rules, ",1"]);
});
