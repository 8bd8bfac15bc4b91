/** EntityDB: vectors in IndexedDB, all read and compared for every query. Its embedding model is left out: vectors are given. */
async function open(kit) {
  const { EntityDB } = await import("../node_modules/@babycommando/entity-db/src/index.js");
  const database = new EntityDB({ vectorPath: "vector" });
  return {
    add: (items) => Promise.all(items.map(({ number, vector }) => database.insertManualVectors({ number, vector }))),
    search: async ({ vector }) => (await database.queryManualVectors(vector, { limit: kit.limit })).map(({ number }) => number),
  };
}

export default {
  name: "EntityDB",
  package: "@babycommando/entity-db",
  settings: "`insertManualVectors`, `queryManualVectors`; transformers.js is left out",
  lacks: "Node, filters, words, a second database; it reads everything for every query",
  entry: "@babycommando/entity-db/src/index.js",
  onlyPage: "it needs IndexedDB",
  vectors: { create: open, open, most: { page: 10_000 }, why: "it takes a transaction for each item" },
};
