/** A scan of vectors as an application would write it. */

/** The numbers of the `limit` vectors of a `Float32Array` nearest to a vector; with `accepts`, of those for which it holds no 0. */
export function nearest(vectors, wanted, limit, accepts) {
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
