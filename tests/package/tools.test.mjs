/** Tools as models' interfaces take them, and what comes of calling them. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema, ToolSchema } from "@modelcontextprotocol/sdk/types.js";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import OpenAI from "openai";
import Anthropic from "@anthropic-ai/sdk";
import { createProject } from "./support/project.mjs";

let project, memory;
let scopes = 0;

before(async () => {
  project = await createProject();
  const mnemic = await project.import('export * from "mnemic";');
  memory = await mnemic.openMemory({
    name: "tools",
    storage: "memory",
    profiles: { user: { type: "object", properties: { name: { type: "string" } } } },
  });
});

after(async () => {
  await memory?.close();
  await project?.remove();
});

const scope = () => memory.scope({ userId: `user-${++scopes}` });

const NAMES = [
  "facts_search", "facts_add", "facts_update", "facts_delete", "profile_get", "profile_set",
  "create_entities", "create_relations", "add_observations", "delete_entities", "delete_observations", "delete_relations",
  "read_graph", "search_nodes", "open_nodes",
  "send_message", "core_memory_append", "core_memory_replace", "memory_insert", "memory_replace", "memory_rethink",
  "archival_memory_insert", "archival_memory_search", "conversation_search", "conversation_search_date",
];

test("every format has every tool, and a set only its own", async () => {
  const user = scope();
  assert.deepEqual((await user.tools("mcp")).map(({ name }) => name), NAMES);
  assert.deepEqual((await user.tools("anthropic")).map(({ name }) => name), NAMES);
  assert.deepEqual((await user.tools("openai")).map((tool) => tool.function.name), NAMES);
  assert.deepEqual((await user.tools("mcp", { include: ["profile", "facts"] })).map(({ name }) => name), NAMES.slice(0, 6));
  await assert.rejects(user.tools("gemini"), { code: "InvalidInput" });
  await assert.rejects(user.tools("mcp", { include: ["files"] }), { code: "InvalidInput" });
});

test("the protocol's own schemas and client take them, and call them", async () => {
  const user = scope();
  for (const tool of await user.tools("mcp")) ToolSchema.parse(tool);
  const server = new Server({ name: "memory", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: await user.tools("mcp") }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const { result, isError } = await user.callTool(params.name, params.arguments);
    return { content: [{ type: "text", text: result }], isError };
  });
  const client = new Client({ name: "test", version: "1.0.0" });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(ours), client.connect(theirs)]);
  assert.equal((await client.listTools()).tools.length, NAMES.length);
  const ada = { name: "Ada", entityType: "person", observations: ["sails"] };
  const created = await client.callTool({ name: "create_entities", arguments: { entities: [ada] } });
  assert.deepEqual(created.content, [{ type: "text", text: JSON.stringify({ entities: [ada] }) }]);
  const refused = await client.callTool({ name: "create_relations", arguments: { relations: [{ from: "Ada", to: "Zed", relationType: "knows" }] } });
  assert.equal(refused.isError, true);
  assert.match(refused.content[0].text, /Entity with name Zed not found/);
  await client.close();
});

/** A client's function that answers with JSON and keeps what it was asked. */
function answering(asked, answer) {
  return async (_url, { body }) => {
    asked.push(JSON.parse(body));
    return new Response(JSON.stringify(answer), { headers: { "content-type": "application/json" } });
  };
}

test("what the clients of the providers hand over is carried out", async () => {
  const user = scope();
  const asked = [];
  const call = { id: "call_1", type: "function", function: { name: "facts_add", arguments: '{"text":"Ada sails","category":null,"significance":null}' } };
  const openai = new OpenAI({
    apiKey: "none",
    fetch: answering(asked, { id: "1", object: "chat.completion", choices: [{ index: 0, message: { role: "assistant", content: null, tool_calls: [call] } }] }),
  });
  const completion = await openai.chat.completions.create({ model: "any", messages: [], tools: await user.tools("openai") });
  assert.equal(asked[0].tools.length, NAMES.length);
  const { function: wanted } = completion.choices[0].message.tool_calls[0];
  assert.equal((await user.callTool(wanted.name, wanted.arguments)).ok, true);

  const block = { type: "tool_use", id: "toolu_1", name: "facts_search", input: { query: "sails" } };
  const anthropic = new Anthropic({
    apiKey: "none",
    fetch: answering(asked, { id: "2", type: "message", role: "assistant", content: [block] }),
  });
  const message = await anthropic.messages.create({ model: "any", max_tokens: 10, messages: [], tools: await user.tools("anthropic") });
  const found = await user.callTool(message.content[0].name, message.content[0].input, { threadId: "today" });
  assert.equal(JSON.parse(found.result).text, "Ada sails");
});

test("what is wrong with a call is its answer, and changes nothing", async () => {
  const user = scope();
  for (const [name, args, told] of [
    ["facts_drop", {}, /There is no tool "facts_drop"\. There are: facts_search/],
    ["facts_add", undefined, /text/],
    ["facts_add", "{", /not a complete JSON object/],
    ["facts_add", { text: "x", significance: 11 }, /\/significance/],
    ["profile_set", { schema: "user", field: "name", value: 5 }, /name/],
    ["memory_replace", { label: "human", old_string: "a", new_string: "b" }, /did not appear verbatim/],
    ["facts_add", { text: "\ud800" }, /half of a surrogate pair/],
    ["facts_add", { text: "x".repeat(5 << 20) }, /over the limit of 131072/],
    ["facts_add", "x".repeat(5 << 20), /over the limit of 131072/],
    ["facts_add", { text: "x".repeat(25 << 20) }, /25165824 bytes/],
    ["facts_add", JSON.parse("[".repeat(70) + "]".repeat(70)), /more than 64 levels/],
    ["\ud800", {}, /half of a surrogate pair/],
  ]) {
    const { ok, isError, result } = await user.callTool(name, args);
    assert.deepEqual([ok, isError], [false, true], name);
    assert.match(result, told);
  }
  const outside = await user.callTool("facts_add", { text: "x" }, { include: ["graph"] });
  assert.equal(outside.ok, false);
  assert.match(outside.result, /There is no tool "facts_add"\. There are: create_entities/);
  await assert.rejects(user.callTool("facts_add", {}, { include: ["files"] }), { code: "InvalidInput" });
  assert.deepEqual(await user.items.list(), []);
  await assert.rejects(user.callTool("facts_add", { text: () => {} }), { code: "InvalidInput" });
  await assert.rejects(user.callTool("facts_add", {}, { threadId: "" }), { code: "InvalidInput" });
  await assert.rejects(user.callTool("facts_add", {}, { threadId: "\ud800" }), { code: "InvalidInput" });
  const said = await user.context.call("core_memory_append", { label: "human", content: "\ud800" });
  assert.equal(said.ok, false);
  assert.match(said.result, /half of a surrogate pair/);
});

test("the functions of the virtual context are among them", async () => {
  const user = scope();
  const appended = await user.callTool("core_memory_append", { label: "human", content: "Likes tea." }, { threadId: "today" });
  assert.equal(appended.ok, true, appended.result);
  const found = await user.callTool("archival_memory_search", { query: "tea", tags: null });
  assert.equal(found.ok, true, found.result);
});
