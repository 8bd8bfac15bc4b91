/** What is refused in words that help, and what stands twice in one import. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { mnemic } from "./support/installed.mjs";

let memory, user;
let opened = 0;

beforeEach(async () => {
  await memory?.close();
  memory = await mnemic.openMemory({ name: `refusals-${(opened += 1)}`, storage: "memory", extraction: { auto: false } });
  user = memory.scope({ userId: "ana" });
});

const code = (promise) => promise.then(() => "done", (error) => error.code);

test("arguments of another type are refused as input, never by a TypeError", async () => {
  for (const value of [undefined, null, 7, "x", {}]) assert.equal(await code(user.facts.import(value)), "InvalidInput");
  for (const value of [undefined, null, 7, "x", { feedback: "x", messages: 7 }]) {
    assert.equal(await code(user.instructions.revise(value)), "InvalidInput");
  }
});

test("an argument is not given again as an option", async () => {
  const { id } = await user.facts.add("Ana keeps bees");
  await assert.rejects(user.facts.delete(id, { id: "x" }), /options\.id: /);
  const message = { role: "user", content: "hi" };
  await assert.rejects(user.remember(message, { messages: [message] }), /options\.messages: /);
  assert.equal((await user.facts.list()).length, 1);
});

test("of two messages with one id in one import the first is taken", async () => {
  const said = (uuid, text) => ({ uuid, sender: "human", text });
  const chat = [{ uuid: "t", chat_messages: [said("a", "first"), said("a", "second"), said("b", "other")] }];
  const imported = await user.import(JSON.stringify(chat));
  assert.deepEqual([imported.done, imported.skipped], [2, 1]);
  const messages = await user.threads.messages("t");
  assert.deepEqual(messages.map(({ content }) => content), ["first", "other"]);
});

test("of two documents under one key in one import the one changed last is taken", async () => {
  const item = (n, updated_at) => ({ namespace: ["n"], key: "k", value: { n }, created_at: updated_at, updated_at });
  const times = ["2026-01-02T00:00:00Z", "2026-01-03T00:00:00Z", "2026-01-01T00:00:00Z"];
  const items = times.map((time, n) => item(n, time));
  await user.import(JSON.stringify({ items }), { format: "langgraph" });
  assert.deepEqual((await user.documents.get(["n"], "k")).value, { n: 1 });
});

test("mem0 memories imported at once are imported once", async () => {
  const source = JSON.stringify([{ id: "m1", memory: "Ana keeps bees" }]);
  const imports = await Promise.all(Array.from({ length: 10 }, () => user.import(source)));
  assert.equal(imports.reduce((sum, { done }) => sum + done, 0), 1);
  assert.equal((await user.facts.list()).length, 1);
});

test("an error of a storage names its class once", async () => {
  const storage = {
    read: () => Promise.reject(new mnemic.StorageError("the disk is gone")),
    write: () => Promise.resolve(),
  };
  const opening = mnemic.openMemory({ name: "gone", storage });
  await assert.rejects(opening, (error) => {
    assert.equal(`${error}`, "StorageError: the storage could not read: the disk is gone");
    return true;
  });
});
