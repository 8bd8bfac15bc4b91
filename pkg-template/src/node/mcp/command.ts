#!/usr/bin/env node
/** The command `mnemic-mcp`. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { openMemory } from "../../entry/node.js";
import { mcpServer, type McpServer } from "../../mcp/index.js";
import type { ProfileSchemas } from "../../schema.js";
import type { Scope } from "../../scope.js";
import { stdioTransport } from "../stdio.js";
import { takeIn } from "./jsonl.js";
import { listen } from "./listening.js";
import { readOptions, USAGE, type CommandOptions } from "./options.js";
import { storageOf } from "./place.js";

/** Messages go where clients show them; the standard output belongs to the protocol. */
function say(text: string): void {
  process.stderr.write(`mnemic-mcp: ${text}\n`);
}

async function main(): Promise<void> {
  let options: CommandOptions | undefined;
  try {
    options = readOptions(process.argv.slice(2), process.env);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${USAGE}`);
    process.exitCode = 2;
    return;
  }
  if (options === undefined) return void process.stdout.write(USAGE);
  const { file, user: userId, tools, allowsMissing, port, origins, token } = options;
  const profiles = options.profiles === undefined ? {} : await schemasIn(options.profiles);
  const memory = await openMemory({ name: "mnemic-mcp", storage: storageOf(file), profiles });
  try {
    const user = memory.scope({ userId });
    await takeInBeside(user, options);
    const server = mcpServer(user, { include: tools, missingEntities: allowsMissing ? "allow" : "refuse", refresh: () => memory.refresh(), origins });
    await (port === undefined ? serveStreams(server) : serveHttp(server, port, token));
  } finally {
    await memory.close();
  }
}

/** The schemas in a file. @throws Error that names it. */
async function schemasIn(path: string): Promise<ProfileSchemas> {
  const text = await readFile(path, "utf8");
  try {
    return JSON.parse(text) as ProfileSchemas;
  } catch (error) {
    throw new Error(`${path} is no JSON: ${(error as Error).message}`);
  }
}

async function takeInBeside(user: Scope, { file, jsonl, allowsMissing }: CommandOptions): Promise<void> {
  const path = jsonl ?? join(dirname(file), "memory.jsonl");
  if (jsonl === undefined && !existsSync(path)) return;
  const taken = await takeIn(user, path, allowsMissing);
  if (taken === undefined) return;
  say(`read ${path}: ${taken.done} of its entities and relations are new`);
  for (const { place, reason } of taken.failed) say(`left out ${place}: ${reason}`);
  if (taken.failed.length > 0) say("it is not read again by itself; to read it once more, give a copy with another name to --import");
}

async function serveStreams(server: McpServer): Promise<void> {
  const transport = stdioTransport();
  atEnd(() => void transport.close());
  await server.connect(transport);
}

async function serveHttp(server: McpServer, port: number, token: string | undefined): Promise<void> {
  const { url, ended, end } = await listen(server, port, token);
  say(`listening at ${url}`);
  atEnd(end);
  await ended;
}

function atEnd(end: () => void): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, end);
}

main().catch((error: Error) => {
  say(error.message);
  process.exitCode = 1;
});
