/** Whole prompts from everything that is remembered. */
import type { AwaitOptions, CallOptions, Failure, GivenMessage, PromptSection, RecallItem, Rewritten, SectionShares } from "./types.js";

/** Options of `context.assemble`. */
export interface AssembleOptions extends CallOptions, AwaitOptions {
  /** The most tokens of the whole prompt, 1 to 1 000 000. */
  readonly maxTokens: number;
  /** The conversation whose last messages and summary are included. Default: none. */
  readonly threadId?: string | undefined;
  /** In place of `threadId`: the messages of a conversation that is not stored, at most 500. Default: none. */
  readonly messages?: readonly GivenMessage[] | undefined;
  /** What the user says or asks now; it ends the prompt, once, also when the thread ends with it. Default: the user's last message. */
  readonly query?: string | undefined;
  /** What the model should be and do; this begins the prompt. Default: `context.instructions` of `openMemory`. */
  readonly instructions?: string | undefined;
  /**
   * For each section a share of `maxTokens`, from 0 (left out) to 1, or its priority and most tokens. The default shares are
   * instructions 0.3, blocks 0.25, profile 0.15, facts 0.25, significant, episodes, graph and summaries 0.1, summary 0.15, and for
   * messages what is left, at least 0.3. The default priorities are 90, 80, 70, 40, 35, 10, 20, 30, 60 and 50, in this order.
   * Tokens left over go to further matching facts, unless they have a share here.
   */
  readonly sections?: SectionShares<Exclude<PromptSection, "question">> | undefined;
  /**
   * Asks your `llm` what else to search for, as `recall` does; the request has the last six messages of the conversation. If there is no
   * `query` and the user said nothing, the model is not asked. Default: false.
   */
  readonly rewrite?: boolean | undefined;
  /** Walks the knowledge graph over up to this many relations, as `recall` does. Default: 0, which does not. */
  readonly hops?: 0 | 1 | 2 | 3 | undefined;
}

/** A line or message of a prompt, explained. */
export interface PromptItem extends Omit<RecallItem, "id"> {
  /** Absent for a block that was never changed. */
  id?: string;
}

/** The properties of every prompt. */
export interface PromptReport {
  /** The tokens of the text, or of all texts in the messages plus four for each; never more than `maxTokens`. */
  tokens: number;
  /**
   * The tokens of its beginning, which does not depend on the query and stays the same byte for byte until something in it changes.
   */
  prefixTokens: number;
  items: PromptItem[];
  /** What each section takes, in the order of the prompt. */
  sections: Array<{
    name: PromptSection;
    tokens: number;
    /** How many matching lines did not fit; for messages, only the last ones are considered. */
    dropped: number;
  }>;
  /**
   * Whether the memory knows what is asked, as in `recall`; the messages of the conversation itself do not count. Absent where nothing is
   * asked.
   */
  known?: "yes" | "partly" | "no";
  /** Why, in a sentence for developers; absent with `known`. */
  reason?: string;
  /** Present with the option `rewrite`, where there is a question. */
  rewritten?: Rewritten;
  /** What could not be used, such as a failed embedder, or did not fit as a whole; absent when there is nothing. */
  warnings?: Failure[];
}

/** A prompt as one text. */
export interface TextPrompt extends PromptReport {
  text: string;
}

/** A message of chat completions. */
export type OpenAiMessage =
  | { role: "system" | "user"; content: string }
  | {
      role: "assistant";
      content: string;
      tool_calls?: Array<{ id: string; type: "function"; function: { name: string; arguments: string } }>;
    }
  | { role: "tool"; tool_call_id: string; content: string };

/** A prompt for chat completions. */
export interface OpenAiPrompt extends PromptReport {
  messages: OpenAiMessage[];
}

/** A block of text of the Messages API. */
export interface AnthropicText {
  type: "text";
  text: string;
  /** Set where the stable beginning ends. */
  cache_control?: { type: "ephemeral" };
}

/** A block of a message of the Messages API. */
export type AnthropicBlock =
  | AnthropicText
  | { type: "tool_use"; id: string; name: string; input: Record<string, unknown> }
  | { type: "tool_result"; tool_use_id: string; content: string };

/** A prompt for the Messages API. */
export interface AnthropicPrompt extends PromptReport {
  system: AnthropicText[];
  /** The roles alternate, and the user's comes first. */
  messages: Array<{ role: "user" | "assistant"; content: AnthropicBlock[] }>;
}

/** The prompts by shape. */
export interface Prompts {
  text: TextPrompt;
  openai: OpenAiPrompt;
  anthropic: AnthropicPrompt;
}
