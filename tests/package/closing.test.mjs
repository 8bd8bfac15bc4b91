/** Closing a memory whose storage never answers. */
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
