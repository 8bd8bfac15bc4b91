/** What an application would do without the engine; the same questions, the same machine, the same run. */
import MiniSearch from "../../../node_modules/minisearch/dist/es/index.js";
import { query, queryVector, text, vector } from "./corpus.mjs";
import { nearest } from "./nearest.mjs";
import { settled } from "./settled.mjs";
import { expect, timed } from "./timing.mjs";

/** MiniSearch over `count` texts. */
export function keywords(count) {
  const index = new MiniSearch({ fields: ["text"] });
  index.addAll(Array.from({ length: count }, (_, id) => ({ id, text: text(id) })));
  return index;
}

function flat(count) {
  const unit = (values) => {
    const length = Math.hypot(...values);
    return values.map((number) => number / length);
  };
  const dimensions = vector(0).length;
  const vectors = new Float32Array(count * dimensions);
  for (let number = 0; number < count; number += 1) vectors.set(unit(vector(number)), number * dimensions);
  return vectors;
}

/** Milliseconds of a keyword search over `count` texts. Its ranking is its own, so the text need not be the first. */
export async function searchWords(count, repetitions, targetOf) {
  const index = keywords(count);
  const { value } = await timed(
    repetitions,
    (number) => index.search(query(targetOf(number))),
    (hits, number) => expect(hits.slice(0, 20).some(({ id }) => id === targetOf(number)), "MiniSearch found other texts"),
  );
  return value;
}

/** Milliseconds of a scan of `count` vectors. */
export async function scanVectors(count, repetitions, targetOf) {
  const vectors = flat(count);
  const queries = Array.from({ length: repetitions * 2 }, (_, number) => queryVector(targetOf(number)));
  const { value } = await timed(
    repetitions,
    (number) => nearest(vectors, queries[number], 20),
    (hits, number) => expect(hits[0] === targetOf(number), "the flat scan found another vector"),
  );
  return value;
}

/** A plain object store. */
export async function plainStore(name) {
  const opening = indexedDB.open(name);
  opening.onupgradeneeded = () => opening.result.createObjectStore("objects", { keyPath: "id" });
  const database = await settled(opening);
  return {
    put(objects, durability) {
      const transaction = database.transaction("objects", "readwrite", { durability });
      for (const object of objects) transaction.objectStore("objects").put(object);
      return settled(transaction);
    },
    all: () => settled(database.transaction("objects").objectStore("objects").getAll()),
    close: () => database.close(),
  };
}
