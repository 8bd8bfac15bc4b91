/** A language model as the chat needs it. */
import type { Llm, OpenAiMessage, OpenAiTool } from "mnemic";
import type { AskedCall } from "../replies/tool-calls";
import type { ModelChoice } from "../settings";
import { builtIn } from "./built-in";
import { endpointModel } from "./endpoint";

export type Turn = OpenAiMessage;

export interface ReplyOptions {
  readonly signal: AbortSignal;
  /** What it may call; a model that takes no tools leaves them aside. */
  readonly tools?: readonly OpenAiTool[];
  /** Whether it is to answer in words now, whatever it would like to call. */
  readonly mustAnswer?: boolean;
  /** Called with the whole text so far, each time more of it has come. */
  onText(text: string): void;
}

/** What a model says, and what it wants to be called before it goes on. */
export interface Answer {
  readonly text: string;
  readonly calls: readonly AskedCall[];
}

export interface Model {
  /** How the page names it, such as `gpt-4o-mini at api.openai.com`. */
  readonly label: string;
  /** Whether what it is told stays on this device. */
  readonly isOnDevice: boolean;
  /** Whether it may be offered tools; no longer after it refused them. */
  readonly takesTools: boolean;
  /** What the memory reads messages with. */
  readonly llm: Llm;
  /** The answer to the last turn. Rejects with a `ModelError` that can be shown as it is. */
  reply(turns: readonly Turn[], options: ReplyOptions): Promise<Answer>;
}

/** The model that was chosen, or none. */
export function connectModel(choice: ModelChoice): Model | undefined {
  switch (choice.kind) {
    case "endpoint": return endpointModel(choice);
    case "built-in": return builtIn;
    case "none": return undefined;
  }
}
