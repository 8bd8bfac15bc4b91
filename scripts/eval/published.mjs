/**
 * What the notes of known sets give for their tuning halves, by methods that see all memories of a conversation at once: the set, how
 * many questions of it count, and R@5, R@10 and nDCG@10.
 */
const NOTES = {
  locomo: [760, [
    ["noted: BM25, stop words, Porter", 0.536, 0.619, 0.485],
    ["noted: min-max sum of BM25 and MiniLM", 0.58, 0.672, 0.521],
    ["noted: the same, vectors centred", 0.597, 0.698, 0.543],
    ["noted: with neighbours, sessions, speakers and dates", 0.746, 0.806, 0.667],
  ]],
  beam: [159, [
    ["noted: BM25, stop words, Porter", 0.348, 0.447, 0.32],
    ["noted: Orama 3.1, stemmer and stop words", 0.447, 0.559, 0.452],
    ["noted: MiniLM cosine", 0.52, 0.592, 0.477],
    ["noted: min-max sum of BM25 and MiniLM", 0.436, 0.533, 0.425],
  ]],
  "memorybank-zh": [54, [
    ["noted: BM25, pairs of characters", 0.75, 0.852, 0.608],
    ["noted: MiniSearch 7.2, pairs of characters", 0.769, 0.833, 0.625],
  ]],
  "memorybank-en": [53, [
    ["noted: BM25, stop words, Porter", 0.792, 0.868, 0.595],
    ["noted: MiniLM cosine", 0.925, 0.95, 0.611],
    ["noted: min-max sum of BM25 and MiniLM", 0.906, 0.95, 0.655],
  ]],
};

/** The noted figures of a set; none for another part of it, which has another number of questions. */
export function published(name, questions) {
  const [count, rows] = NOTES[name] ?? [];
  return count === questions ? rows : [];
}
