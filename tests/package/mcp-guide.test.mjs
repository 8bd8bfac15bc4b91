/** The servers of the guide of MCP: in Node over the standard streams, in Cloudflare's runtime over HTTP. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { call, connected, entity, relation } from "./support/mcp.mjs";
import { createProject } from "./support/project.mjs";
import { snippets, textOf } from "./support/snippets.mjs";
import { bundleWorker, startWorker } from "../../scripts/workerd.mjs";

let project;

before(async () => {
  project = await createProject();
});

after(() => project?.remove());

const found = snippets("js").filter(({ name }) => name.startsWith("docs/guides/mcp.md"));

test("every script of the guide is run here", () => assert.equal(found.length, 2));

test("the configuration starts the command, with options that it has", () => {
  const text = textOf("docs/guides/mcp.md");
  const { command, args } = JSON.parse(/```json\n([^]*?)```/.exec(text)[1]).mcpServers.memory;
  assert.deepEqual([command, ...args.slice(0, 4)], ["npx", "-y", "--package", "mnemic", "mnemic-mcp"]);
});

test("the guide's server in Node serves a client until that goes, and keeps what it was told", async () => {
  const script = await project.write("server.mjs", found[0].source);
  const start = () => connected(new StdioClientTransport({ command: process.execPath, args: [script], cwd: project.folder, stderr: "ignore" }));
  const first = await start();
  await call(first, "facts_add", { text: "Alice sails" });
  await first.close();
  const second = await start();
  assert.match((await call(second, "facts_search", { query: "sails" })).text, /Alice sails/);
  await second.close();
});

test("the guide's Worker serves each user their own graph, and strangers nothing", async () => {
  const authenticate = "const authenticate = async (request) => request.headers.get('authorization')?.replace('Bearer ', '') ?? null;\n";
  await project.write("worker.js", authenticate + found[1].source);
  const objects = { durableObjects: { MEMORY: { className: "UserMemory", useSQLite: true } } };
  const worker = await startWorker(await bundleWorker(project, "worker.js"), "UserMemory", project.path("kept"), objects);
  try {
    const url = new URL("mcp", worker.url);
    const clientOf = (user) => connected(new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization: `Bearer ${user}` } } }));
    const [ana, bob] = [await clientOf("ana"), await clientOf("bob")];
    assert.ok((await ana.listTools()).tools.length >= 14);
    await call(ana, "create_entities", { entities: [entity("Ana", "person", "sails"), entity("Porto", "city")] });
    const created = await call(ana, "create_relations", { relations: [relation("Ana", "lives_in", "Porto")] });
    assert.deepEqual(created.structuredContent, { relations: [relation("Ana", "lives_in", "Porto")] });
    assert.equal((await call(ana, "add_observations", { observations: [{ entityName: "Nobody", contents: ["x"] }] })).isError, true);
    await call(ana, "facts_add", { text: "Ana rows every morning" });
    assert.match((await call(ana, "recall", { query: "Does Ana row?" })).text, /rows every morning/);
    assert.equal((await call(ana, "read_graph")).structuredContent.entities.length, 2);
    assert.equal(JSON.parse((await ana.readResource({ uri: "memory://knowledge-graph" })).contents[0].text).relations.length, 1);
    assert.deepEqual((await call(bob, "read_graph")).structuredContent, { entities: [], relations: [] });
    await Promise.all([ana.close(), bob.close()]);
    const stranger = new Client({ name: "test", version: "1" });
    await assert.rejects(stranger.connect(new StreamableHTTPClientTransport(url)), /401|unauthorized/i);
  } finally {
    await worker.stop();
  }
});
