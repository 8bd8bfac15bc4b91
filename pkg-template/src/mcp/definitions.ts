/** The tools of the knowledge graph as the reference server for memory defines them, with pages, and the tool of recall. */
import { CURSOR, PAGES } from "./pages.js";

/** What a tool is, for a client. */
export interface Definition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly outputSchema?: object;
  readonly annotations: object;
}

const text = (description: string): object => ({ type: "string", description });
const texts = (description: string): object => ({ type: "array", items: { type: "string" }, description });
const list = (items: object, description?: string): object => ({ type: "array", items, ...(description && { description }) });

/** An object that takes other properties too, as the schemas of inputs do: what is not known is left alone. */
const given = (properties: object, required = Object.keys(properties)): object => ({
  type: "object",
  properties,
  ...(required.length > 0 && { required }),
});

const answered = (properties: object, required = Object.keys(properties)): object => ({
  ...given(properties, required),
  additionalProperties: false,
});

const ENTITY = {
  name: text("The name of the entity"),
  entityType: text("The type of the entity"),
  observations: texts("An array of observation contents associated with the entity"),
};
const RELATION = {
  from: text("The name of the entity where the relation starts"),
  to: text("The name of the entity where the relation ends"),
  relationType: text("The type of the relation"),
};
const EXCERPT = answered(
  { entities: list(answered(ENTITY)), relations: list(answered(RELATION)), nextCursor: text(PAGES) },
  ["entities", "relations"],
);
const DONE = answered({ success: { type: "boolean" }, message: { type: "string" } });

const hints = (isRead: boolean, isDestructive: boolean): object => ({
  readOnlyHint: isRead,
  destructiveHint: isDestructive,
  idempotentHint: isRead || isDestructive,
  openWorldHint: false,
});
const READS = hints(true, false);
const ADDS = hints(false, false);
const DELETES = hints(false, true);

function tool(name: string, description: string, inputSchema: object, outputSchema: object, annotations: object): Definition {
  const title = name.replace(/(^|_)([a-z])/g, (_, before: string, letter: string) => `${before && " "}${letter.toUpperCase()}`);
  return { name, title, description, inputSchema, outputSchema, annotations };
}

/** The nine of the knowledge graph. */
export const GRAPH_TOOLS: readonly Definition[] = [
  tool(
    "create_entities",
    "Create multiple new entities in the knowledge graph",
    given({ entities: list(given(ENTITY)) }),
    answered({ entities: list(answered(ENTITY)) }),
    ADDS,
  ),
  tool(
    "create_relations",
    "Create multiple new relations between entities in the knowledge graph. Relations should be in active voice",
    given({ relations: list(given(RELATION)) }),
    answered({ relations: list(answered(RELATION)) }),
    ADDS,
  ),
  tool(
    "add_observations",
    "Add new observations to existing entities in the knowledge graph",
    given({
      observations: list(
        given({
          entityName: text("The name of the entity to add the observations to"),
          contents: texts("An array of observation contents to add"),
        }),
      ),
    }),
    answered({
      results: list(answered({ entityName: { type: "string" }, addedObservations: { type: "array", items: { type: "string" } } })),
    }),
    ADDS,
  ),
  tool(
    "delete_entities",
    "Delete multiple entities and their associated relations from the knowledge graph",
    given({ entityNames: texts("An array of entity names to delete") }),
    DONE,
    DELETES,
  ),
  tool(
    "delete_observations",
    "Delete specific observations from entities in the knowledge graph",
    given({
      deletions: list(
        given({
          entityName: text("The name of the entity containing the observations"),
          observations: texts("An array of observations to delete"),
        }),
      ),
    }),
    DONE,
    DELETES,
  ),
  tool(
    "delete_relations",
    "Delete multiple relations from the knowledge graph",
    given({ relations: list(given(RELATION), "An array of relations to delete") }),
    DONE,
    DELETES,
  ),
  tool("read_graph", "Read the entire knowledge graph", given({ cursor: text(CURSOR) }, []), EXCERPT, READS),
  tool(
    "search_nodes",
    "Search for nodes in the knowledge graph based on a query",
    given(
      { query: text("The search query to match against entity names, types, and observation content"), cursor: text(CURSOR) },
      ["query"],
    ),
    EXCERPT,
    READS,
  ),
  tool(
    "open_nodes",
    "Open specific nodes in the knowledge graph by their names",
    given({ names: texts("An array of entity names to retrieve"), cursor: text(CURSOR) }, ["names"]),
    EXCERPT,
    READS,
  ),
];

/** Recall. */
export const RECALL_TOOL: Definition = {
  name: "recall",
  title: "Recall",
  description:
    "Recalls what is remembered about the user and matters for a question: facts, the profile, the knowledge graph and what was " +
    "said. Use it before you answer something that the user may have told earlier.",
  inputSchema: answered(
    {
      query: text("The question, in words."),
      maxTokens: { type: "integer", minimum: 50, maximum: 8000, description: "At most so many tokens; 1000 when left out." },
    },
    ["query"],
  ),
  annotations: READS,
};
