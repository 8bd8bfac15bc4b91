/** Messages, as they are given and as they are stored. */
import type { Metadata, Time } from "./call.js";
import type { Trust } from "./source.js";

/** Who wrote a message. */
export type Role = "user" | "assistant" | "system" | "tool";

/** A text part of a message. */
export interface TextPart {
  readonly type: "text";
  readonly text: string;
}

/**
 * A part of a message that is not text, as OpenAI, Anthropic or the AI SDK write it: a tool call, a tool result, an image, a file.
 * It is stored as given and never searched. Models are shown its type and name, such as `[image: cat.png]`.
 */
export interface OtherPart {
  readonly type: string;
  readonly [property: string]: unknown;
}

/** One part of a message. */
export type Part = TextPart | OtherPart;

/** A part as the types of chat APIs have it, or an object of your own. */
export type GivenPart = Part | { readonly type: string };

/** A tool call in the form the chat API uses, with an id that the result refers to. */
export interface ToolCall {
  readonly id: string;
  readonly [property: string]: unknown;
}

/** A tool call as the types of chat APIs have it, or an object of your own. */
export type GivenToolCall = ToolCall | { readonly id: string };

/**
 * A message to remember: your own, or as an SDK hands it out. What comes with it and says nothing, such as `usage` or
 * `providerOptions`, is left out; the guide of threads lists it. A property that is not known is refused.
 */
export type GivenMessage = Message | UIMessage | ResponseItem;

/** A message of the AI SDK's user interface. Its parts are the content. */
export interface UIMessage {
  readonly role: Role;
  readonly parts: readonly GivenPart[];
  readonly id?: string | undefined;
  /** An object, if any. */
  readonly metadata?: unknown;
}

/** An item of OpenAI's Responses API without a role: a call, a result or reasoning. It becomes a message. */
export interface ResponseItem {
  readonly type: string;
  readonly role?: unknown;
  readonly id?: string | null | undefined;
  readonly call_id?: string | null | undefined;
  readonly name?: string | undefined;
  readonly arguments?: unknown;
  readonly input?: unknown;
  readonly output?: unknown;
}

/** A message to remember, with the names of your own or of OpenAI's, Anthropic's or the AI SDK's types. */
export interface Message {
  /** `"developer"` is stored as `"system"`, `"function"` as `"tool"`. */
  readonly role: Role | "developer" | "function";
  /** May be null or absent next to tool calls, or if `refusal`, `audio` or `function_call` replaces it. */
  readonly content?: string | readonly GivenPart[] | null | undefined;
  /** What OpenAI's models say instead of a content. It is stored as a part. */
  readonly refusal?: string | null | undefined;
  /** What OpenAI's models say aloud. Its `transcript` is stored as a part, its sound is not. */
  readonly audio?: object | null | undefined;
  /** A call as OpenAI had it before `tool_calls`. It is stored as a part. */
  readonly function_call?: object | null | undefined;
  /** The tool calls, as chat APIs write them; parts of type `"tool_call"`, `"tool-call"` or `"tool_use"` are calls as well. */
  readonly toolCalls?: readonly GivenToolCall[] | undefined;
  /** The same under OpenAI's name. */
  readonly tool_calls?: readonly GivenToolCall[] | null | undefined;
  /** For a tool's message: the call it answers. Parts of type `"tool_result"` or `"tool-result"` are results as well. */
  readonly toolCallId?: string | undefined;
  /** The same under OpenAI's name. */
  readonly tool_call_id?: string | undefined;
  /** Your own id. If the thread has a message with this id, it is replaced, or left alone when it is equal. Default: the engine makes one. */
  readonly id?: string | undefined;
  /** The name of the speaker or tool. */
  readonly name?: string | undefined;
  /** When it was written. Default: now. */
  readonly createdAt?: Time | undefined;
  /**
   * How far what it says is trusted, such as `"web"` for a page that is quoted. What is learned from a tool, a document or the web
   * changes nothing that is trusted more, and waits as a proposal when the text instructs. Default: as its role; `"user"` for
   * `"system"`.
   */
  readonly trust?: Trust | undefined;
  readonly metadata?: Metadata | undefined;
}

/** A stored message. */
export interface StoredMessage {
  /** Its id in the memory, for `history` and `explain`. */
  id: string;
  /** Your own id; absent when you gave none. */
  messageId?: string;
  threadId: string;
  role: Role;
  /** Empty when null was given. */
  content: string | Part[];
  /** The tool calls; absent when there are none. */
  toolCalls?: ToolCall[];
  /** The call it answers; absent when it is not a result, or when a part names the call. */
  toolCallId?: string;
  name?: string;
  createdAt: number;
  /** Absent when it is as the role says. */
  trust?: Trust;
  metadata: Record<string, unknown>;
  /**
   * The sentences shown only to readers of the thread, because what was learned from them was deleted or corrected. Only in
   * `threads.messages`; elsewhere the content lacks them. Absent when there are none.
   */
  withheld?: string[];
}
