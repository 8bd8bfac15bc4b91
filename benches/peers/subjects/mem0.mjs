/** mem0's open-source package, without a model: what it is given is stored as it is. */
import { join } from "node:path";

const USER = "alice";

async function create(kit) {
  process.env.MEM0_TELEMETRY = "false";
  const { Memory } = await import("mem0ai/oss");
  const given = new Map();
  const vectorOf = (text) => given.get(text);
  const model = { embedQuery: async (text) => vectorOf(text), embedDocuments: async (texts) => texts.map(vectorOf) };
  const tell = ({ text, vector }) => given.set(text, Array.from(vector));
  const memory = new Memory({
    embedder: { provider: "langchain", config: { model, embeddingDims: kit.dimensions } },
    llm: { provider: "langchain", config: { model: { invoke: async () => ({ content: "{}" }) } } },
    vectorStore: { provider: "memory", config: { dimension: kit.dimensions, dbPath: join(kit.folder, "vectors.db"), collectionName: "peers" } },
    historyDbPath: join(kit.folder, "history.db"),
  });
  const write = async (item) => {
    tell(item);
    await memory.add([{ role: "user", content: item.text }], { userId: USER, infer: false, metadata: { number: item.number } });
  };
  return {
    async add(items) {
      for (const item of items) await write(item);
    },
    async search(query) {
      tell(query);
      const { results } = await memory.search(query.text, { filters: { user_id: USER }, topK: kit.limit });
      return results.map(({ metadata }) => metadata.number);
    },
    write,
  };
}

export default {
  name: "mem0",
  package: "mem0ai",
  settings: "`infer: false`, its vector store `memory`, which is a file of SQLite; better-sqlite3 13, which has binaries for Node 24",
  lacks: "browsers; without a model it stores what it is told word for word; it sends telemetry unless `MEM0_TELEMETRY=false`",
  onlyNode: "it needs SQLite and files",
  memories: { create, most: { node: 1000 }, why: "each memory takes 20 ms to add" },
};
