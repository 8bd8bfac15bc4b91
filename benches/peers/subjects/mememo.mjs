/** MeMemo: a graph in JavaScript, its vectors in IndexedDB or in memory. */
export default {
  name: "MeMemo",
  package: "mememo",
  settings: "`cosine-normalized`, in memory, which is the faster of its two ways; M 16, efConstruction 100",
  lacks: "filters, words; it clears its IndexedDB whenever it is opened, so that only the graph can be exported",
  entry: "mememo/dist/index.es.js",
  vectors: {
    async create(kit) {
      const { HNSW } = await import("../node_modules/mememo/dist/index.es.js");
      const index = new HNSW({ distanceFunction: "cosine-normalized", m: 16, efConstruction: 100, seed: 100, useIndexedDB: false });
      return {
        add: (items) => index.bulkInsert(items.map(({ number }) => `${number}`), items.map(({ vector }) => Array.from(vector))),
        search: async ({ vector }) => (await index.query(Array.from(vector), kit.limit)).keys.map(Number),
      };
    },
    most: { node: 1000, page: 1000 },
    why: "building takes minutes",
  },
};
