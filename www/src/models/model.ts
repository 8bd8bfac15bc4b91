/** A language model as the chat needs it. */
import type { Llm } from "mnemic";
import type { ModelChoice } from "../settings";
import { builtIn } from "./built-in";
import { endpointModel } from "./endpoint";

export interface Turn {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

export interface ReplyOptions {
  readonly signal: AbortSignal;
  /** Called with the whole text so far, each time more of it has come. */
  onText(text: string): void;
}

export interface Model {
  /** How the page names it, such as `gpt-4o-mini at api.openai.com`. */
  readonly label: string;
  /** Whether what it is told stays on this device. */
  readonly isOnDevice: boolean;
  /** What the memory reads messages with. */
  readonly llm: Llm;
  /** The reply to the last turn. Rejects with a `ModelError` that can be shown as it is. */
  reply(turns: readonly Turn[], options: ReplyOptions): Promise<string>;
}

/** A failure told in words for the person at the page. */
export class ModelError extends Error {
  override readonly name = "ModelError";
}

/** The model that was chosen, or none. */
export function connectModel(choice: ModelChoice): Model | undefined {
  switch (choice.kind) {
    case "endpoint": return endpointModel(choice);
    case "built-in": return builtIn;
    case "none": return undefined;
  }
}
