/** The history of `useChat` in threads, with the AI SDK's current and its previous major version. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { call, finish, generated, streamed, text, versions } from "./support/ai-sdk.mjs";
import { createProject } from "./support/project.mjs";

let project, sdk, memory;
let scopes = 0;

before(async () => {
  project = await createProject();
  const { openMemory } = await project.import('export * from "mnemic";');
  sdk = await project.import('export * from "mnemic/ai-sdk";');
  memory = await openMemory({ name: "ai-sdk-history", storage: "memory" });
});

after(async () => {
  await memory?.close();
  await project?.remove();
});

const scope = () => memory.scope({ userId: `user-${++scopes}` });
const said = (id, role, words) => ({ id, role, parts: [{ type: "text", text: words }] });
const T = "chat";

const conversation = [
  { id: "u1", role: "user", metadata: { from: "phone", n: 1 }, parts: [{ type: "text", text: "What is on it?" }, { type: "file", mediaType: "image/png", filename: "photo.png", url: "https://files.example/photo.png" }] },
  {
    id: "a1",
    role: "assistant",
    metadata: { model: "mock" },
    parts: [
      { type: "text", text: "Let me look." },
      { type: "tool-look", toolCallId: "c1", state: "output-available", input: { at: "photo" }, output: { seen: ["cat"], sure: null } },
      { type: "tool-look", toolCallId: "c2", state: "output-error", input: { at: "corner" }, errorText: "too dark" },
      { type: "step-start" },
      { type: "dynamic-tool", toolName: "name", toolCallId: "c3", state: "output-available", input: {}, output: "Tom" },
      { type: "step-start" },
      { type: "text", text: "A cat called Tom." },
      { type: "source-url", sourceId: "s1", url: "https://cats.example", title: "Cats" },
      { type: "data-weather", id: "d1", data: { sky: ["clear"] } },
    ],
  },
  said("u2", "user", "Thanks!"),
];

test("what is saved is loaded as it was: texts, calls with results and errors, files, sources, data, metadata", async () => {
  const user = scope();
  assert.deepEqual(await sdk.saveMessages(user, T, conversation), { saved: ["u1", "a1", "u2"], removed: [] });
  assert.deepEqual(await sdk.loadMessages(user, T), conversation);
  assert.deepEqual(await sdk.loadMessages(user, T, { limit: 1 }), conversation.slice(2));
  assert.deepEqual(await sdk.saveMessages(user, T, await sdk.loadMessages(user, T)), { saved: [], removed: [] }, "nothing is new");
  assert.deepEqual(await sdk.loadMessages(user, "none"), []);
});

test("reasoning, the SDK's own data and the bytes of files are left out", async () => {
  const user = scope();
  const providerMetadata = { openai: { itemId: "x" } };
  await sdk.saveMessages(user, T, [
    { id: "u1", role: "user", parts: [{ type: "file", mediaType: "image/png", filename: "photo.png", url: "data:image/png;base64,iVBORw0=" }, { type: "file", mediaType: "text/plain", url: "data:,x" }] },
    { id: "a1", role: "assistant", parts: [{ type: "step-start" }, { type: "reasoning", text: "Hm.", state: "done" }, { type: "text", text: "Nice.", state: "done", providerMetadata }] },
    { id: "a2", role: "assistant", parts: [{ type: "reasoning", text: "Hm." }] },
  ]);
  assert.deepEqual(await sdk.loadMessages(user, T), [
    { id: "u1", role: "user", parts: [{ type: "text", text: "[image: photo.png]" }, { type: "text", text: "[file]" }] },
    said("a1", "assistant", "Nice."),
  ]);
  assert.doesNotMatch(JSON.stringify(await user.threads.messages(T)), /Hm\.|iVBORw0|itemId/);
});

test("a conversation that went another way is saved as it is now, and what was learned stays", async () => {
  const user = scope();
  const hello = said("u1", "user", "I live in Lisbon.");
  await sdk.saveMessages(user, T, [hello, said("a1", "assistant", "Nice."), said("u2", "user", "And?"), said("a2", "assistant", "Hm.")]);
  await memory.idle();
  const regenerated = [hello, said("a3", "assistant", "Lovely.")];
  assert.deepEqual(await sdk.saveMessages(user, T, regenerated), { saved: ["a3"], removed: ["a1", "u2", "a2"] });
  const edited = [said("u1", "user", "I lived in Lisbon."), regenerated[1]];
  assert.deepEqual(await sdk.saveMessages(user, T, edited), { saved: ["u1"], removed: [] });
  assert.deepEqual(await sdk.loadMessages(user, T), edited);
  const last = [said("u5", "user", "Bye."), said("a5", "assistant", "Bye!")];
  assert.deepEqual(await sdk.saveMessages(user, T, last), { saved: ["u5", "a5"], removed: [] }, "only the last messages");
  assert.deepEqual(await sdk.loadMessages(user, T), [...edited, ...last]);
  assert.ok((await user.facts.list()).length >= 1);
});

/** A page that still had a forgotten message stored it again, at the end, with its next one. */
test("what was forgotten while a page still has it is not stored again", async () => {
  const user = scope();
  const page = [said("u1", "user", "My locker opens with 4711."), said("a1", "assistant", "Noted."), said("u2", "user", "And?"), said("a2", "assistant", "Hm.")];
  await sdk.saveMessages(user, T, page);
  const [first] = await user.threads.messages(T);
  await user.forget({ ids: [first.id] });
  page.push(said("u3", "user", "Bye."), said("a3", "assistant", "Bye!"));
  assert.deepEqual(await sdk.saveMessages(user, T, page), { saved: ["u3", "a3"], removed: [] });
  assert.deepEqual(await sdk.loadMessages(user, T), page.slice(1));
  assert.doesNotMatch(JSON.stringify(await user.facts.list()), /4711/);
});

