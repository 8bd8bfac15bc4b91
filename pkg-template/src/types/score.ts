/** How results are scored. */

/** How a score came about. */
export interface ScoreTerms {
  /** What shared words add to the score. */
  words: number;
  /** What closeness in meaning adds to the score. */
  meaning: number;
  /** What messages said just before and after add. This and the next ten are in the score and absent where they say nothing. */
  neighbours?: number;
  /** What the thread adds, judged by its best messages. */
  thread?: number;
  /** What it adds that the query names the speaker. */
  speaker?: number;
  /** What it adds that it was said when the query says: "on 2 May", "last week", "지난주". */
  date?: number;
  /** What it adds that it tells a time, where the query asks when. */
  time?: number;
  /** What it adds that it is no mere interjection. */
  length?: number;
  /** Below 0 for what somebody else than the user said, unless the query asks for that. */
  role?: number;
  /** Below 0 for a question. */
  question?: number;
  /** What lifts it above what it replaces. */
  newer?: number;
  /** What it adds that a fact is about whom and what is asked about; below 0 when it is about somebody else. */
  about?: number;
  /** That it was reached over relations of the graph, with `hops`; then it is the score, and no search found it. */
  path?: number;
  /** Which part of what is asked for the result holds, 0 to 1, as it enters the relevance. */
  coverage?: number;
  /**
   * How well the result fits whom the query is about, 0 to 1, as it enters the relevance; 1 for all but facts, and for what was reached over
   * the graph, which fits less with each relation.
   */
  person?: number;
  /** The BM25 score itself; absent when no word is shared. */
  wordsRaw?: number;
  /** The cosine itself; absent when it is not among the nearest. */
  meaningRaw?: number;
  /** Which of `rewritten.queries` it fits best, from 0; absent when it fits the query itself best. */
  query?: number;
  /** Over how many relations of the graph it was reached; absent for what a search found. */
  hops?: number;
  /** What the mode `"relevance"` would give, as it enters a product or sum; absent in the mode `"relevance"`. */
  similarity?: number;
  /** How recently it was recalled, found or changed, as it enters a product or sum; absent in the mode `"relevance"`. */
  recency?: number;
  /** How much it matters, as it enters a product or sum; absent in the mode `"relevance"`. */
  significance?: number;
  /** The weights of the three; only in the mode `"sum"`. */
  weights?: { similarity: number; recency: number; significance: number };
}

/**
 * How results are scored:
 *
 * - `"relevance"`: `words + meaning`, and what else the terms name. The best result has 1.
 * - `"product"`: `similarity * recency * significance`, where recency is `decay` to the power of the hours since the last access,
 *   and significance a tenth of the item's.
 * - `"sum"`: `weights.similarity * similarity + weights.recency * recency + weights.significance * significance`, each term scaled
 *   between its least and greatest among the candidates; a term they all share counts 0.5 (Park et al., Generative Agents, 2023).
 */
export interface Scoring {
  /** Default: `"relevance"`. */
  readonly mode?: "relevance" | "product" | "sum" | undefined;
  /** For `"sum"`: 0 or more, and not all 0. Default: 1 each. */
  readonly weights?:
    | {
        readonly similarity?: number | undefined;
        readonly recency?: number | undefined;
        readonly significance?: number | undefined;
      }
    | undefined;
  /** The factor by which recency falls each hour, above 0 and up to 1. Default: 0.995. */
  readonly decay?: number | undefined;
}

/** What a search adds to what it found. */
export interface Scored {
  /** From 0 to 1, in the mode `"sum"` to the sum of the weights; higher is better; comparable within one answer only. */
  score: number;
  /**
   * How surely it is about whom and what is asked about, from 0 to 1; comparable between queries and embedders. From 0.5 on it
   * usually answers; below 0.03 it is unrelated.
   */
  relevance: number;
  terms: ScoreTerms;
}
