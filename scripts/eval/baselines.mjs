/** Rankings by plain methods, which see all memories of a conversation at once. */

const [K1, B] = [0.9, 0.4];

/** Words in lower case; of scripts that do not separate words, the pairs of neighbouring characters. */
function words(text) {
  const found = [];
  for (const [run] of text.toLowerCase().normalize("NFKC").matchAll(/[\p{L}\p{N}]+/gu)) {
    for (const [part] of run.matchAll(/[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}ー]+|[^\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}ー]+/gu)) {
      if (!/[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(part) || part.length === 1) found.push(part);
      else for (let place = 0; place + 1 < part.length; place += 1) found.push(part.slice(place, place + 2));
    }
  }
  return found;
}

/** BM25 over memories: a function of the question that answers the score of each. */
export function bm25(memories) {
  const documents = memories.map(({ text }) => words(text));
  const average = documents.reduce((sum, { length }) => sum + length, 0) / documents.length;
  const postings = new Map();
  documents.forEach((document, place) => {
    for (const word of document) {
      if (!postings.has(word)) postings.set(word, new Map());
      const counts = postings.get(word);
      counts.set(place, (counts.get(place) ?? 0) + 1);
    }
  });
  return (question) => {
    const scores = new Float64Array(documents.length);
    for (const word of new Set(words(question))) {
      const counts = postings.get(word) ?? new Map();
      const rarity = Math.log(1 + (documents.length - counts.size + 0.5) / (counts.size + 0.5));
      for (const [place, count] of counts) {
        const length = 1 - B + (B * documents[place].length) / average;
        scores[place] += (rarity * count * (K1 + 1)) / (count + K1 * length);
      }
    }
    return scores;
  };
}

/** The cosine of a question's vector with that of each memory; vectors have unit length. */
export function cosine(memories, vectors) {
  const rows = memories.map(({ text }) => vectors.get(text));
  return (question) => {
    const asked = vectors.get(question);
    return Float64Array.from(rows, (row) => row.reduce((sum, value, column) => sum + value * asked[column], 0));
  };
}

/** The sum of two methods' scores, each scaled to 0 to 1 over all memories. */
export function sum(one, other) {
  const scaled = (scores) => {
    const [least, most] = [scores.reduce((a, b) => Math.min(a, b)), scores.reduce((a, b) => Math.max(a, b))];
    return scores.map((score) => (most > least ? (score - least) / (most - least) : 0));
  };
  return (question) => {
    const [a, b] = [scaled(one(question)), scaled(other(question))];
    return a.map((score, place) => score + b[place]);
  };
}

/** The memories with the highest scores above 0, best first; of equals the earlier one first. */
export function best(memories, scores, count) {
  return memories
    .map(({ id }, place) => ({ id, score: scores[place], place }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.place - b.place)
    .slice(0, count)
    .map(({ id, score }) => ({ id, score }));
}

/** The methods that a set allows, by name: each takes the memories of a conversation. */
export function baselines({ vectors }) {
  return {
    "baseline: BM25, all words": (memories) => bm25(memories),
    ...(vectors && {
      "baseline: cosine": (memories) => cosine(memories, vectors),
      "baseline: sum of both": (memories) => sum(bm25(memories), cosine(memories, vectors)),
    }),
  };
}
