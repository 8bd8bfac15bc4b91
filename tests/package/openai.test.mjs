/** The memory's tools in OpenAI's SDK: its runner, and loops of one's own over both interfaces. */
import assert from "node:assert/strict";
import OpenAI from "openai";
import { after, before, test } from "node:test";
import { complaints } from "./support/compiler.mjs";
import { createProject } from "./support/project.mjs";

let project, mnemic, openai, memory;
let users = 0;

before(async () => {
  project = await createProject({}, ["openai", "@types/node", "undici-types"]);
  mnemic = await project.import('export * from "mnemic";');
  openai = await project.import('export * from "mnemic/openai";');
  memory = await mnemic.openMemory({ name: "openai", storage: "memory" });
});

after(async () => {
  await memory?.close();
  await project?.remove();
});

const scope = () => memory.scope({ userId: `user-${++users}` });
const include = ["facts"];

/** A client whose server answers these, one after the other; `sent` is what it was sent. */
function clientOf(...answers) {
  const sent = [];
  const fetch = async (url, { body }) => {
    sent.push(JSON.parse(body));
    return Response.json(answers[sent.length - 1]);
  };
  return { client: new OpenAI({ apiKey: "none", fetch }), sent };
}

const completion = (message) => ({ id: "c", object: "chat.completion", created: 1, model: "m", choices: [{ index: 0, finish_reason: message.tool_calls ? "tool_calls" : "stop", message: { role: "assistant", content: null, refusal: null, ...message } }] });
const called = (id, name, args) => ({ id, type: "function", function: { name, arguments: args } });
const ADD = '{"text":"The user sails every summer","category":null,"significance":null}';

test("the runner of chat completions runs them, and tells the model what is wrong", async () => {
  const user = scope();
  const { client, sent } = clientOf(
    completion({ tool_calls: [called("1", "facts_add", ADD)] }),
    completion({ tool_calls: [called("2", "facts_add", '{"text":7,"category":null,"significance":null}'), called("3", "facts_search", '{"query":"sailing","limit":null}')] }),
    completion({ content: "Noted." }),
  );
  const runner = client.chat.completions.runTools({ model: "m", messages: [{ role: "user", content: "I sail." }], tools: await openai.memoryTools(user, { include }) });
  assert.equal(await runner.finalContent(), "Noted.");
  assert.deepEqual(sent[0].tools, await user.tools("openai", { include }));
  assert.deepEqual((await user.facts.list()).map(({ text }) => text), ["The user sails every summer"]);
  const told = sent[2].messages.filter(({ role }) => role === "tool").map(({ content }) => content);
  assert.match(told[1], /nothing was changed/);
  assert.match(told[2], /sails every summer/);
});

test("a loop of one's own over chat completions takes a line", async () => {
  const user = scope();
  const { client, sent } = clientOf(completion({ tool_calls: [called("1", "facts_add", ADD), called("2", "weather", "{}")] }), completion({ content: "Noted." }));
  const messages = [{ role: "user", content: "I sail." }];
  const tools = await openai.memoryTools(user, { include });
  const { choices } = await client.chat.completions.create({ model: "m", messages, tools });
  const answers = await openai.toolMessages(user, choices[0].message, { include });
  assert.deepEqual(answers.map(({ role, tool_call_id }) => [role, tool_call_id]), [["tool", "1"]], "other tools are the app's");
  await client.chat.completions.create({ model: "m", messages: [...messages, choices[0].message, ...answers] });
  assert.match(sent[1].messages.at(-1).content, /created/);
  assert.deepEqual(await openai.toolMessages(user, { content: "x" }), []);
  assert.deepEqual(await openai.toolMessages(user, { tool_calls: null }), []);
});

test("a loop over the Responses API takes a line, and what was left out is not called", async () => {
  const user = scope();
  const call = (call_id, name, args) => ({ type: "function_call", id: `f${call_id}`, call_id, name, arguments: args, status: "completed" });
  const response = (...output) => ({ id: "r", object: "response", created_at: 1, model: "m", output, status: "completed" });
  const { client, sent } = clientOf(
    response({ type: "reasoning", id: "x", summary: [] }, call("1", "facts_add", ADD), call("2", "read_graph", "{}")),
    response({ type: "message", id: "m", role: "assistant", status: "completed", content: [{ type: "output_text", text: "Noted.", annotations: [] }] }),
  );
  const tools = await openai.responseTools(user, { include });
  let answer = await client.responses.create({ model: "m", tools, input: "I sail." });
  for (let input; (input = await openai.toolOutputs(user, answer.output, { include })).length > 0; ) {
    answer = await client.responses.create({ model: "m", tools, input, previous_response_id: answer.id });
  }
  assert.equal(answer.output_text, "Noted.");
  assert.deepEqual(sent[0].tools.map(({ type, name, strict }) => [type, name, strict])[0], ["function", "facts_search", true]);
  assert.deepEqual(sent[1].input.map(({ type, call_id }) => [type, call_id]), [["function_call_output", "1"]]);
  assert.equal((await user.facts.list()).length, 1);
});

test("wrong options are refused", async () => {
  for (const call of [openai.memoryTools, openai.responseTools]) await assert.rejects(call(scope(), { tools: [] }), mnemic.InvalidInputError);
  await assert.rejects(openai.toolMessages(scope(), {}, { threads: "x" }), mnemic.InvalidInputError);
  await assert.rejects(openai.toolOutputs(scope(), [], { threads: "x" }), mnemic.InvalidInputError);
});

test("what is no user, no message and no output is refused by name", async () => {
  const isTold = (told) => (error) => error instanceof mnemic.InvalidInputError && told.test(error.message);
  for (const call of [openai.memoryTools, openai.responseTools, (user) => openai.toolMessages(user, {}), (user) => openai.toolOutputs(user, [])]) {
    for (const none of [memory, undefined]) await assert.rejects(async () => call(none), isTold(/memory\.scope/));
  }
  const { choices, ...rest } = completion({ content: "x" });
  for (const none of [undefined, "x", { choices, ...rest }]) await assert.rejects(openai.toolMessages(scope(), none), isTold(/choices\[0\]\.message/));
  for (const none of [undefined, { output: [] }]) await assert.rejects(openai.toolOutputs(scope(), none), isTold(/response\.output/));
});

test("the types fit those of the SDK", async () => {
  const path = await project.write(
    "types.ts",
    `import OpenAI from "openai";
     import { openMemory } from "mnemic";
     import { memoryTools, responseTools, toolMessages, toolOutputs } from "mnemic/openai";
     const memory = await openMemory({ name: "a", storage: "memory" });
     const user = memory.scope({ userId: "a" });
     const client = new OpenAI();
     const messages: OpenAI.Chat.ChatCompletionMessageParam[] = [];
     const tools = await memoryTools(user, { include: ["facts"] });
     console.log(await client.chat.completions.runTools({ model: "m", messages, tools }).finalContent());
     const { choices } = await client.chat.completions.create({ model: "m", messages, tools });
     messages.push(choices[0]!.message, ...(await toolMessages(user, choices[0]!.message)));
     let response = await client.responses.create({ model: "m", tools: await responseTools(user), input: "x" });
     response = await client.responses.create({ model: "m", input: await toolOutputs(user, response.output), previous_response_id: response.id });`,
  );
  assert.deepEqual(complaints([path], { lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.esnext.disposable.d.ts"], types: ["node"], skipLibCheck: true }), []);
});
