/** The reference MCP server for memory: its manager is called directly, without the protocol between. */
import { join } from "node:path";

async function create(kit) {
  // Its module starts a server when it is imported.
  process.env.MEMORY_FILE_PATH = join(kit.folder, "unused.jsonl");
  const { KnowledgeGraphManager } = await import("@modelcontextprotocol/server-memory/dist/index.js");
  const graph = new KnowledgeGraphManager(join(kit.folder, "memory.jsonl"));
  const entity = ({ number, text }) => ({ name: `fact ${number}`, entityType: "fact", observations: [text] });
  return {
    add: (items) => graph.createEntities(items.map(entity)),
    search: async ({ text }) => (await graph.searchNodes(text)).entities.map(({ name }) => Number(name.split(" ")[1])),
    write: (item) => graph.createEntities([entity(item)]),
  };
}

export default {
  name: "MCP server-memory",
  package: "@modelcontextprotocol/server-memory",
  settings: "its `KnowledgeGraphManager`, an entity for each fact, a file",
  lacks: "vectors and ranking: it finds the query as a whole, letter by letter; every call reads the file, every write writes all of it",
  onlyNode: "it needs files",
  memories: { create },
};
