/** The command `mnemic-mcp`: over the standard streams and over HTTP, with files of two kinds, several processes, and a `memory.jsonl`. */
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile, stat, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { PassThrough } from "node:stream";
import { after, before, test } from "node:test";
import { call, command, commandIn, connected, entity, reference, relation } from "./support/mcp.mjs";
import { createProject } from "./support/project.mjs";
import { nodeWithSqlite } from "../../scripts/setup/sqlite-node.mjs";

let project, script, mnemic, node, mcp;
let folders = 0;

before(async () => {
  project = await createProject();
  script = project.path("node_modules/mnemic/node/mcp/command.js");
  mnemic = await project.import('export * from "mnemic";');
  node = await project.import('export * from "mnemic/node";');
  mcp = await project.import('export * from "mnemic/mcp";');
});

after(() => project?.remove());

/** A path in a folder of its own, which need not be there. */
const fresh = (name = "memory.db") => project.path(`folder-${++folders}`, name);
const names = async (client) => (await call(client, "read_graph")).structuredContent.entities.map(({ name }) => name);

/** Nodes without SQLite and with it. */
const NODES = { "a file": process.execPath, SQLite: nodeWithSqlite() };

/** The command as a process, whose lines are spoken by hand. */
function speaking(...args) {
  return speakingIn(process.execPath, ...args);
}

function speakingIn(node, ...args) {
  const child = spawn(node, [script, ...args]);
  const lines = [];
  const waiting = [];
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop();
    for (const line of parts) (waiting.shift() ?? ((line) => lines.push(line)))(line);
  });
  const next = () => new Promise((resolve) => (lines.length > 0 ? resolve(lines.shift()) : waiting.push(resolve)));
  return Object.assign(child, {
    write: (text) => child.stdin.write(text),
    async read() {
      return JSON.parse(await next());
    },
    ask(id, method, params = {}) {
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
      return this.read();
    },
    tool(id, name, args) {
      return this.ask(id, "tools/call", { name, arguments: args });
    },
  });
}

