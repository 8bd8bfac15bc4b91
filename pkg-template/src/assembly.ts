/** Assembly: whole prompts from everything that is remembered. */
import type { CallOptions, Failure, PromptSection, RecallItem } from "./types.js";

/** How much of a prompt a section may take. */
export interface SectionShare {
  /** The section with the greatest is filled first; any whole number. */
  readonly priority?: number | undefined;
  /** At most so many tokens. */
  readonly maxTokens?: number | undefined;
}

/** What to put together. */
export interface AssembleOptions extends CallOptions {
  /** The most tokens of the whole prompt, 1 to 1 000 000. */
  readonly maxTokens: number;
  /** The conversation whose last messages and summary belong to it. Default: none. */
  readonly threadId?: string | undefined;
  /** What the user says or asks now. It ends the prompt, also when the thread ends with it. Default: nothing is asked. */
  readonly query?: string | undefined;
  /** What the model is to be and do; it begins the prompt. Default: `context.instructions` of `openMemory`. */
  readonly instructions?: string | undefined;
  /**
   * Of each section a share of `maxTokens` from 0, which leaves it out, to 1; or its priority and most tokens. Default:
   * instructions 0.3, blocks 0.25, profile 0.15, facts 0.25, episodes, graph and summaries 0.1, summary 0.15, and messages
   * what is left, at least 0.3. The priorities are 90, 80, 70, 40, 10, 20, 30, 60 and 50, in this order.
   */
  readonly sections?: { readonly [Name in Exclude<PromptSection, "question">]?: number | SectionShare | undefined } | undefined;
}

/** A line or message of a prompt, explained. */
export interface PromptItem extends Omit<RecallItem, "id"> {
  /** Absent for a block that nobody changed yet. */
  id?: string;
}

/** What every prompt has. */
export interface PromptReport {
  /** Never more than `maxTokens`: those of the text, or of all texts in the messages and four more for each. */
  tokens: number;
  /** Those of its beginning, which stays the same byte by byte while nothing in it changes, whatever is asked. */
  prefixTokens: number;
  items: PromptItem[];
  /** What each section takes, in the order of the prompt. */
  sections: Array<{
    name: PromptSection;
    tokens: number;
    /** How many lines were found and found no room; of messages only the last ones are looked at. */
    dropped: number;
  }>;
  /** What could not be used, such as an embedder that failed, or found no room as a whole; absent when there is nothing. */
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
  /** There where the part that stays the same ends. */
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

/** What a prompt looks like, by shape. */
export interface Prompts {
  text: TextPrompt;
  openai: OpenAiPrompt;
  anthropic: AnthropicPrompt;
}
