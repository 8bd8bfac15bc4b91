/** A server that listens on this computer. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { McpServer } from "../../mcp/server.js";

/** Where the server is: others on the network do not reach it. */
const HOST = "127.0.0.1";
/** What a client of this computer calls it. A page of another site that had a name of its own lead here would call it by that. */
const NAMES = ["127.0.0.1", "localhost", "[::1]"];

/** Listens. @returns the server and its URL. */
export async function listen(server: McpServer, port: number): Promise<{ http: Server; url: string }> {
  const http = createServer((request, response) => {
    answer(server, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    http.once("error", reject);
    http.listen(port, HOST, resolve);
  });
  const { port: chosen } = http.address() as { port: number };
  return { http, url: `http://${HOST}:${chosen}/mcp` };
}

async function answer(server: McpServer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const base = `http://${request.headers.host ?? ""}`;
  const isUrl = URL.canParse(base);
  if (!isUrl || !NAMES.includes(new URL(base).hostname)) return void response.writeHead(403).end("call this server by 127.0.0.1 or localhost\n");
  if (request.url?.split("?")[0] !== "/mcp") return void response.writeHead(404).end("the server is at /mcp\n");
  const { method = "GET" } = request;
  const headers = Object.entries(request.headers).flatMap(([name, value]) => (typeof value === "string" ? [[name, value] as [string, string]] : []));
  const hasBody = method !== "GET" && method !== "HEAD";
  const answered = await server.fetch(
    new Request(new URL("/mcp", base), {
      method,
      headers,
      ...(hasBody && { body: Readable.toWeb(request) as ReadableStream<Uint8Array>, duplex: "half" }),
    }),
  );
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  response.end(Buffer.from(await answered.arrayBuffer()));
}
