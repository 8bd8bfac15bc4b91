/** Whose memory it is. */
import type { Graph } from "../graph.js";
import type { Scope } from "../scope.js";

/** A user's memory: what `memory.scope()` gives, or a client of one on Cloudflare. */
export interface McpUser extends Pick<Scope, "recall" | "tools" | "callTool"> {
  readonly graph: Pick<Graph, "list" | "relations" | "search_nodes" | "open_nodes" | "update">;
}
