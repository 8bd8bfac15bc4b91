/** In a worker: fills a memory, copies its values to the other storage, and opens both in turn. */
import { openMemory } from "/pkg/entry/browser.js";
import { openOpfs } from "/pkg/files/opfs.js";

const NAME = "opening";
const WORDS = "amber birch cedar delta ember fjord grove heath inlet jetty knoll ledge marsh north ocean plain quill ridge shore thorn".split(" ");
const word = (number) => WORDS[number % WORDS.length];

const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** All values of a memory in IndexedDB, in one transaction. */
async function readDatabase() {
  const database = await done(indexedDB.open(`mnemic:${NAME}`));
  const store = database.transaction("pairs").objectStore("pairs");
  const [keys, values] = await Promise.all([done(store.getAllKeys()), done(store.getAll())]);
  database.close();
  // Large values are Blobs.
  const bytes = await Promise.all(values.map(async (value) => (value instanceof Blob ? new Uint8Array(await value.arrayBuffer()) : value)));
  return keys.map((key, index) => [key, bytes[index]]);
}

async function readFiles() {
  const storage = await openOpfs({ name: NAME, storage: "opfs", durability: "strict" });
  const pairs = await storage.read("", "~");
  storage.close();
  return pairs;
}

/** Opens it, and has one fact listed or another one found by its words and its meaning. */
async function opened(storage, isSearched) {
  const memory = await openMemory({ name: NAME, storage });
  const { facts } = memory.scope({ userId: "alice" }).readOnly();
  const [fact] = await (isSearched ? facts.search("the journey on day 77", { limit: 1 }) : facts.list({ limit: 1 }));
  if (fact === undefined) throw new Error(`${storage} has no facts`);
  return memory;
}

onmessage = async ({ data: { facts, rounds } }) => {
  try {
    const filled = await openMemory({ name: NAME, storage: "indexeddb", durability: "relaxed" });
    const scope = filled.scope({ userId: "alice" });
    for (let first = 0; first < facts; first += 1000) {
      const texts = Array.from({ length: Math.min(1000, facts - first) }, (_, index) => {
        const number = first + index;
        return { text: `Alice has seen the ${word(number)} ${word(number >> 3)} near the ${word(number >> 5)} ${word(number * 7)} on day ${number} of her journey` };
      });
      await scope.facts.import(texts);
    }
    await filled.idle();
    await filled.close();
    const pairs = await readDatabase();
    const head = pairs.find(([key]) => key === "head");
    const storage = await openOpfs({ name: NAME, storage: "opfs", durability: "strict" });
    await storage.write({ puts: [...pairs.filter(([key]) => key !== "head"), head], deletes: [] }, 0);
    // As after any later write: all before it is known to be on the disk.
    await storage.write({ puts: [head], deletes: [] }, Number(new DataView(head[1].buffer, head[1].byteOffset).getBigUint64(0, true)));
    storage.close();
    const bytes = pairs.reduce((sum, [, value]) => sum + value.length, 0);
    const times = {};
    const timed = async (name, work) => {
      const began = performance.now();
      const answer = await work();
      (times[name] ??= []).push(performance.now() - began);
      return answer;
    };
    for (let round = 0; round < rounds; round += 1) {
      for (const kind of round % 2 ? ["indexeddb", "opfs"] : ["opfs", "indexeddb"]) {
        const read = await timed(`${kind}: reading all values`, kind === "opfs" ? readFiles : readDatabase);
        if (read.length !== pairs.length) throw new Error(`${kind}: ${read.length} of ${pairs.length} values`);
        for (const isSearched of [false, true]) {
          const answer = isSearched ? "search" : "answer";
          const memory = await timed(`${kind}: opening to the first ${answer}`, () => opened(kind, isSearched));
          await memory.close();
        }
      }
    }
    const rows = Object.entries(times).map(([name, all]) => ({ name, value: all.sort((one, other) => one - other)[rounds >> 1], unit: "ms" }));
    postMessage({ rows: [...rows, { name: "bytes of the values", value: bytes / 1e6, unit: "MB" }] });
  } catch (error) {
    postMessage({ error: String(error.stack) });
  }
};
