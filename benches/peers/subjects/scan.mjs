/** What an application would write itself: all vectors in one array, compared one by one. */
import { nearest } from "../../web/support/nearest.mjs";

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
    save: () => kit.keep({ vectors, kept }),
  };
}

export default {
  name: "a scan in JavaScript",
  settings: "one `Float32Array`, stored as one value",
  lacks: "everything but the search: no words, no metadata but what you add, the whole array is written with every change",
  vectors: {
    create: (kit) => index(kit, new Float32Array(kit.count * kit.dimensions), new Uint8Array(kit.count)),
    async open(kit) {
      const { vectors, kept } = await kit.kept();
      return index(kit, vectors, kept);
    },
  },
};
