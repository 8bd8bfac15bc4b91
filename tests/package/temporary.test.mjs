/** Temporary chats and read-only scopes, and the list of commits, through the package. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { mapStorage } from "../../scripts/map-storage.mjs";
import { mnemic } from "./support/installed.mjs";

const bytes = ({ pairs }) => [...pairs].map(([key, value]) => `${key}:${[...value]}`).join("\n");

async function open(storage) {
  const memory = await mnemic.openMemory({ name: "temporary", storage });
  return [memory, memory.scope({ userId: "alice" })];
}

test("nothing of a temporary chat is stored, not even that the memory was read", async () => {
  const storage = mapStorage();
  const [memory, user] = await open(storage);
  await user.facts.add("Alice is vegetarian");
  await memory.idle();
  const before = bytes(storage);
  const chat = user.temporary();
  const { messageIds } = await chat.remember([
    { role: "user", id: "m1", content: "I'm planning a party. My name is Zoe." },
    { role: "assistant", content: null, tool_calls: [{ id: "a", type: "function", function: { name: "f" } }] },
  ]);
  assert.equal(messageIds.length, 2);
  await chat.remember({ role: "user", id: "m1", content: "What could a vegetarian cook?" });
  assert.deepEqual(chat.messages().map(({ content, messageId }) => [content, messageId]), [["What could a vegetarian cook?", "m1"], ["", undefined]]);
  const { messages } = await chat.assemble({ maxTokens: 1000, as: "openai" });
  assert.match(messages[0].content, /Alice is vegetarian/u);
  assert.deepEqual(messages.at(-1), { role: "user", content: "What could a vegetarian cook?" });
  assert.match((await chat.recall("vegetarian")).text, /Alice is vegetarian/u);
  await assert.rejects(chat.remember({ role: "user", content: 5 }), { code: "InvalidInput" });
  assert.equal(chat.messages().length, 2);
  await assert.rejects(chat.memory.facts.add("x"), (error) => error instanceof mnemic.ReadOnlyError);
  await assert.rejects(chat.memory.readOnly().remember({ role: "user", content: "x" }), { code: "ReadOnly" });
  chat.drop();
  assert.deepEqual(chat.messages(), []);
  await assert.rejects(chat.remember({ role: "user", content: "x" }), /was dropped/u);
  await memory.idle();
  assert.equal(bytes(storage), before);
  await memory.close();
  assert.equal(bytes(storage), before, "also after closing");
  await assert.rejects(user.temporary().recall("x"), { code: "Closed" });
});

test("a saved chat is an ordinary thread that is learned from", async () => {
  const [memory, user] = await open("memory");
  const chat = user.temporary();
  await assert.rejects(chat.save({ threadId: "t" }), { code: "InvalidInput" });
  const at = new Date(2026, 1, 1);
  const said = Array.from({ length: 501 }, (_, place) => ({ role: "user", content: place === 0 ? "My name is Zoe." : `Line ${place}.`, createdAt: at }));
  await chat.remember(said.slice(0, 500));
  await chat.remember(said.slice(500));
  const { threadId, messageIds, commitIds } = await chat.save({ threadId: "t" });
  assert.deepEqual([threadId, messageIds.length, commitIds.length], ["t", 501, 2]);
  await memory.idle();
  const [first] = await user.threads.messages("t", { limit: 1 });
  assert.deepEqual([first.content, first.createdAt, first.id], ["My name is Zoe.", at.getTime(), messageIds[0]]);
  assert.match((await user.recall("name")).text, /Zoe/u);
  await assert.rejects(chat.save({ threadId: "t" }), /was saved/u);
  await memory.close();
});

test("a temporary chat holds no secrets, and is saved under a name", async () => {
  const [memory, user] = await open("memory");
  const chat = user.temporary();
  await chat.remember({ role: "user", content: "My card is 4111 1111 1111 1111." });
  assert.equal(chat.messages()[0].content, "My card is [card].");
  for (const options of [undefined, {}, { threadId: 1 }]) await assert.rejects(chat.save(options), { code: "InvalidInput", message: /threadId/u });
  assert.equal((await chat.save({ threadId: "card" })).threadId, "card");
  await memory.close();
});

test("what only reads a memory has no hand on its locks", async () => {
  const [memory, user] = await open("memory");
  await memory.encryption.change({ passphrase: "four words nobody guesses" });
  await user.encryption.change({ passphrase: "two more words" });
  for (const { encryption } of [user.readOnly(), user.temporary().memory]) {
    const calls = [() => encryption.change({ passphrase: "mine" }), () => encryption.unlock({ passphrase: "mine" }), () => encryption.lock(), () => encryption.remove()];
    for (const call of calls) await assert.rejects(async () => call(), { code: "ReadOnly" });
    assert.deepEqual(await encryption.status(), { by: "passphrase", locked: false });
  }
  await memory.close();
});

test("the last change can be undone from the list", async () => {
  const [memory, user] = await open("memory");
  const { id } = await user.facts.add("one");
  await user.facts.delete(id);
  const [last] = await user.commits.list({ causes: ["user"], limit: 1 });
  assert.deepEqual([last.summary, last.undoable], ["You deleted a fact", true]);
  await user.undo(last.commitId);
  assert.equal((await user.facts.get(id)).text, "one");
  const [, undone] = await user.commits.list();
  assert.equal(undone.obstacle, "undone");
  await memory.close();
});
