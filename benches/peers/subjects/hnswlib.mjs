/** hnswlib-wasm: hnswlib's graph in WebAssembly, kept in IndexedDB through a file system of Emscripten's. */
const FILE = "peers.dat";
const LINKS = 16;
const CONSTRUCTION = 200;
const SEARCH = 64;
const SEED = 100;

async function load() {
  const library = await import("../node_modules/hnswlib-wasm/dist/hnswlib.js");
  return { library, hnsw: await library.loadHnswlib() };
}

function index(kit, library, graph) {
  graph.setEfSearch(SEARCH);
  const isKept = (number) => kit.isKept(number);
  return {
    add: (items) => graph.addPoints(items.map(({ vector }) => vector), items.map(({ number }) => number), false),
    search: ({ vector }) => graph.searchKnn(vector, kit.limit, undefined).neighbors,
    filtered: ({ vector }) => graph.searchKnn(vector, kit.limit, isKept).neighbors,
    async save() {
      await graph.writeIndex(FILE);
      await library.syncFileSystem("write");
    },
  };
}

export default {
  name: "hnswlib-wasm",
  package: "hnswlib-wasm",
  settings: `M ${LINKS}, efConstruction ${CONSTRUCTION}, efSearch ${SEARCH}, cosine; the filter is a function of the label`,
  lacks: "Node, words, metadata; the number of items is fixed when the index is made, and a change writes the whole file",
  entry: "hnswlib-wasm/dist/hnswlib.js",
  onlyPage: "it refuses to start in Node",
  vectors: {
    async create(kit) {
      const { library, hnsw } = await load();
      const graph = new hnsw.HierarchicalNSW("cosine", kit.dimensions, "");
      graph.initIndex(kit.count, LINKS, CONSTRUCTION, SEED);
      return index(kit, library, graph);
    },
    async open(kit) {
      const { library, hnsw } = await load();
      await library.syncFileSystem("read");
      const graph = new hnsw.HierarchicalNSW("cosine", kit.dimensions, "");
      await graph.readIndex(FILE, kit.count);
      return index(kit, library, graph);
    },
  },
};