test("npm makes a command of it, that a shell can start", async () => {
  const linked = project.path("node_modules/.bin/mnemic-mcp");
  assert.match(await readFile(linked, "utf8"), /^#!\/usr\/bin\/env node\n/);
  if (process.platform !== "win32") assert.ok((await stat(linked)).mode & 0o100);
  const { stdout, status } = spawnSync(linked, ["--help"], { encoding: "utf8" });
  assert.equal(status, 0);
  assert.match(stdout, /--file <path>/);
});

test("wrong arguments are told with how to use it, and what cannot be opened by its reason", async () => {
  await writeFile(project.path("broken.json"), "{");
  for (const [args, told, code] of [
    [[], /--file is missing[^]*Usage/, 2],
    [["--file", fresh(), "--nonsense"], /nonsense[^]*Usage/, 2],
    [["--file", fresh(), "--port", "x"], /--port is x/, 2],
    [["--file", fresh(), "--port", "0", "--origins", "https://chat.example/"], /--origins has "https:\/\/chat.example\/"/, 2],
    [["--file", fresh(), "--port", "0", "--origins", "https://chat.example,*"], /--origins has "\*"/, 2],
    [["--file", fresh(), "--port", "0", "--origins", "null"], /--origins has "null"/, 2],
    [["--file", fresh(), "--origins", "https://chat.example"], /pass --port too/, 2],
    [["--file", fresh(), "--tools", "graph,files"], /--tools.*"files"[^]*Usage/, 2],
    [["--file", fresh(), "--profiles", project.path("broken.json")], /broken\.json.*JSON/, 1],
    [["--file", fresh(), "--import", project.path("nowhere.jsonl")], /nowhere\.jsonl/, 1],
    [["--file", project.path()], /mnemic-mcp: /, 1],
  ]) {
    const { stderr, stdout, status } = spawnSync(process.execPath, [script, ...args], { encoding: "utf8", input: "", timeout: 30_000 });
    assert.deepEqual([status, stdout], [code, ""], stderr);
    assert.match(stderr, told);
  }
});

test("what one process stored the next one has, of the same user alone", async () => {
  const file = fresh();
  const first = await command(project, "--file", file);
  await call(first, "create_entities", { entities: [entity("Ada", "person", "rows")] });
  await call(first, "facts_add", { text: "Ada sails" });
  await first.close();
  const second = await command(project, "--file", file, "--tools", "graph,recall");
  assert.deepEqual(await names(second), ["Ada"]);
  assert.match((await call(second, "recall", { query: "sails" })).text, /Ada sails/);
  assert.equal((await second.listTools()).tools.length, 10);
  await second.close();
  const other = await command(project, "--file", file, "--user", "bob");
  assert.deepEqual(await names(other), []);
  await other.close();
});

test("profiles have the tools of their schemas", async () => {
  await writeFile(project.path("profiles.json"), JSON.stringify({ settings: { type: "object", properties: { city: { type: "string" } } } }));
  const client = await command(project, "--file", fresh(), "--profiles", project.path("profiles.json"), "--tools", "profile");
  await call(client, "profile_set", { schema: "settings", field: "city", value: "Lisbon" });
  assert.match((await call(client, "profile_get")).text, /Lisbon/);
  await client.close();
});

test("a new file is SQLite where that is, and an existing one is opened as what it is", async () => {
  const folder = project.path(`folder-${++folders}`);
  for (const [kind, node] of Object.entries(NODES)) {
    const file = `${folder}/${kind}.db`;
    const client = await commandIn(node, project, "--file", file);
    await call(client, "create_entities", { entities: [entity("Ada")] });
    await client.close();
    const isSqlite = (await readFile(file)).toString("latin1", 0, 15) === "SQLite format 3";
    assert.equal(isSqlite, kind === "SQLite");
    const again = await commandIn(NODES.SQLite, project, "--file", file);
    assert.deepEqual(await names(again), ["Ada"]);
    await again.close();
  }
});

test("a memory.jsonl beside the file is read once, and what was deleted since does not come back", async () => {
  const folder = project.path(`folder-${++folders}`);
  const jsonl = `${folder}/memory.jsonl`;
  const seeding = await reference(project.path("seeding.jsonl"));
  await call(seeding, "create_entities", { entities: [entity("Ada", "person", "rows"), entity("Bob", "person")] });
  await call(seeding, "create_relations", { relations: [relation("Ada", "knows", "Bob"), relation("Ada", "lives_in", "Lisbon")] });
  await seeding.close();
  await (await command(project, "--file", `${folder}/first.db`)).close();
  await writeFile(jsonl, `${await readFile(project.path("seeding.jsonl"), "utf8")}\nnonsense\n`);
  const file = `${folder}/memory.db`;
  const first = await command(project, "--file", file);
  assert.deepEqual(await names(first), ["Ada", "Bob"]);
  assert.deepEqual((await call(first, "read_graph")).structuredContent.relations, [relation("Ada", "knows", "Bob")]);
  assert.match(first.told(), /: 3 of its entities and relations are new\n/);
  assert.match(first.told(), /left out line 4: [^\n]*Lisbon/);
  assert.match(first.told(), /left out line 5: /);
  await call(first, "delete_entities", { entityNames: ["Bob"] });
  await first.close();
  const second = await command(project, "--file", file);
  assert.deepEqual(await names(second), ["Ada"]);
  assert.doesNotMatch(second.told(), /are new/);
  await second.close();
  const allowing = await command(project, "--file", `${folder}/allowing.db`, "--allow-missing");
  assert.deepEqual((await call(allowing, "read_graph")).structuredContent.relations, [relation("Ada", "knows", "Bob"), relation("Ada", "lives_in", "Lisbon")]);
  assert.deepEqual(await names(allowing), ["Ada", "Bob"]);
  await allowing.close();
});

for (const [kind, node] of Object.entries(NODES)) {
  test(`a process that is killed in the middle loses nothing that it answered, in ${kind}`, async () => {
    const file = fresh();
    for (let round = 0; round < 3; round += 1) {
      const child = speakingIn(node, "--file", file);
      for (let step = 0; step < 5; step += 1) {
        const name = `Ship ${round}.${step}`;
        const { result } = await child.tool(step, "create_entities", { entities: [entity(name)] });
        assert.equal(result.isError, undefined);
      }
      // Killed while it works on the next ones, which it never answered.
      for (let step = 0; step < 20; step += 1) {
        child.write(`${JSON.stringify({ jsonrpc: "2.0", id: 100 + step, method: "tools/call", params: { name: "create_entities", arguments: { entities: [entity(`Lost ${round}.${step}`)] } } })}\n`);
      }
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    }
    const client = await commandIn(node, project, "--file", file);
    const stored = await names(client);
    for (let round = 0; round < 3; round += 1) for (let step = 0; step < 5; step += 1) assert.ok(stored.includes(`Ship ${round}.${step}`));
    await client.close();
  });

  test(`two processes work on ${kind}, and each sees at once what the other stored`, async () => {
    const file = fresh();
    const [one, two] = await Promise.all([commandIn(node, project, "--file", file), commandIn(node, project, "--file", file)]);
    for (let step = 0; step < 10; step += 1) {
      await call(one, "create_entities", { entities: [entity(`One ${step}`)] });
      assert.equal((await names(two)).at(-1), `One ${step}`);
      await call(two, "create_relations", { relations: [relation(`One ${step}`, "is", "One 0")] });
      const { relations } = (await call(one, "open_nodes", { names: [`One ${step}`] })).structuredContent;
      assert.equal(relations.filter(({ from }) => from === `One ${step}`).length, 1);
    }
    const both = await Promise.all([one, two].flatMap((client, place) => Array.from({ length: 20 }, (_, step) => call(client, "create_entities", { entities: [entity(`At once ${place} ${step}`)] }))));
    assert.deepEqual(both.filter(({ isError }) => isError), []);
    assert.equal((await names(one)).length, 50);
    assert.deepEqual(await names(two), await names(one));
    await Promise.all([one.close(), two.close()]);
  });
}

for (const end of ["the end of its input", "SIGTERM"]) {
  test(`at ${end} it answers what it was asked, closes the memory and ends`, async () => {
    const file = fresh();
    const child = speaking("--file", file);
    await child.ask(1, "initialize");
    const answered = child.tool(2, "create_entities", { entities: [entity("Ada")] });
    const exited = once(child, "exit");
    if (end === "SIGTERM") {
      await answered;
      child.kill("SIGTERM");
    } else child.stdin.end();
    assert.deepEqual((await answered).result.structuredContent, { entities: [entity("Ada")] });
    assert.deepEqual(await exited, [0, null]);
    if (existsSync(file) && end === "SIGTERM") assert.ok(!existsSync(`${file}-wal`), "the memory was closed");
  });
}

test("lines that are no messages are refused, and the next ones answered", async () => {
  const child = speaking("--file", fresh());
  child.write("{\n");
  assert.equal((await child.read()).error.code, -32700);
  child.write('\n  \n"text"\n');
  assert.equal((await child.read()).error.code, -32600);
  const long = "x".repeat(1024 * 1024);
  for (let piece = 0; piece < 17; piece += 1) child.write(long);
  child.write("\n");
  assert.equal((await child.read()).error.code, -32600);
  // A message in pieces, cut within a character.
  const message = Buffer.from(`${JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "create_entities", arguments: { entities: [entity("김민수")] } } })}\n`);
  const cut = message.indexOf("김") + 1;
  child.write(message.subarray(0, cut));
  child.write(message.subarray(cut));
  assert.deepEqual((await child.read()).result.structuredContent, { entities: [entity("김민수")] });
  child.write(`${JSON.stringify({ jsonrpc: "2.0", id: 8, method: "ping" })}\r\n${JSON.stringify({ jsonrpc: "2.0", id: 9, method: "ping" })}\n`);
  assert.deepEqual([(await child.read()).id, (await child.read()).id], [8, 9]);
  const exited = once(child, "exit");
  child.stdin.end();
  assert.deepEqual(await exited, [0, null]);
});

test("a server of one's own speaks over streams", async () => {
  const memory = await mnemic.openMemory({ name: "own", storage: "memory" });
  const [input, output] = [new PassThrough(), new PassThrough()];
  const served = mcp.mcpServer(memory.scope({ userId: "ada" })).connect(node.stdioTransport({ input, output }));
  input.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  await served;
  assert.equal(String(output.read()), '{"jsonrpc":"2.0","id":1,"result":{}}\n');
  await memory.close();
});

/** The command with HTTP, and its URL. */
async function listening(env = {}, ...args) {
  const child = spawn(process.execPath, [script, "--file", fresh(), "--port", "0", ...args], { stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, ...env } });
  let told = "";
  for await (const bytes of child.stderr) {
    told += bytes;
    const url = /listening at (http\S+)/.exec(told)?.[1];
    if (url) return { child, url };
  }
  throw new Error(told);
}

