/** The memory's tools and its provider in the AI SDK, and the types of all of it, in its current and its previous major version. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { call, finish, generated, streamed, text, versions } from "./support/ai-sdk.mjs";
import { complaints } from "./support/compiler.mjs";
import { createProject } from "./support/project.mjs";

let project, mnemic, sdk, memory;
let scopes = 0;

before(async () => {
  project = await createProject({}, ["ai", "ai-6", "@types/node", "undici-types"]);
  mnemic = await project.import('export * from "mnemic";');
  sdk = await project.import('export * from "mnemic/ai-sdk";');
  memory = await mnemic.openMemory({ name: "ai-sdk-tools", storage: "memory" });
});

after(async () => {
  await memory?.close();
  await project?.remove();
});

const scope = () => memory.scope({ userId: `user-${++scopes}` });

for (const { name, ai, mock, Mock } of versions) {
  describe(name, () => {
    const stopWhen = ai.stepCountIs?.(5) ?? ai.isStepCount(5);
    const step = (...calls) => generated(calls, "tool-calls");

    test("a model is offered the sets that it may use, and what it calls is done", async () => {
      const user = scope();
      const model = mock(step(call("facts_add", { text: "The user sails every summer" })), step(call("facts_search", { query: "sails" }, "call-2")), generated("Noted."));
      const tools = await sdk.memoryTools(user, { include: ["facts"], threadId: "today" });
      const { steps } = await ai.generateText({ model, tools, stopWhen, prompt: "Note that I sail." });
      const definitions = await user.tools("mcp", { include: ["facts"] });
      const offered = model.doGenerateCalls[0].tools;
      assert.deepEqual(offered.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })), definitions.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })));
      assert.deepEqual((await user.facts.list()).map(({ text }) => text), ["The user sails every summer"]);
      assert.match(steps[1].toolResults[0].output, /The user sails every summer/);
    });

    test("a wrong call changes nothing, and the model is told what is wrong", async () => {
      const user = scope();
      const model = mock(step(call("facts_add", { txt: "x" })), step(call("facts_delete", { id: "nonsense" }, "call-2")), generated("Sorry."));
      await ai.generateText({ model, tools: await sdk.memoryTools(user), stopWhen, prompt: "Do it." });
      const told = model.doGenerateCalls[2].prompt.filter(({ role }) => role === "tool").flatMap(({ content }) => content.map(({ output }) => output));
      assert.deepEqual(told.map(({ type }) => type), ["error-text", "error-text"]);
      assert.match(told[0].value, /text/);
      assert.deepEqual(await user.facts.list(), []);
    });

    test("a provider's language models have a memory, whatever they are made with, and nothing else has", async () => {
      const user = scope();
      const model = mock(generated("Hello Ana!"), streamed(text("In Lisbon."), finish()));
      class Provider {
        #model = model;
        languageModel = () => this.#model;
        embeddingModel = () => "an embedder";
        chat() {
          return this.#model;
        }
      }
      const made = new Provider();
      const provider = Object.assign(() => made.chat(), { chat: () => made.chat() });
      const own = sdk.memoryProvider(made, user, { threadId: "a" });
      assert.equal(own.embeddingModel("x"), "an embedder");
      await ai.generateText({ model: own.languageModel("m"), prompt: "I live in Lisbon." });
      await memory.idle();
      const called = sdk.memoryProvider(provider, user, { threadId: "b" });
      for (const model of [called("m"), called.chat("m")]) assert.deepEqual([model.modelId, model.provider], ["mock-model-id", "mock-provider"]);
      assert.equal(await ai.streamText({ model: called("m"), prompt: "Where do I live?" }).text, "In Lisbon.");
      assert.match(model.doStreamCalls[0].prompt[0].content, /The user lives in Lisbon\./);
      assert.deepEqual((await user.threads.list()).map(({ threadId, messages }) => [threadId, messages]).toSorted(), [["a", 2], ["b", 2]]);
      assert.throws(() => sdk.memoryProvider("openai", user), { code: "InvalidInput" });
      assert.ok(own.languageModel("m") instanceof Mock);
    });
  });
}

const types = (from, stepCount) => `
  import { convertToModelMessages, customProvider, gateway, streamText, validateUIMessages, wrapLanguageModel, type LanguageModelMiddleware, type ToolSet, type UIMessage } from "${from}";
  import { ${stepCount} } from "${from}";
  import { openMemory, type Memory } from "mnemic";
  import { memoryClient } from "mnemic/cloudflare/client";
  import { loadMessages, memoryMiddleware, memoryProvider, memoryTools, saveMessages, type MemoryUser } from "mnemic/ai-sdk";

  const memory: Memory = await openMemory({ name: "x" });
  const users: MemoryUser[] = [memory.scope({ userId: "a" }), memoryClient({ url: "https://app.example" }), memory.scope({ userId: "a" }).readOnly()];
  const user = users[0]!;
  const middleware: LanguageModelMiddleware = memoryMiddleware(user, { recall: { hops: 2 }, onError: ({ code }, { during }) => console.log(code, during) });
  const model = wrapLanguageModel({ model: gateway("openai/gpt-5-mini"), middleware: [memoryMiddleware(user), middleware] });
  const own: typeof gateway = memoryProvider(gateway, user);
  const custom = memoryProvider(customProvider({ languageModels: { fast: gateway("openai/gpt-5-mini") } }), user);
  const tools: ToolSet = await memoryTools(user, { include: ["facts"] });
  const history: UIMessage[] = await loadMessages(user, "today");
  await validateUIMessages({ messages: history });
  for (const each of [model, own("openai/gpt-5-mini"), custom.languageModel("fast")]) {
    streamText({ model: each, tools: { ...tools, ...(await memoryTools(user)) }, stopWhen: ${stepCount}(3), messages: await convertToModelMessages(await loadMessages(user, "today")), providerOptions: { mnemic: { threadId: "b" } } })
      .toUIMessageStreamResponse({ originalMessages: history, onFinish: async ({ messages }) => void (await saveMessages(user, "today", messages)) });
  }
  // @ts-expect-error a memory is nobody's
  memoryMiddleware(memory);
  // @ts-expect-error there is no such option
  memoryMiddleware(user, { thread: "x" });
`;

for (const [from, stepCount] of [["ai", "isStepCount"], ["ai-6", "stepCountIs"]]) {
  test(`everything fits the types of ${from}`, async () => {
    const path = await project.write(`types-${from}.ts`, types(from, stepCount));
    assert.deepEqual(complaints([path], { lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"], types: ["node"], skipLibCheck: true }), []);
  });
}
