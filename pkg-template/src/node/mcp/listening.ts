/** A server that listens on this computer. */
import { createHash, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { McpServer } from "../../mcp/server.js";

/** Where the server is: others on the network do not reach it. */
const HOST = "127.0.0.1";
/** What a client of this computer calls it. A page of another site that had a name of its own lead here would call it by that. */
const NAMES = ["127.0.0.1", "localhost", "[::1]"];

/** A server that listens. */
export interface Listening {
  readonly url: string;
  /** Answers the requests that have come in full, and no other. */
  readonly end: () => void;
  readonly ended: Promise<unknown>;
}

/**
 * Listens.
 *
 * @param port 0 for a free one.
 * @param token what who calls must know; undefined to serve every program of this computer.
 */
export async function listen(server: McpServer, port: number, token: string | undefined): Promise<Listening> {
  const asking = new Set<IncomingMessage>();
  const http = createServer((request, response) => {
    asking.add(request);
    response.once("close", () => {
      asking.delete(request);
      if (asking.size === 0 && !http.listening) http.closeAllConnections();
    });
    answer(server, token, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    http.once("error", reject);
    http.listen(port, HOST, resolve);
  });
  const { port: chosen } = http.address() as { port: number };
  const ended = once(http, "close");
  const end = (): void => {
    http.close();
    if (asking.size === 0) http.closeAllConnections();
    for (const request of asking) if (!request.complete) request.destroy();
  };
  return { url: `http://${HOST}:${chosen}/mcp`, end, ended };
}

async function answer(server: McpServer, token: string | undefined, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const base = `http://${request.headers.host ?? ""}`;
  const isUrl = URL.canParse(base);
  if (!isUrl || !NAMES.includes(new URL(base).hostname)) return void response.writeHead(403).end("call this server by 127.0.0.1 or localhost\n");
  if (request.url?.split("?")[0] !== "/mcp") return void response.writeHead(404).end("the server is at /mcp\n");
  // Browsers ask without the token whether a page may send it.
  const isPreflight = request.method === "OPTIONS";
  if (token !== undefined && !isPreflight && !isBearer(request.headers.authorization, token)) {
    return void response.writeHead(401, { "www-authenticate": "Bearer" }).end('send the header "Authorization: Bearer <token>" with the token of MNEMIC_MCP_TOKEN\n');
  }
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

/** Whether a header has the token. How long that takes tells nothing of it. */
function isBearer(header: string | undefined, token: string): boolean {
  const given = /^bearer +(.*)$/i.exec(header ?? "")?.[1] ?? "";
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}
