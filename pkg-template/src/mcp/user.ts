/** Whose memory it is. */
import type { Graph } from "../graph.js";
import { kind, refused } from "../plain.js";
import type { Scope } from "../scope.js";

/** A user's memory: what `memory.scope()` gives, or a client of one on Cloudflare. */
export interface McpUser extends Pick<Scope, "recall" | "tools" | "callTool"> {
  readonly graph: Pick<Graph, "list" | "relations" | "search_nodes" | "open_nodes" | "update">;
}

/** @throws InvalidInputError when it is none, such as the memory itself. */
export function checkUser(user: unknown): void {
  const { callTool, graph } = (Object(user) ?? {}) as Partial<McpUser>;
  if (typeof callTool !== "function" || graph === undefined) throw refused("user", kind(user), "pass what memory.scope({ userId }) gives");
}
