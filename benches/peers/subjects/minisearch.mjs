/** MiniSearch: words in memory. */
export default {
  name: "MiniSearch",
  package: "minisearch",
  settings: "defaults",
  lacks: "vectors and storage; its index is serialised as JSON",
  entry: "minisearch/dist/es/index.js",
  words: {
    async create(kit) {
      const { default: MiniSearch } = await import("../node_modules/minisearch/dist/es/index.js");
      const index = new MiniSearch({ idField: "number", fields: ["text"] });
      return {
        add: (items) => index.addAll(items),
        search: ({ text }) => index.search(text).slice(0, kit.limit).map(({ id }) => id),
      };
    },
  },
};