test("over HTTP it serves clients of this computer, and no page that another name leads here", async () => {
  const { child, url } = await listening();
  try {
    const client = await connected(new StreamableHTTPClientTransport(new URL(url)));
    await call(client, "create_entities", { entities: [entity("Ada")] });
    const other = await connected(new StreamableHTTPClientTransport(new URL(url.replace("127.0.0.1", "localhost"))));
    assert.deepEqual(await names(other), ["Ada"]);
    await Promise.all([client.close(), other.close()]);
    const asked = async (path, headers) => {
      const sent = request(new URL(path, url), { method: "POST", headers: { "content-type": "application/json", ...headers } });
      sent.end('{"jsonrpc":"2.0","id":1,"method":"ping"}');
      const [response] = await once(sent, "response");
      response.resume();
      return response.statusCode;
    };
    assert.equal(await asked("/mcp", {}), 200);
    assert.equal(await asked("/mcp", { host: "evil.example" }), 403);
    assert.equal(await asked("/mcp", { host: "a b" }), 403);
    assert.equal(await asked("/mcp", { origin: "https://evil.example" }), 403);
    assert.equal(await asked("/other", {}), 404);
  } finally {
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    assert.deepEqual(await exited, [0, null]);
  }
});

test("with a token it serves those who have it", async () => {
  const { child, url } = await listening({ MNEMIC_MCP_TOKEN: "sesame" });
  try {
    const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    const asked = (authorization) => fetch(url, { method: "POST", headers: { "content-type": "application/json", ...(authorization && { authorization }) }, body });
    for (const none of [undefined, "sesame", "Bearer", "Bearer Sesame", "Bearer sesame2", "Basic sesame"]) {
      const { status, headers } = await asked(none);
      assert.deepEqual([status, headers.get("www-authenticate")], [401, "Bearer"], none);
    }
    for (const one of ["Bearer sesame", "bearer  sesame"]) assert.equal((await asked(one)).status, 200, one);
    const requestInit = { headers: { authorization: "Bearer sesame" } };
    const client = await connected(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    assert.deepEqual(await names(client), []);
    await client.close();
  } finally {
    child.kill("SIGKILL");
  }
  const { status, stderr } = spawnSync(process.execPath, [script, "--file", fresh(), "--port", "0"], { encoding: "utf8", env: { ...process.env, MNEMIC_MCP_TOKEN: "" }, timeout: 30_000 });
  assert.equal(status, 2, "an empty one is a mistake");
  assert.match(stderr, /MNEMIC_MCP_TOKEN/);
});

test("at its end it waits for no request that has not come in full", { timeout: 60_000 }, async () => {
  const { child, url } = await listening();
  const sent = request(url, { method: "POST", headers: { "content-type": "application/json", "content-length": 5000, expect: "100-continue" } });
  sent.on("error", () => {});
  sent.flushHeaders();
  await once(sent, "continue");
  sent.write("{");
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  assert.deepEqual(await exited, [0, null]);
});

test("pages of the origins that were named may call, with the token if there is one, and no others", async () => {
  for (const token of [undefined, "sesame"]) {
    const { child, url } = await listening(token && { MNEMIC_MCP_TOKEN: token }, "--origins", "https://chat.example, http://localhost:5173");
    try {
      const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
      const asked = (method, origin, headers = {}) => fetch(url, { method, headers: { "content-type": "application/json", origin, ...headers }, ...(method === "POST" && { body }) });
      const own = token && { authorization: `Bearer ${token}` };
      for (const origin of ["https://chat.example", "http://localhost:5173"]) {
        const preflight = await asked("OPTIONS", origin, { "access-control-request-method": "POST", "access-control-request-headers": "authorization,content-type" });
        assert.deepEqual([preflight.status, preflight.headers.get("access-control-allow-origin")], [204, origin]);
        const answer = await asked("POST", origin, own);
        assert.deepEqual([answer.status, answer.headers.get("access-control-allow-origin")], [200, origin]);
        if (token) assert.equal((await asked("POST", origin)).status, 401);
      }
      for (const origin of ["https://evil.example", "https://chat.example:444", "http://chat.example", "null"]) {
        for (const method of ["OPTIONS", "POST"]) {
          const { status, headers } = await asked(method, origin, own);
          assert.deepEqual([status, headers.get("access-control-allow-origin")], [403, null], `${method} ${origin}`);
        }
      }
    } finally {
      child.kill("SIGKILL");
    }
  }
});
