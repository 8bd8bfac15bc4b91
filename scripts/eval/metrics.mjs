/** How good rankings are. All values are 0 to 1, more is better; `ids` are best first, and of repeated ones the first counts. */

/** The share of `evidence` among the first `count`. */
export function recallAt(count, ids, evidence) {
  const found = new Set([...new Set(ids)].slice(0, count));
  const wanted = new Set(evidence);
  return [...wanted].filter((id) => found.has(id)).length / wanted.size;
}

/** Normalised discounted cumulative gain of the first `count`, where an id is evidence or not. */
export function gainAt(count, ids, evidence) {
  const wanted = new Set(evidence);
  const discount = (place) => 1 / Math.log2(place + 2);
  const gain = [...new Set(ids)].slice(0, count).reduce((sum, id, place) => sum + (wanted.has(id) ? discount(place) : 0), 0);
  const ideal = Array.from({ length: Math.min(count, wanted.size) }, (_, place) => discount(place)).reduce((sum, part) => sum + part, 0);
  return gain / ideal;
}

/** Whether the best of `updated` stands above all of `original`; not when neither is found. */
export function isUpdatedAbove(ids, updated, original) {
  const first = (wanted) => Math.min(Infinity, ...wanted.map((id) => ids.indexOf(id)).filter((place) => place >= 0));
  return first(updated) < first(original);
}

/**
 * The area under the ROC curve: how probably one of `positives` is greater than one of `negatives`, where equals count half. 0.5 is
 * chance; undefined when one of the lists is empty.
 */
export function areaUnderCurve(positives, negatives) {
  if (positives.length === 0 || negatives.length === 0) return undefined;
  let wins = 0;
  for (const positive of positives) {
    for (const negative of negatives) wins += positive > negative ? 1 : positive === negative ? 0.5 : 0;
  }
  return wins / (positives.length * negatives.length);
}

/**
 * The precision that one threshold for all questions reaches where it still keeps `least` of the evidence, on average over the
 * questions that have some; undefined when no threshold does.
 *
 * @param {{hits: {id: string, score: number}[], evidence: string[], tolerated: string[]}[]} answers what was found for each question
 * @returns {{threshold: number, precision: number, recall: number} | undefined} `precision` is of all that was found, for all questions
 */
export function precisionAtRecall(least, answers) {
  const answerable = answers.filter(({ evidence }) => evidence.length > 0).length;
  const all = answers.flatMap(({ hits, evidence, tolerated }) =>
    hits.filter(({ id }) => !tolerated.includes(id)).map(({ id, score }) => ({ score, share: evidence.includes(id) ? 1 / evidence.length : 0 })),
  );
  all.sort((a, b) => b.score - a.score);
  let best;
  let [recall, right] = [0, 0];
  all.forEach(({ score, share }, place) => {
    recall += share / answerable;
    right += Number(share > 0);
    const isCut = all[place + 1]?.score !== score;
    const precision = right / (place + 1);
    if (isCut && recall >= least && (best === undefined || precision > best.precision)) best = { threshold: score, precision, recall };
  });
  return best;
}

/** The mean; undefined of nothing. */
export function mean(values) {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}
