/** How results are scored. */

/** How a score came about. */
export interface ScoreTerms {
  /** What shared words add to the score. */
  words: number;
  /** What closeness in meaning adds to the score. */
  meaning: number;
  /**
   * What the messages just before and after it add. This and the next ten terms are part of the score; each is absent when it adds
   * nothing.
   */
  neighbours?: number;
  /** What the thread adds, judged by its best messages. */
  thread?: number;
  /** What it adds if the query names the message's speaker. */
  speaker?: number;
  /** What it adds if it was said at a date the query names: "on 2 May", "last week", "지난주". */
  date?: number;
  /** What it adds if it names a time and the query asks when. */
  time?: number;
  /** What its length adds; a mere interjection gets little. */
  length?: number;
  /** Below 0 for messages of other speakers than the user, unless the query asks for them. */
  role?: number;
  /** Below 0 for a question. */
  question?: number;
  /** What ranks it above the statement it replaced. */
  newer?: number;
  /**
   * What it adds if a fact is about the person and subject of the query; below 0 if it is about someone else. Of a message, that the user
   * states in it what they ask for, in other words.
   */
  about?: number;
  /** Its score when it was reached over graph relations (`hops`) and not found by a search. */
  path?: number;
  /** The share of the query that the result covers, 0 to 1, as it enters the relevance. */
  coverage?: number;
  /**
   * How well the result matches the person of the query, 0 to 1, as it enters the relevance. 1 except for facts, and for results
   * reached over the graph, where each relation lowers it.
   */
  person?: number;
  /** The BM25 score itself; absent when no word is shared. */
  wordsRaw?: number;
  /** The cosine itself; absent when it is not among the nearest. */
  meaningRaw?: number;
  /** Which of `rewritten.queries` it fits best, from 0; absent when it fits the query itself best. */
  query?: number;
  /** Over how many relations of the graph it was reached; absent for results of a search. */
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
 * - `"relevance"`: `words + meaning`, plus the other terms. The best result has 1.
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

/** What a search adds to each result. */
export interface Scored {
  /** From 0 to 1, in the mode `"sum"` to the sum of the weights; higher is better; comparable within one answer only. */
  score: number;
  /**
   * How well it matches the person and subject of the query, from 0 to 1; comparable between queries and embedders. From 0.5 on it
   * usually answers the query; below 0.03 it is unrelated.
   */
  relevance: number;
  /**
   * Whether it answers the query: `"yes"` from a relevance of 0.5 on, as a rule, `"partly"` from 0.15 on, where it is about the same person
   * or subject, and `"no"` below. Where no result has `"yes"`, the answer is not known.
   */
  known: "yes" | "partly" | "no";
  terms: ScoreTerms;
}
