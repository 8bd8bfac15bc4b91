/** The tools of a server. */
import { refused, shown } from "../plain.js";
import { Refused, told, toldFailure, type ToolAnswer } from "./answer.js";
import { checked } from "./arguments.js";
import { GRAPH_TOOLS, RECALL_TOOL, type Definition } from "./definitions.js";
import { GraphTools } from "./graph.js";
import type { Page } from "./pages.js";
import type { McpUser } from "./user.js";

/** A set of tools of a server. */
export type McpToolSet = "graph" | "facts" | "profile" | "recall";

/** All sets. */
export const SETS: readonly McpToolSet[] = ["graph", "facts", "profile", "recall"];
/** The most tokens that a tool of facts or profiles answers. */
const ANSWER_TOKENS = 12_000;
const NOTHING = "Nothing that is remembered fits.";

/** The tools over one user's memory. */
export class Tools {
  readonly #user: McpUser;
  readonly #sets: readonly McpToolSet[];
  readonly #graph: GraphTools;
  readonly #refresh: (() => Promise<unknown>) | undefined;

  /** @throws InvalidInputError when there is no such set. */
  constructor(user: McpUser, sets: readonly McpToolSet[] = SETS, allowsMissing = false, refresh?: () => Promise<unknown>) {
    sets.forEach((set, index) => {
      if (!SETS.includes(set)) throw refused(`include[${index}]`, shown(set), `the sets are ${SETS.join(", ")}`);
    });
    this.#user = user;
    this.#sets = sets;
    this.#graph = new GraphTools(user, allowsMissing);
    this.#refresh = refresh;
  }

  /** Whether the graph may be read. */
  get hasGraph(): boolean {
    return this.#sets.includes("graph");
  }

  /** The definitions. */
  async list(): Promise<Definition[]> {
    const own = this.#own();
    return [
      ...(this.hasGraph ? GRAPH_TOOLS : []),
      ...(own.length > 0 ? await this.#user.tools("mcp", { include: own }) : []),
      ...(this.#sets.includes("recall") ? [RECALL_TOOL] : []),
    ];
  }

  /** Carries out what a model called. What it got wrong changes nothing, and is the answer. */
  async call(name: string, args: unknown, signal: AbortSignal | undefined): Promise<ToolAnswer> {
    try {
      await this.#refresh?.();
      const ofGraph = this.hasGraph ? GRAPH_TOOLS.find((tool) => tool.name === name) : undefined;
      if (ofGraph !== undefined) return await this.#graph.call(name, checked(name, ofGraph.inputSchema, args), signal);
      if (this.#sets.includes("recall") && name === RECALL_TOOL.name) {
        const { query, maxTokens } = checked(name, RECALL_TOOL.inputSchema, args);
        const { text } = await this.#user.recall(query as string, { maxTokens: maxTokens as number | undefined, signal });
        return told(text || NOTHING);
      }
      const definitions = await this.list();
      if (!definitions.some((tool) => tool.name === name)) {
        const names = definitions.map((tool) => tool.name).join(", ");
        throw new Refused(`There is no tool ${JSON.stringify(name.slice(0, 64))}. There are: ${names}.`);
      }
      const { ok, result } = await this.#user.callTool(name, args, { include: this.#own(), maxTokens: ANSWER_TOKENS, signal });
      if (!ok) throw new Refused(result);
      return told(result);
    } catch (error) {
      return toldFailure(error);
    }
  }

  /** Whether a call may have changed the graph. */
  changesGraph(name: string): boolean {
    const annotations = GRAPH_TOOLS.find((tool) => tool.name === name)?.annotations as { readOnlyHint: boolean } | undefined;
    return annotations?.readOnlyHint === false;
  }

  /** The whole graph. */
  async graph(): Promise<Page> {
    await this.#refresh?.();
    return this.#graph.read();
  }

  /** The sets whose tools the memory defines itself. */
  #own(): Array<"facts" | "profile"> {
    return this.#sets.filter((set) => set === "facts" || set === "profile");
  }
}
