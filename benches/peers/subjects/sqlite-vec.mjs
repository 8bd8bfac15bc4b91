/** sqlite-vec, compiled to WebAssembly with SQLite by its author; in memory, because this build has no storage of its own. */
async function create(kit) {
  const { default: start } = await import("../node_modules/sqlite-vec-wasm-demo/sqlite3.mjs");
  const sqlite = await start({ wasmBinary: await kit.bytes("sqlite-vec-wasm-demo/sqlite3.wasm") });
  const database = new sqlite.oo1.DB(":memory:");
  database.exec(`create virtual table items using vec0(id integer primary key, kept integer, vector float[${kit.dimensions}] distance_metric=cosine)`);
  const nearest = (condition) => database.prepare(`select id from items where vector match ? and k = ${kit.limit} ${condition} order by distance`);
  const [all, kept] = [nearest(""), nearest("and kept = 1")];
  const ask = (statement, { vector }) => {
    statement.reset().bind(1, vector.slice().buffer);
    const ids = [];
    while (statement.step()) ids.push(statement.getInt(0));
    return ids;
  };
  return {
    add(items) {
      const insert = database.prepare("insert into items (id, kept, vector) values (?, ?, ?)");
      database.transaction(() => {
        for (const { number, vector, isKept } of items) insert.reset().bind([number, isKept ? 1 : 0, vector.slice().buffer]).step();
      });
      insert.finalize();
    },
    search: (query) => ask(all, query),
    filtered: (query) => ask(kept, query),
  };
}

export default {
  name: "sqlite-vec",
  package: "sqlite-vec-wasm-demo",
  settings: "`vec0`, cosine, a metadata column for the filter, prepared statements",
  lacks: "Node, and storage: the database of this build is in memory",
  entry: "sqlite-vec-wasm-demo/sqlite3.mjs",
  wasm: ["sqlite-vec-wasm-demo/sqlite3.wasm"],
  onlyPage: "its build refuses to start in Node",
  vectors: { create },
};
