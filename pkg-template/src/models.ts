/** The models that an app supplies. */

/** What the engine asks of a language model. */
export interface LlmRequest {
  /** Why it is asked, such as `"extract"`; route by it if you use several models. */
  readonly purpose: string;
  /** The version of the prompt, such as `"extract-2"`. */
  readonly prompt: string;
  /** The messages. */
  readonly messages: ReadonlyArray<{ readonly role: "system" | "user" | "assistant"; readonly content: string }>;
  /** The JSON Schema that the answer must have; absent when it is free text. */
  readonly schema?: { readonly [keyword: string]: unknown };
  /**
   * The functions the model may call; absent when there are none. Pass them on if your model can call functions, without
   * `schema`, and answer `{ toolCalls: [{ name, arguments }] }`, the arguments as an object or as JSON text, or its words. Otherwise the answer must have `schema`.
   */
  readonly tools?: ReadonlyArray<{
    readonly name: string;
    readonly description: string;
    /** A JSON Schema. */
    readonly parameters: { readonly [keyword: string]: unknown };
  }>;
  /** The most tokens the answer may have. */
  readonly maxTokens: number;
  /** Fires when the answer is no longer wanted; pass it on. */
  readonly signal: AbortSignal;
}

/**
 * A language model: answers with text, or with the JSON object itself. With the tokens that it took it answers
 * `{ content, usage: { inputTokens, outputTokens } }`, beside `toolCalls` where it called functions; they are estimated
 * otherwise. What it answers is checked; what it throws is reported, and the work stays queued.
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
  /** Which model this is, with its dimension: vectors of different ids are never compared. 1 to 128 characters. */
  readonly id: string;
  /** One vector per text, in order, all of one length. What it throws is reported, and the texts are found by words meanwhile. */
  embed(texts: string[], options: { readonly signal: AbortSignal }): readonly Vector[] | Promise<readonly Vector[]>;
}

/** Finite numbers. */
export type Vector = readonly number[] | Float32Array | Float64Array;
