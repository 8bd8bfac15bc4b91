/** How much memory an open memory may take, and that closing gives it back. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { mapStorage } from "../../scripts/map-storage.mjs";
import { mnemic, project } from "./support/installed.mjs";
import { watchInstances } from "./support/instances.mjs";

/** Documents of 100 kB each, from a number on. */
const documents = (first, count) =>
  Array.from({ length: count }, (_, index) => {
    const place = { namespace: ["notes"], key: `k${first + index}` };
    return { op: "put", ...place, value: { note: `${first + index} ${"x".repeat(100_000)}` }, index: false };
  });

test("a write that does not fit is refused with the number, changes nothing, and what is there opens again", async () => {
  const storage = mapStorage();
  const options = { name: "small", storage, maxMemoryBytes: 16 * 2 ** 20 };
  let memory = await mnemic.openMemory(options);
  let user = memory.scope({ userId: "alice" });
  let written = 0;
  const refused = async () => {
    for (; written < 400; written += 4) await user.documents.batch(documents(written, 4));
  };
  await assert.rejects(refused, (error) => {
    assert.ok(error instanceof mnemic.QuotaExceededError);
    assert.match(error.message, /maxMemoryBytes is 16777216; forget what is not needed/);
    assert.equal(error.details.maxMemoryBytes, 16 * 2 ** 20);
    return true;
  });
  const { memory: taken } = await memory.health();
  assert.equal(taken.maxBytes, 16 * 2 ** 20);
  assert.ok(taken.bytes > taken.maxBytes / 2 && taken.bytes <= taken.maxBytes, `${taken.bytes}`);
  await memory.close();

  memory = await mnemic.openMemory(options);
  user = memory.scope({ userId: "alice" });
  assert.equal((await memory.usage()).records, written);
  await user.documents.delete(["notes"], "k0");
  await memory.close();
});

test("a limit must be a whole number of bytes from 16 to 1280 MiB", async () => {
  for (const maxMemoryBytes of [0, 64, 15 * 2 ** 20, 16.5 * 2 ** 20 + 0.5, 1281 * 2 ** 20, -(2 ** 24), 1e300, "64", Infinity]) {
    await assert.rejects(mnemic.openMemory({ name: "small", storage: "memory", maxMemoryBytes }), (error) => {
      assert.ok(error instanceof mnemic.InvalidInputError, String(error));
      assert.match(error.message, /maxMemoryBytes.*; pass (16777216 to 1342177280|a whole number)/);
      return true;
    });
  }
});

test("a closed memory gives its memory back, though its app still holds it, and the next one has it to itself", async () => {
  const path = await project.write(
    "give-back.mjs",
    `import { openMemory } from "mnemic";
     (${watchInstances})();
     const documents = ${documents};
     const fill = async (memory) => {
       for (let first = 0; first < 200; first += 10) await memory.scope({ userId: "alice" }).documents.batch(documents(first, 10));
     };
     const held = [];
     for (let round = 0; round < 3; round += 1) {
       const [one, other] = await Promise.all(["one", "other"].map((name) => openMemory({ name, storage: "memory" })));
       await fill(one);
       held.push(one, other);
       await one.close();
       // The other one still works.
       await other.scope({ userId: "bob" }).documents.put(["notes"], "a", { note: "tea" });
       await other.close();
     }
     await new Promise((resolve) => setTimeout(resolve));
     for (let round = 0; round < 4; round += 1) {
       await new Promise((resolve) => setImmediate(resolve));
       gc();
     }
     console.log(memories.length, memories.filter((memory) => memory.deref() !== undefined).length, held.length);`,
  );
  assert.equal((await project.run(path, "--expose-gc")).trim(), "3 0 6");
});
