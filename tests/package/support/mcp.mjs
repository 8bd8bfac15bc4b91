/** Clients of MCP servers: of ours, and of the reference server for memory. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { join } from "node:path";
import { root } from "./tarball.mjs";

/** A client over a transport of the SDK. */
export async function connected(transport) {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  return client;
}

/** A client of a server in a process of its own; `client.told()` is what that wrote to its standard error, `client.pid` its id. */
async function started(script, args, env, node = process.execPath) {
  const transport = new StdioClientTransport({ command: node, args: [script, ...args], env: { ...process.env, ...env }, stderr: "pipe" });
  let told = "";
  transport.stderr.on("data", (bytes) => (told += bytes));
  const client = await connected(transport);
  return Object.assign(client, { told: () => told, pid: transport.pid });
}

/** A client of the reference server, which keeps the graph in `file`. */
export const reference = (file) => started(join(root, "node_modules/@modelcontextprotocol/server-memory/dist/index.js"), [], { MEMORY_FILE_PATH: file });

/** A client of the command `mnemic-mcp` of a project. */
export const command = (project, ...args) => commandIn(process.execPath, project, ...args);
/** The same in a Node of choice. */
export const commandIn = (node, project, ...args) => started(project.path("node_modules/mnemic/node/mcp/command.js"), args, {}, node);

/** What a tool answers: whether it failed, its text, and the same structured. */
export async function call(client, name, args = {}) {
  const { isError = false, content, structuredContent } = await client.callTool({ name, arguments: args });
  return { isError, text: content.map(({ text }) => text).join("\n"), structuredContent };
}

/** An entity. */
export const entity = (name, entityType = "thing", ...observations) => ({ name, entityType, observations });
/** A relation. */
export const relation = (from, relationType, to) => ({ from, to, relationType });
