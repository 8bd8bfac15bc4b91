/** Voy: a k-d tree in WebAssembly. */
async function load(kit) {
  const voy = await import("../node_modules/voy-search/voy_search_bg.js");
  const { instance } = await WebAssembly.instantiate(await kit.bytes("voy-search/voy_search_bg.wasm"), { "./voy_search_bg.js": voy });
  voy.__wbg_set_wasm(instance.exports);
  return voy.Voy;
}

const index = (kit, voy) => ({
  add: (items) => voy.add({ embeddings: items.map(({ number, vector }) => ({ id: `${number}`, title: "", url: "", embeddings: Array.from(vector) })) }),
  search: ({ vector }) => voy.search(vector, kit.limit).neighbors.map(({ id }) => Number(id)),
  save: () => kit.keep(voy.serialize()),
});

export default {
  name: "voy",
  package: "voy-search",
  settings: "`add` in batches, `search`; `serialize` to text, which the application stores",
  lacks: "filters, words, storage of its own; everything is written and read as one text",
  entry: "voy-search/voy_search_bg.js",
  wasm: ["voy-search/voy_search_bg.wasm"],
  vectors: {
    create: async (kit) => index(kit, new (await load(kit))({ embeddings: [] })),
    open: async (kit) => index(kit, (await load(kit)).deserialize(await kit.kept())),
  },
};
