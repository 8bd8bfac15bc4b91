/**
 * Texts and vectors made from numbers, the same in every run. Each text belongs to a topic, takes its words from the topic and from
 * what everybody says, and has a name of its own, so that it is known which one a query must find. Vectors lie in one cluster for
 * each topic.
 */

const DIMENSIONS = 384;
const TOPICS = 100;
const WORDS_OF_TOPIC = 20;
const COMMON_WORDS = 300;
/** How far a vector strays from the centre of its topic, and a query from the text it asks for. */
const STRAY = 0.9;
const QUERY_STRAY = 0.3;

const SYLLABLES = ["ba", "co", "du", "fe", "gi", "ho", "ju", "ka", "le", "mi", "no", "pu", "ra", "so", "tu", "va", "wo", "xi", "yo", "za"];

/** Numbers from 0 to 1 that only the seed decides. */
function random(seed) {
  let state = Math.imul(seed + 1, 0x9e3779b1) | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** A word for a number; `ending` keeps the kinds of words apart. */
function word(number, ending) {
  let left = number;
  let text = "";
  do {
    text += SYLLABLES[left % SYLLABLES.length];
    left = Math.floor(left / SYLLABLES.length);
  } while (left > 0);
  return text + ending;
}

const NAME = "rq";
const nameOf = (number) => word(number, NAME);

function numberOf(name) {
  const syllables = name.slice(0, -NAME.length).match(/../g);
  return syllables.reduceRight((number, syllable) => number * SYLLABLES.length + SYLLABLES.indexOf(syllable), 0);
}

const topicWord = (topic, place) => word(topic * WORDS_OF_TOPIC + place, "nk");
// Words are not equally common: the first ones stand in many texts.
const commonWord = (next) => word(Math.floor(next() ** 3 * COMMON_WORDS), "lm");

const TEXT_WORDS = 12;

const QUERY_PLACES = [1, 2, 6, 7, 0];

function wordsOf(number) {
  const next = random(number);
  const topic = number % TOPICS;
  const ofTopic = Array.from({ length: 5 }, () => topicWord(topic, Math.floor(next() * WORDS_OF_TOPIC)));
  const common = Array.from({ length: TEXT_WORDS - 6 }, () => commonWord(next));
  return [nameOf(number), ...ofTopic, ...common];
}

/** The text of a number. */
export function text(number) {
  return wordsOf(number).join(" ");
}

/** What asks for the text of a number: two words of its topic, two that are common, its name. */
export function query(number) {
  const words = wordsOf(number);
  return QUERY_PLACES.map((place) => words[place]).join(" ");
}

function shifted(vector, seed, by) {
  const next = random(seed);
  return vector.map((value) => value + by * (next() - 0.5));
}

const centres = Array.from({ length: TOPICS }, (_, topic) => shifted(new Float32Array(DIMENSIONS), 1e6 + topic, 1));

/** The vector of the text of a number. */
export function vector(number) {
  return shifted(centres[number % TOPICS], number, STRAY);
}

/** The vector of what asks for it. */
export function queryVector(number) {
  return shifted(vector(number), 2e6 + number, QUERY_STRAY);
}

/** An embedder for these texts and queries; `spent()` is the time it took so far, in milliseconds. */
export function embedder() {
  let spent = 0;
  const embed = async (texts) => {
    const start = performance.now();
    const answer = texts.map((each) => {
      const words = each.split(" ");
      const named = numberOf(words.find((one) => one.endsWith(NAME)));
      return words.length === TEXT_WORDS ? vector(named) : queryVector(named);
    });
    spent += performance.now() - start;
    return answer;
  };
  return { id: "synthetic", embed, spent: () => spent };
}
