/**
 * What every subject is given, from numbers alone: vectors in clusters, sentences with words as frequent as in a language, and what is
 * asked. The same number is the same item in every process and on every page.
 */
import { random } from "../../scripts/random.mjs";

export const DIMENSIONS = 384;

/** How many answers a query wants. */
export const LIMIT = 10;

/** Items in a cluster; ten of them pass the filter. */
const CLUSTER = 100;
const KEPT = 10;

/** A cluster has so many directions of its own, as the embeddings of texts about one thing vary in few ways. */
const DIRECTIONS = 16;
const POOL = 64;
const SPREAD = 0.5;
const NOISE = 0.1;

function normals(seed, count) {
  const next = random(seed);
  return Float32Array.from({ length: count }, () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()));
}

/** Gives a vector another length. */
function scaled(vector, length) {
  let sum = 0;
  for (let place = 0; place < vector.length; place += 1) sum += vector[place] * vector[place];
  const factor = length / Math.sqrt(sum);
  for (let place = 0; place < vector.length; place += 1) vector[place] *= factor;
  return vector;
}

const unit = (seed) => scaled(normals(seed, DIMENSIONS), 1);

const pool = Array.from({ length: POOL }, (_, number) => unit(1e6 + number));

/** Noise is cut out of this at a place of its own for each point. */
const noise = normals(2e6, 1 << 16).map((value) => (value * NOISE) / Math.sqrt(DIMENSIONS));

const centres = new Map();

function centre(cluster) {
  if (!centres.has(cluster)) centres.set(cluster, unit(3e6 + cluster));
  return centres.get(cluster);
}

function point(cluster, seed) {
  const vector = centre(cluster).slice();
  const first = Math.floor(random(4e6 + seed)() * (noise.length - DIMENSIONS));
  for (let dimension = 0; dimension < DIMENSIONS; dimension += 1) vector[dimension] += noise[first + dimension];
  const weights = scaled(normals(5e6 + seed, DIRECTIONS), SPREAD);
  for (let place = 0; place < DIRECTIONS; place += 1) {
    const [weight, direction] = [weights[place], pool[(cluster * 7 + place * 3) % POOL]];
    for (let dimension = 0; dimension < DIMENSIONS; dimension += 1) vector[dimension] += weight * direction[dimension];
  }
  return scaled(vector, 1);
}

const SYLLABLES = ["ba", "co", "du", "fe", "gi", "ho", "ju", "ka", "le", "mi", "no", "pu", "ra", "so", "tu", "va", "wo", "xi", "yo", "za"];

/** A word for a number; the ending keeps kinds of words apart. */
function word(number, ending) {
  let [left, text] = [number, ""];
  do {
    text += SYLLABLES[left % SYLLABLES.length];
    left = Math.floor(left / SYLLABLES.length);
  } while (left > 0);
  return text + ending;
}

/** One of `count` items with a vector: its text is one word that no query has. `isKept` says whether the filter keeps it, as a tenth. */
export function vectorItem(number, count) {
  const clusters = count / CLUSTER;
  return {
    number,
    text: word(number, "rq"),
    vector: point(number % clusters, number),
    isKept: isKept(number, count),
  };
}

/** Whether the filter keeps an item: a tenth of each cluster. */
export const isKept = (number, count) => Math.floor(number / (count / CLUSTER)) % KEPT === 3;

/** A query near a cluster. */
export function vectorQuery(number, count) {
  const clusters = count / CLUSTER;
  return { text: word(number, "nk"), vector: point((number * 7919 + 1) % clusters, 6e6 + number) };
}

/** The numbers of the items of `[number, vector]` nearest to each query. */
export function nearest(queries, items) {
  const best = queries.map(() => []);
  for (const { number, vector } of items) {
    queries.forEach(({ vector: wanted }, query) => {
      let similarity = 0;
      for (let place = 0; place < wanted.length; place += 1) similarity += vector[place] * wanted[place];
      const found = best[query];
      if (found.length === LIMIT && similarity <= found[LIMIT - 1].similarity) return;
      const rank = found.findIndex((other) => other.similarity < similarity);
      found.splice(rank < 0 ? found.length : rank, 0, { number, similarity });
      if (found.length > LIMIT) found.pop();
    });
  }
  return best.map((found) => found.map(({ number }) => number));
}

const VOCABULARY = 20_000;
const SENTENCE_WORDS = 12;

function sentenceWords(number) {
  const next = random(7e6 + number);
  // The k-th most frequent word is k times as rare as the first.
  return Array.from({ length: SENTENCE_WORDS }, () => word(Math.floor(VOCABULARY ** next()) - 1, "lm"));
}

/** A sentence of twelve words of Zipf's frequencies. */
export function wordItem(number) {
  return { number, text: sentenceWords(number).join(" ") };
}

/** What asks for a sentence: its longest word, which is rare, and its first two. `answers` are the numbers of which one must be found. */
export function wordQuery(number, count) {
  const target = (number * 7919 + 1) % count;
  const words = sentenceWords(target);
  const rare = words.reduce((longest, word) => (word.length > longest.length ? word : longest));
  return { text: [...new Set([rare, words[0], words[1]])].join(" "), answers: [target] };
}

/** The same, by its three rarest words: a query that few sentences share a word with. */
export function rareQuery(number, count) {
  const { answers } = wordQuery(number, count);
  const words = [...new Set(sentenceWords(answers[0]))].sort((a, b) => b.length - a.length);
  return { text: words.slice(0, 3).join(" "), answers };
}

/** A sentence with a vector. */
export function memoryItem(number, count) {
  return { ...wordItem(number), vector: vectorItem(number, count).vector };
}

/** Asks for one of them by three words of it that stand together, and by its vector. */
export function memoryQuery(number, count) {
  const target = (number * 7919 + 1) % count;
  const { text, vector } = memoryItem(target, count);
  return { text: text.split(" ").slice(4, 7).join(" "), vector, answers: [target] };
}

/** The share of wanted numbers that were found, over all queries. */
export function recallOf(answers, wanted) {
  const shares = answers.map((found, query) => wanted[query].filter((number) => found.includes(number)).length / wanted[query].length);
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

/** The share of queries of whose answers one was found. */
export function hitsOf(answers, wanted) {
  return answers.filter((found, query) => wanted[query].some((number) => found.includes(number))).length / answers.length;
}