test("messages of other interfaces are loaded too, and calls that nobody answers any more are said to be", async () => {
  const user = scope();
  await user.threads.append([
    { role: "user", content: "Weather?", id: "u1" },
    { role: "assistant", content: null, id: "a1", tool_calls: [{ id: "c1", type: "function", function: { name: "weather", arguments: '{"city":"Faro"}' } }] },
    { role: "tool", content: "sunny", tool_call_id: "c1" },
    { role: "assistant", id: "a2", content: [{ type: "tool_use", id: "c2", name: "weather", input: { city: "Porto" } }] },
    { role: "user", content: "Never mind.", id: "u2" },
    { role: "assistant", id: "a3", content: [{ type: "tool-call", toolCallId: "c3", toolName: "ask", input: {} }] },
  ], { threadId: T });
  assert.deepEqual(await sdk.loadMessages(user, T), [
    said("u1", "user", "Weather?"),
    { id: "a1", role: "assistant", parts: [{ type: "tool-weather", toolCallId: "c1", state: "output-available", input: { city: "Faro" }, output: "sunny" }] },
    { id: "a2", role: "assistant", parts: [{ type: "tool-weather", toolCallId: "c2", state: "output-error", input: { city: "Porto" }, errorText: "The call was not answered." }] },
    said("u2", "user", "Never mind."),
    { id: "a3", role: "assistant", parts: [{ type: "tool-ask", toolCallId: "c3", state: "input-available", input: {} }] },
  ]);
});

test("a message that was stored without an id of the app's is edited in its place", async () => {
  const user = scope();
  await user.threads.append([{ role: "user", content: "One?" }, { role: "assistant", content: "One." }, { role: "user", content: "Two?" }], { threadId: T });
  const [one, ...others] = await sdk.loadMessages(user, T);
  const edited = [{ ...one, parts: [{ type: "text", text: "Uno?" }] }, ...others];
  const ids = edited.map(({ id }) => id);
  assert.deepEqual(await sdk.saveMessages(user, T, edited), { saved: ids, removed: [] });
  assert.deepEqual(await sdk.loadMessages(user, T), edited);
  assert.deepEqual(await sdk.saveMessages(user, T, edited), { saved: [], removed: [] });
});

