/** What is relevant to a query. */
import type { Kind } from "./action.js";
import type { Failure } from "./background.js";
import type { AwaitOptions, CallOptions, Filter } from "./call.js";
import type { Contested } from "./fact.js";
import type { GivenMessage } from "./message.js";
import type { Scored, Scoring } from "./score.js";
import type { Source } from "./source.js";
import type { ModelUsage } from "./usage.js";

/** The sections of a prompt, in the order in which they appear. */
export type PromptSection =
  | "instructions"
  | "blocks"
  | "profile"
  | "facts"
  | "significant"
  | "episodes"
  | "graph"
  | "summaries"
  | "summary"
  | "messages"
  | "question";

/** How much of a prompt a section may take. */
export interface SectionShare {
  /** The section with the highest is filled first; any whole number. */
  readonly priority?: number | undefined;
  /** At most this many tokens. */
  readonly maxTokens?: number | undefined;
}

/** For each section a share of `maxTokens`, from 0 (left out) to 1, or its priority and most tokens. */
export type SectionShares<Name extends PromptSection> = { readonly [Each in Name]?: number | SectionShare | undefined };

/** Options of `recall`. */
export interface RecallOptions extends CallOptions, AwaitOptions {
  /** The most tokens of the text, 1 to 1 000 000. Default: 1000. */
  readonly maxTokens?: number | undefined;
  /** At most this many facts and messages, 1 to 1000. Default: as many as fit into `maxTokens`. */
  readonly limit?: number | undefined;
  /**
   * The conversation that goes on. Its messages are all left out, because the model is sent all of them. If it is sent the last ones, leave
   * those out by `filter: { id: { $nin: ids } }` instead, and the others are found. Default: none.
   */
  readonly currentThreadId?: string | undefined;
  /** In place of `currentThreadId`, for `rewrite`: what was said last, at most 500 messages. None is left out or stored. Default: none. */
  readonly messages?: readonly GivenMessage[] | undefined;
  readonly filter?: Filter | undefined;
  /**
   * Leaves out summaries, and facts, episodes and messages of less relevance, 0 to 1. Default: a fact is included if its relevance
   * is at least 0.15 and at least 0.6 of the best fact's (0.4 if the question asks what has changed, 0.75 if the best fact has none of
   * its words); an episode or message, if at least 0.15 and at least 0.4 of the best of its kind.
   */
  readonly threshold?: number | undefined;
  /** How facts, episodes and messages are scored. Default: by words and meaning. */
  readonly scoring?: Scoring | undefined;
  /**
   * For each section a share of `maxTokens`, from 0 (left out) to 1, or its priority and most tokens. The default shares are facts
   * 0.4, graph 0.15, messages 0.4, episodes 0.1, summaries 0.2, significant 0; instructions and profile may take all that is left.
   * The default priorities are 70, 60, 50, 40, 30, 10, 90 and 80, in this order. Tokens left over go to further matching facts and
   * messages, unless they have a share here.
   */
  readonly sections?: SectionShares<Exclude<PromptSection, "blocks" | "summary" | "question">> | undefined;
  /**
   * Asks your `llm` (purpose `"rewrite"`) what else to search for: a query that is understood on its own if this one is not ("And
   * she?"), one for each of several questions, or one in other words. The request has the query and the last six messages of
   * `currentThreadId` or `messages`, and ends after 10 seconds. The results of these queries are added to those of the query itself. Default: false,
   * which asks no model.
   */
  readonly rewrite?: boolean | undefined;
  /**
   * Walks the knowledge graph over up to this many relations, 1 to 3, from the entities that the query names, from the user if it
   * says "my", and from entities mentioned in facts about the same person. Includes the relations and observations of the entities
   * it reaches, each after the relations that lead to it, and facts and messages that mention them; each relation on the path
   * lowers the relevance. Default: 0, which does not walk it.
   */
  readonly hops?: 0 | 1 | 2 | 3 | undefined;
}

/** What a model made of a query. */
export interface Rewritten {
  /** What was searched for in addition to the query, up to four; empty when the model had nothing to add, or failed. */
  queries: string[];
  /** What it cost; `memory.usage()` counts it too. */
  usage: ModelUsage;
  /** Why the model's answer could not be used; then only the query itself was searched for. Absent when it could. */
  failed?: Failure;
}

/** One line of a recall. */
export interface RecallItem extends Omit<Scored, "known"> {
  section: PromptSection;
  kind: Kind;
  id: string;
  /** The line, as in the text of the recall. */
  text: string;
  /** By your `countTokens`, or estimated. */
  tokens: number;
  /** How much a fact matters, 1 to 10; absent for fields and messages. */
  significance?: number;
  createdAt: number;
  /** Until when a fact was true, if it no longer is, or will be; absent otherwise. */
  validTo?: number;
  /** The id of the fact that took the place of one that is over; absent when none did, or when that was deleted or forgotten. */
  supersededBy?: string;
  /** Of a fact, other current facts that contradict it, the newest five first; absent when none does. */
  contested?: Contested[];
  source: Source[];
}

/** What is relevant to a query. */
export interface Recalled {
  /** Ready for a prompt; empty when nothing is relevant. */
  text: string;
  /** The tokens of `text`; never more than `maxTokens`. */
  tokens: number;
  /**
   * The tokens of its beginning, which does not depend on the query and stays the same byte for byte until something in it changes.
   */
  prefixTokens: number;
  items: RecallItem[];
  /**
   * Whether the memory knows what is asked: `"yes"` if a result usually answers the query, `"partly"` if one is about the same
   * person or subject, or if a limit, share or threshold leaves the answer out, `"no"` if none matches. What a message only asks is
   * no answer.
   */
  known: "yes" | "partly" | "no";
  /** Why, in a sentence. */
  reason: string;
  /**
   * How many items of the user, just stored or written while the embedder failed, wait for a vector and are found by their words
   * alone until then; absent when none does. `memory.idle()` waits for them.
   */
  unembedded?: number;
  /** Present with the option `rewrite`. */
  rewritten?: Rewritten;
  /** What could not be used, such as an embedder that failed; absent when nothing failed. */
  warnings?: Failure[];
}
