/** The server. */
import { kind, known, refused } from "../plain.js";
import { checkedUser } from "../user.js";
import { answerHttp, type HttpOptions } from "./http.js";
import { Session, type McpTransport, type Shared } from "./session.js";
import { Tools, type McpToolSet } from "./tools.js";
import type { McpUser } from "./user.js";

/** Options of {@link mcpServer}. */
export interface McpServerOptions extends HttpOptions {
  /** Which sets of tools. Default: all; those of the profile exist only if the memory has a profile schema. */
  readonly include?: readonly McpToolSet[] | undefined;
  /**
   * Whether a relation may name entities that were never created. `"allow"` does what the reference server does; with `"refuse"` the
   * model is told to create them first. Default: `"refuse"`.
   */
  readonly missingEntities?: "allow" | "refuse" | undefined;
  /** Called before each reading and each call of a tool: pass `() => memory.refresh()` when other processes write the same file. Default: nothing. */
  readonly refresh?: (() => Promise<unknown>) | undefined;
}

/** A server of the Model Context Protocol. */
export interface McpServer {
  /**
   * Answers a request over Streamable HTTP. Keeps nothing between requests, so that any instance may answer the next one. It does not
   * ask who sends the request: authenticate first.
   */
  fetch(request: Request): Promise<Response>;
  /**
   * Serves a client over a transport, such as `stdioTransport()` of `mnemic/node` or one of the official SDK. Calls are carried out in
   * their order.
   *
   * @returns what resolves when the transport is closed and all calls are answered.
   */
  connect(transport: McpTransport): Promise<void>;
}

/**
 * A server of the Model Context Protocol over a user's memory: the nine tools of the reference server for memory, and tools for facts,
 * the profile and recall.
 *
 * @throws InvalidInputError when the user or an option is none.
 *
 * @example
 * ```ts
 * import { mcpServer } from "mnemic/mcp";
 * const server = mcpServer(user, { include: ["graph", "recall"] });
 * const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
 * const headers = { "content-type": "application/json" };
 * const response = await server.fetch(new Request("https://memory.example/mcp", { method: "POST", headers, body }));
 * console.log((await response.json()).result.tools[0].name); // "create_entities"
 * ```
 */
export function mcpServer(user: McpUser, options: McpServerOptions = {}): McpServer {
  checkedUser(user, user?.callTool, user?.graph?.list);
  known(options, ["include", "missingEntities", "refresh", "origins"]);
  const { include, missingEntities = "refuse", refresh, origins } = options;
  if (missingEntities !== "allow" && missingEntities !== "refuse") {
    throw refused("missingEntities", kind(missingEntities), 'pass "allow" or "refuse"');
  }
  const sessions = new Set<Session>();
  const shared: Shared = {
    tools: new Tools(user, include, missingEntities === "allow", refresh),
    changed() {
      for (const session of sessions) session.graphChanged();
    },
  };
  return {
    fetch: (request) => answerHttp(request, () => new Session(shared), { origins }),
    connect: (transport) => serve(shared, sessions, transport),
  };
}

async function serve(shared: Shared, sessions: Set<Session>, transport: McpTransport): Promise<void> {
  const send = (message: object): void => {
    transport.send(message).catch((error: Error) => transport.onerror?.(error));
  };
  const session = new Session(shared, send);
  let last: Promise<void> = Promise.resolve();
  const closed = new Promise<void>((resolve) => {
    transport.onclose = resolve;
  });
  transport.onmessage = (message) => {
    session.heard(message);
    last = last.then(async () => {
      const answer = await session.answer(message);
      if (answer !== undefined) send(answer);
    });
  };
  sessions.add(session);
  await transport.start();
  await closed;
  sessions.delete(session);
  await last;
}
