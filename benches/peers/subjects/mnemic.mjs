/** mnemic, through its package: facts with the application's vectors, and facts found by their words. */
const entry = (kit, path) => (kit.isPage ? import("../../../pkg/entry/browser.js") : import(/* @vite-ignore */ new URL(`../../../pkg/${path}`, import.meta.url)));
const FACTS_PER_IMPORT = 1000;
const SCOPE = { userId: "alice" };

/** An embedder that is told the vector of the next text: texts and vectors are made by the same numbers. */
function given() {
  const vectors = new Map();
  return {
    id: "given",
    embed: async (texts) => texts.map((text) => vectors.get(text)),
    tell: ({ text, vector }) => vectors.set(text, vector),
  };
}

async function opened(kit, options) {
  const { openMemory } = await entry(kit, "entry/node.js");
  const memory = await openMemory({ name: "peers", ...options, extraction: { auto: false } });
  return { memory, facts: memory.scope(SCOPE).facts };
}

async function stored(kit) {
  if (kit.isPage) return { storage: "indexeddb", durability: "relaxed" };
  const { fileStorage } = await entry(kit, "node/index.js");
  return { storage: fileStorage(`${kit.folder}/peers.mnemic`) };
}

const found = (facts) => facts.map(({ metadata }) => metadata.number);

async function withVectors(kit) {
  const embedder = given();
  const { memory, facts } = await opened(kit, { ...(await stored(kit)), embed: { id: embedder.id, embed: embedder.embed } });
  const search = async (query, options) => {
    embedder.tell(query);
    return found(await facts.search(query.text, { limit: kit.limit, ...options }));
  };
  return {
    async add(items) {
      for (let first = 0; first < items.length; first += FACTS_PER_IMPORT) {
        const some = items.slice(first, first + FACTS_PER_IMPORT);
        await facts.import(some.map(({ number, text, vector, isKept }) => ({ text, embedding: vector, category: isKept ? "goal" : "other", metadata: { number } })));
      }
    },
    ready: () => memory.idle(),
    search,
    filtered: (query) => search(query, { filter: { category: "goal" } }),
    async write({ number, text, vector }) {
      embedder.tell({ text, vector });
      await facts.add({ text, metadata: { number } });
    },
    close: () => memory.close(),
  };
}

async function withWords(kit) {
  const { memory, facts } = await opened(kit, await stored(kit));
  return {
    async add(items) {
      for (let first = 0; first < items.length; first += FACTS_PER_IMPORT) {
        await facts.import(items.slice(first, first + FACTS_PER_IMPORT).map(({ number, text }) => ({ text, metadata: { number } })));
      }
    },
    ready: () => memory.idle(),
    search: async ({ text }) => found(await facts.search(text, { limit: kit.limit })),
  };
}

export default {
  name: "mnemic",
  settings: "`facts.import` with vectors, `facts.search` with defaults, a filter by category; words without an embedder, so with the built-in one; stored in a file, and on pages in IndexedDB with `durability: \"relaxed\"`",
  lacks: "",
  vectors: { create: withVectors, open: withVectors },
  words: { create: withWords },
  memories: { create: withVectors },
};
