/** What is relevant to a query. */
import type { Kind } from "./action.js";
import type { Failure } from "./background.js";
import type { Scored } from "./score.js";
import type { Source } from "./source.js";

/** The sections of a prompt, in the order in which they appear. */
export type PromptSection =
  | "instructions"
  | "blocks"
  | "profile"
  | "facts"
  | "episodes"
  | "graph"
  | "summaries"
  | "summary"
  | "messages"
  | "question";

/** One line of a recall. */
export interface RecallItem extends Scored {
  section: PromptSection;
  kind: Kind;
  id: string;
  /** The line, as it stands in the text of the recall. */
  text: string;
  /** By your `countTokens`, or estimated. */
  tokens: number;
  /** How much a fact matters, 1 to 10; absent for fields and messages. */
  significance?: number;
  createdAt: number;
  source: Source[];
}

/** What is relevant to a query. */
export interface Recalled {
  /** Ready for a prompt; empty when nothing is relevant. */
  text: string;
  /** The tokens of `text`; never more than `maxTokens`. */
  tokens: number;
  items: RecallItem[];
  /** What could not be used, such as an embedder that failed; absent when nothing failed. */
  warnings?: Failure[];
}
