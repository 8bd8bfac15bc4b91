/** The tools that a model is offered: the most useful ones first, as many as a third of the window holds. */
import type { OpenAiTool } from "mnemic";
import type { User } from "../types";
import { tokensOf } from "./count";

/** A chat answers in plain words and its graph is learned from them: it needs no tools for either. */
const OFFERED = [
  "conversation_search", "facts_search", "core_memory_append", "core_memory_replace", "archival_memory_search",
  "archival_memory_insert", "facts_add", "profile_set", "facts_update", "facts_delete", "search_nodes",
];

export interface Toolbox {
  readonly tools: readonly OpenAiTool[];
  /** What their definitions cost in each request. */
  readonly tokens: number;
  /** How many had no room. */
  readonly leftOut: number;
}

export const NO_TOOLS: Toolbox = { tools: [], tokens: 0, leftOut: 0 };

export async function toolboxFor(user: User, window: number): Promise<Toolbox> {
  const known = new Map((await user.tools("openai", { include: ["context", "facts", "profile", "graph"] })).map((tool) => [tool.function.name, tool]));
  const wanted = OFFERED.flatMap((name) => known.get(name) ?? []);
  const tools: OpenAiTool[] = [];
  let tokens = 0;
  for (const tool of wanted) {
    const cost = await tokensOf(user, JSON.stringify(tool));
    if (tokens + cost > window / 3) break;
    tokens += cost;
    tools.push(tool);
  }
  return { tools, tokens, leftOut: wanted.length - tools.length };
}
