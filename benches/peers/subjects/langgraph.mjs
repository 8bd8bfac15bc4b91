/** LangGraph's InMemoryStore, with an index of vectors. */
const NAMESPACE = ["facts"];

async function create(kit) {
  const { InMemoryStore } = await import("@langchain/langgraph-checkpoint");
  const given = new Map();
  const vectorOf = (text) => given.get(text);
  const embeddings = { embedQuery: async (text) => vectorOf(text), embedDocuments: async (texts) => texts.map(vectorOf) };
  const store = new InMemoryStore({ index: { dims: kit.dimensions, embeddings, fields: ["text"] } });
  const tell = ({ text, vector }) => given.set(text, Array.from(vector));
  const put = ({ number, text }) => ({ namespace: NAMESPACE, key: `${number}`, value: { number, text } });
  return {
    async add(items) {
      items.forEach(tell);
      await store.batch(items.map(put));
      given.clear();
    },
    async search(query) {
      tell(query);
      return (await store.search(NAMESPACE, { query: query.text, limit: kit.limit })).map(({ value }) => value.number);
    },
    async write(item) {
      tell(item);
      const { namespace, key, value } = put(item);
      await store.put(namespace, key, value);
    },
  };
}

export default {
  name: "LangGraph InMemoryStore",
  package: "@langchain/langgraph-checkpoint",
  settings: "`index` with the embedder, `batch` of puts",
  lacks: "storage: a process that ends has lost it; words",
  onlyNode: "measured as agents use it",
  entry: "@langchain/langgraph-checkpoint/dist/index.js",
  memories: { create },
};