test("what is no thread's is refused", async () => {
  await assert.rejects(sdk.loadMessages(memory, T), { code: "InvalidInput" });
  await assert.rejects(sdk.loadMessages(scope(), T, { last: 5 }), { code: "InvalidInput" });
  await assert.rejects(sdk.saveMessages(scope(), T, [{ id: "", role: "user", parts: [{ type: "text", text: "x" }] }]), { code: "InvalidInput" });
});

for (const { name, ai, mock } of versions) {
  describe(name, () => {
    const tools = { weather: ai.tool({ inputSchema: ai.jsonSchema({ type: "object", properties: {} }), execute: async () => ({ sky: "clear" }) }) };
    const stopWhen = ai.stepCountIs?.(3) ?? ai.isStepCount(3);

    test("a whole chat of the SDK's own messages is saved when its stream ends, and goes on after it was loaded", async () => {
      const user = scope();
      const model = mock(streamed(call("weather", {}), finish("tool-calls")), streamed(text("Clear."), finish()), streamed(text("Bye!"), finish()));
      /** A request of a page, as a route answers it. */
      const post = async (message) => {
        const messages = [...(await sdk.loadMessages(user, T)), message];
        const middleware = sdk.memoryMiddleware(user, { threadId: T, remember: false });
        const prompt = await ai.convertToModelMessages(messages);
        const result = ai.streamText({ model: ai.wrapLanguageModel({ model, middleware }), messages: prompt, tools, stopWhen });
        const saved = [];
        const response = result.toUIMessageStreamResponse({
          originalMessages: messages,
          generateMessageId: () => `reply-to-${message.id}`,
          onFinish: async ({ messages }) => void saved.push(await sdk.saveMessages(user, T, messages)),
        });
        await response.text();
        return saved;
      };
      assert.deepEqual(await post(said("u1", "user", "Weather?")), [{ saved: ["u1", "reply-to-u1"], removed: [] }]);
      assert.deepEqual(await post(said("u2", "user", "Thanks, bye!")), [{ saved: ["u2", "reply-to-u2"], removed: [] }]);
      const loaded = await sdk.loadMessages(user, T);
      assert.deepEqual(loaded.map(({ id }) => id), ["u1", "reply-to-u1", "u2", "reply-to-u2"]);
      assert.deepEqual(loaded[1].parts, [
        { type: "tool-weather", toolCallId: "call-1", state: "output-available", input: {}, output: { sky: "clear" } },
        { type: "step-start" },
        { type: "text", text: "Clear." },
      ]);
      assert.deepEqual(model.doStreamCalls[2].prompt.map(({ role }) => role), ["user", "assistant", "tool", "assistant", "user"]);
      await ai.validateUIMessages({ messages: loaded });
    });

    test("what the middleware stores is loaded as the same history, and saved again without a change", async () => {
      const user = scope();
      const model = ai.wrapLanguageModel({ model: mock(generated([call("weather", {})], "tool-calls"), generated("Clear.")), middleware: sdk.memoryMiddleware(user, { threadId: T }) });
      await ai.generateText({ model, prompt: "Weather?", tools, stopWhen });
      const loaded = await sdk.loadMessages(user, T);
      assert.deepEqual(loaded.map(({ role, parts }) => [role, parts.map(({ type }) => type)]), [["user", ["text"]], ["assistant", ["tool-weather", "step-start", "text"]]]);
      assert.deepEqual(await sdk.saveMessages(user, T, loaded), { saved: [], removed: [] });
      const [question, reply] = loaded;
      const edited = [{ ...question, parts: [{ type: "text", text: "Weather in Faro?" }] }, reply];
      assert.deepEqual(await sdk.saveMessages(user, T, edited), { saved: [question.id], removed: [] });
      assert.deepEqual(await sdk.loadMessages(user, T), edited);
      assert.equal((await ai.convertToModelMessages(loaded)).length, 4);
    });
  });
}
