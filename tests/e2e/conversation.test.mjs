/** A chat of the demo on its own: what becomes of a turn when the memory fails at a bad moment. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { build } from "vite";
import { at } from "../../scripts/project.mjs";

let folder, Conversation;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "mnemic-chat-"));
  await build({
    root: at("www"),
    configFile: false,
    logLevel: "error",
    ssr: { noExternal: true },
    build: { ssr: "src/chat/conversation.ts", outDir: folder, rollupOptions: { output: { entryFileNames: "conversation.mjs" } } },
  });
  ({ Conversation } = await import(pathToFileURL(join(folder, "conversation.mjs")).href));
});

after(() => rm(folder, { recursive: true, force: true }));

/** A chat that is kept nowhere, with a model that repeats what it hears; `read` may fail. */
function session() {
  const messages = [];
  const chat = {
    user: { threads: { trim: async () => ({ tokens: 1 }) } },
    isTemporary: true,
    remember: async (message) => void messages.push({ id: String(messages.length), createdAt: 0, ...message }),
    read: async () => [...messages],
    latest: () => chat.read(),
    assemble: async ({ query }) => ({ messages: [{ role: "user", content: query }], tokens: 1, sections: [], items: [] }),
  };
  const made = {
    user: chat.user,
    settings: { window: 8000 },
    model: { label: "echo", takesTools: false, reply: async (turns) => ({ text: `You said: ${turns.at(-1).content}`, calls: [] }) },
    toolbox: async () => ({ tools: [], tokens: 0 }),
    chat: () => chat,
    sort: async () => {},
    keepSummary: async () => {},
  };
  return { made, chat, messages };
}

/** The chat could be used again before it was read again; when that reading failed, what was said meanwhile stood there as unanswered. */
test("a chat that cannot be read after a reply says nothing about the message that came after it", { timeout: 10_000 }, async () => {
  const { made, chat, messages } = session();
  const troubles = [];
  const transcript = { show: (_, trouble) => troubles.push(trouble?.text), scrollToEnd() {} };
  const turns = [];
  const conversation = new Conversation(made, transcript, { say() {} }, { sends() {} }, (busy) => turns.push(busy));
  await conversation.open("chat");
  const { read } = chat;
  let fail, second;
  chat.read = () => {
    if (messages.length !== 2) return read();
    // It is free again, and is being read.
    assert.equal(conversation.isBusy, false);
    chat.read = read;
    second = conversation.send("And the second?");
    return new Promise((_, reject) => (fail = reject));
  };
  const first = assert.rejects(conversation.send("This is the first."), /the memory failed/);
  while (fail === undefined || messages.length < 4) await new Promise((resolve) => setImmediate(resolve));
  fail(new Error("the memory failed"));
  await Promise.all([first, second]);
  assert.deepEqual(messages.map(({ content }) => content), ["This is the first.", "You said: This is the first.", "And the second?", "You said: And the second?"]);
  assert.deepEqual([conversation.isBusy, troubles.filter((text) => text?.includes("failed"))], [false, []]);
  assert.equal(turns.at(-1), false);
});
