/** The models that an app provides. */

/** A request to a language model. */
export interface LlmRequest {
  /** The purpose of the request, such as `"extract"`; use it to choose between several models. */
  readonly purpose: string;
  /** The version of the prompt, such as `"extract-7"`. */
  readonly prompt: string;
  /** The messages. */
  readonly messages: ReadonlyArray<{ readonly role: "system" | "user" | "assistant"; readonly content: string }>;
  /** The JSON Schema of the answer; absent when the answer is free text. */
  readonly schema?: { readonly [keyword: string]: unknown };
  /**
   * The functions the model may call; absent when there are none. If your model can call functions, pass these on instead of `schema`, and
   * return `{ toolCalls: [{ name, arguments }] }`, with the arguments as an object or as JSON text, or the model's text. Otherwise the
   * answer must match `schema`.
   */
  readonly tools?: ReadonlyArray<{
    readonly name: string;
    readonly description: string;
    /** A JSON Schema. */
    readonly parameters: { readonly [keyword: string]: unknown };
  }>;
  /** The maximum number of tokens of the answer. */
  readonly maxTokens: number;
  /** Fires when the answer is no longer wanted; pass it on. */
  readonly signal: AbortSignal;
}

/**
 * A language model. It returns text, or the JSON object itself. To report tokens, it returns
 * `{ content, usage: { inputTokens, outputTokens } }`, with `toolCalls` if it called functions; otherwise tokens are estimated. Its
 * answer is checked. If it throws, the error is reported and the work stays queued.
 *
 * @example
 * ```ts
 * import { openMemory, type Llm } from "mnemic";
 *
 * const llm: Llm = async ({ messages, signal }) => {
 *   const response = await fetch("/api/complete", { method: "POST", body: JSON.stringify({ messages }), signal });
 *   return response.text();
 * };
 * const memory = await openMemory({ name: "chat", storage: "memory", llm });
 * await memory.close();
 * ```
 */
export type Llm = (request: LlmRequest) => string | object | Promise<string | object>;

/** An embedding model. */
export interface Embedder {
  /** Identifies the model and its dimensions; vectors of different ids are never compared. 1 to 128 characters. */
  readonly id: string;
  /**
   * Returns one vector per text, in order, all of one length. If it throws, the error is reported and the texts are found by words.
   *
   * @param options `signal` fires when the vectors are no longer wanted; `purpose` says what they are for, which some models need
   * to know.
   */
  embed(texts: string[], options: { readonly signal: AbortSignal; readonly purpose: TextPurpose }): readonly Vector[] | Promise<readonly Vector[]>;
}

/** What a text is embedded for: to search for what is like it, or to be found. */
export type TextPurpose = "query" | "document";

/** Finite numbers. */
export type Vector = readonly number[] | Float32Array | Float64Array;
