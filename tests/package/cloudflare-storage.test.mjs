/** What the storage of a Durable Object asks its database, which bills every row that is read. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createProject } from "./support/project.mjs";

let project, durableObjectStorage;

before(async () => {
  project = await createProject();
  ({ durableObjectStorage } = await project.import('export * from "./node_modules/mnemic/cloudflare/storage.js";'));
});

after(() => project?.remove());

/** A database with pieces of ten bytes in every value, which notes what it is asked for sizes. */
function database() {
  const asked = [];
  const exec = (query, ...bindings) => {
    const answer = (rows) => ({ toArray: () => rows });
    if (query.includes("sqlite_master")) return answer([{ 1: 1 }]);
    if (query.startsWith("SELECT length")) {
      asked.push(bindings[0]);
      return answer([{ bytes: 10 }, { bytes: 10 }]);
    }
    return answer(query.includes("AS piece") && bindings.length === 3 ? [{ piece: new ArrayBuffer(bindings[1]) }] : []);
  };
  const storage = { sql: { exec, databaseSize: 0 }, kv: { list: () => [], delete: () => false }, transactionSync: (work) => work() };
  return { asked, storage: durableObjectStorage(storage) };
}

/** Every write made the sizes of all values be asked anew. */
test("the size of a value is asked once until it is written or all is read", () => {
  const { asked, storage } = database();
  const read = () => ["segment/1", "segment/2"].forEach((key) => assert.equal(storage.readAt(key, 5, 10).byteLength, 10));
  read();
  read();
  assert.deepEqual(asked, ["segment/1", "segment/2"]);
  storage.write({ puts: [["log/1", new Uint8Array(3)]], deletes: [] }, 0);
  read();
  assert.deepEqual(asked.splice(0), ["segment/1", "segment/2"]);
  storage.write({ puts: [["segment/1", new Uint8Array(30)]], deletes: [] }, 0);
  read();
  assert.deepEqual(asked.splice(0), ["segment/1"]);
  storage.write({ puts: [], deletes: ["segment/2"] }, 0);
  read();
  assert.deepEqual(asked.splice(0), ["segment/2"]);
  storage.read("a", "b");
  read();
  assert.deepEqual(asked, ["segment/1", "segment/2"]);
});
