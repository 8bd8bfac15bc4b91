/** EdgeVec: a graph over vectors, and signs of them with exact scores of the best. */
async function load(kit) {
  const edgevec = await import("../node_modules/edgevec/edgevec.js");
  await edgevec.default({ module_or_path: await kit.bytes("edgevec/edgevec_bg.wasm") });
  return edgevec;
}

const FILTER = JSON.stringify({ filter: "kept = true", strategy: "pre" });
const NAME = "peers";

function wrapped(kit, { JsMetadataValue }, index) {
  // Its ids begin with 1 and follow one another.
  const ids = (found) => found.map(({ id }) => id - 1);
  return {
    add(items) {
      for (const { vector, isKept } of items) index.setMetadata(index.insert(vector), "kept", JsMetadataValue.fromBoolean(isKept));
    },
    ready: () => index.enableBQ(),
    search: ({ vector }) => ids(index.search(vector, kit.limit)),
    rescored: ({ vector }) => ids(index.searchBQRescored(vector, kit.limit, kit.count > 10_000 ? 20 : 5)),
    filtered: ({ vector }) => ids(JSON.parse(index.searchFiltered(vector, kit.limit, FILTER)).results),
    save: () => index.save(NAME),
  };
}

export default {
  name: "EdgeVec",
  package: "edgevec",
  settings: "metric `l2` (`cosine` answers the furthest); its graph with defaults, `searchBQRescored` with a factor of 5, from 100 000 on 20, and `searchFiltered` with the strategy `pre` (`auto` finds eight of ten)",
  lacks: "words with their texts: sparse vectors are given by the application; `load` of what `save` has written",
  entry: "edgevec/edgevec.js",
  wasm: ["edgevec/edgevec_bg.wasm"],
  vectors: {
    async create(kit) {
      const edgevec = await load(kit);
      const config = new edgevec.EdgeVecConfig(kit.dimensions);
      config.metric = "l2";
      return wrapped(kit, edgevec, new edgevec.EdgeVec(config));
    },
    async open(kit) {
      const edgevec = await load(kit);
      return wrapped(kit, edgevec, await edgevec.EdgeVec.load(NAME));
    },
    most: { page: 10_000 },
    why: "the same graph takes minutes in Node already",
    variants: { rescored: "signs, rescored" },
  },
};
