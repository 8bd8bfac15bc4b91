/** The nine tools of the knowledge graph, as the reference server answers them. */
import type { Entity, Relation } from "../types.js";
import { Refused, told, type ToolAnswer } from "./answer.js";
import { fillIn, isMissing, missingAmong, nameAll, relatedTo, sweep, withoutMissing, type Call } from "./missing.js";
import { all, page, whole, type Page, type Source } from "./pages.js";
import type { McpUser } from "./user.js";

/** How many items are read at once. */
const BATCH = 200;
/** The most tokens that an answer of the memory may have. */
const ALL_TOKENS = 1_000_000;

/** The graph of a user. */
export class GraphTools {
  readonly #user: McpUser;
  readonly #allowsMissing: boolean;

  constructor(user: McpUser, allowsMissing: boolean) {
    this.#user = user;
    this.#allowsMissing = allowsMissing;
  }

  /** Carries out one of the nine; `args` have the properties of its schema. */
  async call(name: string, args: Record<string, unknown>, signal: AbortSignal | undefined): Promise<ToolAnswer> {
    const call: Call = async (tool, given) => {
      const { ok, result } = await this.#user.callTool(tool, given, { include: ["graph"], maxTokens: ALL_TOKENS, signal });
      if (!ok) throw new Refused(result);
      return JSON.parse(result) as Record<string, unknown>;
    };
    switch (name) {
      case "create_entities":
        return this.#createEntities(call, args);
      case "create_relations":
        return this.#createRelations(call, args);
      case "add_observations":
        return this.#addObservations(call, args);
      case "delete_entities":
        return this.#delete(call, name, "Entities", args, args["entityNames"] as string[]);
      case "delete_observations":
        return this.#delete(call, name, "Observations", args, []);
      case "delete_relations":
        return this.#delete(call, name, "Relations", args, (args["relations"] as Relation[]).flatMap(({ from, to }) => [from, to]));
      default: {
        const excerpt = await page(await this.#source(name, args), args["cursor"]);
        return answer(excerpt, excerpt);
      }
    }
  }

  /** The whole graph. */
  async read(): Promise<Page> {
    return all(this.#everything());
  }

  async #createEntities(call: Call, args: Record<string, unknown>): Promise<ToolAnswer> {
    const given = args["entities"] as Entity[];
    const { entities } = (await call("create_entities", { entities: given })) as { entities: Entity[] };
    const filled = this.#allowsMissing ? await fillIn(this.#user, call, without(given, entities)) : [];
    const place = new Map(given.map(({ name }, index) => [name, index]));
    const created = [...entities, ...filled].sort((a, b) => (place.get(a.name) ?? 0) - (place.get(b.name) ?? 0));
    return answer(created, { entities: created });
  }

  async #createRelations(call: Call, args: Record<string, unknown>): Promise<ToolAnswer> {
    const names = this.#allowsMissing ? (args["relations"] as Relation[]).flatMap(({ from, to }) => [from, to]) : [];
    await nameAll(call, names);
    try {
      const { relations } = await call("create_relations", args);
      return answer(relations, { relations });
    } catch (error) {
      await sweep(this.#user, call, names);
      throw error;
    }
  }

  async #addObservations(call: Call, args: Record<string, unknown>): Promise<ToolAnswer> {
    if (this.#allowsMissing) {
      const given = args["observations"] as Array<{ entityName: string }>;
      const [missing] = await missingAmong(this.#user, given.map(({ entityName }) => entityName));
      if (missing !== undefined) throw new Refused(`Error, nothing was changed: Entity with name ${missing} not found`);
    }
    const { results } = await call("add_observations", args);
    return answer(results, { results });
  }

  async #delete(call: Call, name: string, what: string, args: Record<string, unknown>, names: string[]): Promise<ToolAnswer> {
    const related = this.#allowsMissing && name === "delete_entities" ? await relatedTo(this.#user, names) : names;
    await call(name, args);
    if (this.#allowsMissing) await sweep(this.#user, call, related);
    const message = `${what} deleted successfully`;
    return told(message, { success: true, message });
  }

  async #source(name: string, args: Record<string, unknown>): Promise<Source> {
    if (name === "read_graph" || (args["query"] === "" && !this.#allowsMissing)) return this.#everything();
    const { graph } = this.#user;
    const found =
      name === "search_nodes"
        ? await graph.search_nodes({ query: args["query"] as string, maxTokens: ALL_TOKENS })
        : await graph.open_nodes({ names: args["names"] as string[], maxTokens: ALL_TOKENS });
    return whole(this.#allowsMissing ? withoutMissing(found) : found);
  }

  #everything(): Source {
    const { graph } = this.#user;
    const source: Source = {
      entities: (offset) => graph.list({ offset, limit: BATCH }),
      relations: (offset) => graph.relations({ offset, limit: BATCH }),
    };
    return this.#allowsMissing ? { ...source, isLeftOut: isMissing } : source;
  }
}

/** An answer as a text and as the same structured. */
function answer(shown: unknown, structured: object): ToolAnswer {
  return told(JSON.stringify(shown, null, 2), structured);
}

function without(given: readonly Entity[], created: readonly Entity[]): Entity[] {
  const names = new Set(created.map(({ name }) => name));
  return given.filter(({ name }) => !names.has(name));
}
