/** Orama: words, vectors and filters in memory; what it saves is kept by the application. */
const load = () => import("../node_modules/@orama/orama/dist/browser/index.js");
const words = { number: "number", text: "string" };

const ids = ({ hits }) => hits.map(({ document }) => document.number);

async function index(kit, schema, database) {
  const orama = await load();
  database ??= orama.create({ schema });
  const search = async ({ vector }, more) =>
    ids(await orama.search(database, { mode: "vector", vector: { value: vector, property: "vector" }, similarity: 0, limit: kit.limit, ...more }));
  return {
    add: (items) => orama.insertMultiple(database, items.map(({ number, text, vector, isKept }) => ("vector" in schema ? { number, kept: isKept, vector: Array.from(vector) } : { number, text })), 1000),
    search: "vector" in schema ? search : async ({ text }) => ids(await orama.search(database, { term: text, properties: ["text"], limit: kit.limit })),
    filtered: (query) => search(query, { where: { kept: true } }),
    save: () => kit.keep(JSON.stringify(orama.save(database))),
  };
}

const vectors = ({ dimensions }) => ({ number: "number", kept: "boolean", vector: `vector[${dimensions}]` });

export default {
  name: "Orama",
  package: "@orama/orama",
  settings: "`similarity: 0`, because the default of .8 leaves out most; a `where` on a boolean; `save` as JSON, which the application stores",
  lacks: "storage of its own; the JSON of 100 000 vectors is too long for a string",
  entry: "@orama/orama/dist/browser/index.js",
  vectors: {
    create: (kit) => index(kit, vectors(kit)),
    async open(kit) {
      const orama = await load();
      const database = orama.create({ schema: vectors(kit) });
      orama.load(database, JSON.parse(await kit.kept()));
      return index(kit, vectors(kit), database);
    },
  },
  words: { create: (kit) => index(kit, words) },
};
