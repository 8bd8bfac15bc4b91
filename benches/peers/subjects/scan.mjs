/** What an application would write itself: all vectors in one array, compared one by one. */
const STORE = "vectors";

const settled = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = request.oncomplete = () => resolve(request.result);
    request.onerror = request.onabort = () => reject(request.error);
  });

async function store() {
  const opening = indexedDB.open("scan");
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  return settled(opening);
}

/** The numbers of the `limit` nearest, of those that `accepts`. */
function nearest(vectors, wanted, limit, accepts) {
  const dimensions = wanted.length;
  const best = [];
  for (let number = 0, start = 0; start < vectors.length; number += 1, start += dimensions) {
    if (accepts !== undefined && accepts[number] === 0) continue;
    let similarity = 0;
    for (let place = 0; place < dimensions; place += 1) similarity += vectors[start + place] * wanted[place];
    if (best.length === limit && similarity <= best[limit - 1].similarity) continue;
    const rank = best.findIndex((other) => other.similarity < similarity);
    best.splice(rank < 0 ? best.length : rank, 0, { number, similarity });
    if (best.length > limit) best.pop();
  }
  return best.map(({ number }) => number);
}

function index(kit, vectors, kept) {
  return {
    add(items) {
      for (const { number, vector, isKept } of items) {
        vectors.set(vector, number * kit.dimensions);
        kept[number] = isKept ? 1 : 0;
      }
    },
    search: ({ vector }) => nearest(vectors, vector, kit.limit),
    filtered: ({ vector }) => nearest(vectors, vector, kit.limit, kept),
    async save() {
      const database = await store();
      const transaction = database.transaction(STORE, "readwrite");
      transaction.objectStore(STORE).put({ vectors, kept }, "all");
      await settled(transaction);
      database.close();
    },
  };
}

export default {
  name: "a scan in JavaScript",
  settings: "one `Float32Array`, stored as one value",
  lacks: "everything but the search: no words, no metadata but what you add, the whole array is written with every change",
  vectors: {
    create: (kit) => index(kit, new Float32Array(kit.count * kit.dimensions), new Uint8Array(kit.count)),
    async open(kit) {
      const database = await store();
      const { vectors, kept } = await settled(database.transaction(STORE).objectStore(STORE).get("all"));
      database.close();
      return index(kit, vectors, kept);
    },
  },
};
