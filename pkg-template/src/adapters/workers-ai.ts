/** Models of Cloudflare's Workers AI. */
import { EmbedderError, ModelError } from "../errors.js";
import type { Embedder, Llm } from "../models.js";
import { reply, type Tokens } from "./reply.js";

/** What is used of a binding to Workers AI: `env.AI`. */
export interface WorkersAIBinding {
  run(model: never, inputs: never, options: never): unknown;
}

/** Which model to ask. */
export interface WorkersAIModel {
  /** Such as `@cf/meta/llama-3.3-70b-instruct-fp8-fast`. */
  readonly model: string;
  /** The id of an AI Gateway that requests go through. Default: none. */
  readonly gateway?: string | undefined;
}

/** How many texts one request of an embedding model takes. */
const MAX_TEXTS = 100;

interface Reply {
  readonly response?: unknown;
  readonly tool_calls?: ReadonlyArray<{ readonly name?: string; readonly arguments?: unknown; readonly function?: Called }> | null;
  readonly usage?: Tokens;
  /** Newer models answer as OpenAI's do. */
  readonly choices?: ReadonlyArray<{ readonly message?: { readonly content?: unknown; readonly tool_calls?: Reply["tool_calls"] } }>;
}

interface Called {
  readonly name?: string;
  readonly arguments?: unknown;
}

/**
 * A language model of Workers AI. An answer that must match a schema is asked for in JSON mode; a model that has none, or cannot keep to
 * the schema, is asked for text instead, and what it says is checked as every answer.
 *
 * @param ai The binding, `env.AI`.
 * @returns A function for the option `llm`. It throws `ModelError` when the model fails.
 *
 * @example
 * ```ts
 * import { openMemory } from "mnemic";
 * import { workersAI, type WorkersAIBinding } from "mnemic/adapters";
 *
 * const env = { AI: { run: async () => ({ response: "hello" }) } satisfies WorkersAIBinding }; // a Worker is given it
 * const llm = workersAI(env.AI, { model: "@cf/meta/llama-3.3-70b-instruct-fp8-fast" });
 * const memory = await openMemory({ name: "chat", storage: "memory", llm });
 * await memory.close();
 * ```
 */
export function workersAI(ai: WorkersAIBinding, { model, gateway }: WorkersAIModel): Llm {
  let hasSchemas = true;
  return async ({ messages, schema, tools, maxTokens, signal }) => {
    const plain = { messages, max_tokens: maxTokens };
    const isSchema = schema !== undefined && tools === undefined && hasSchemas;
    const formed = isSchema ? { ...plain, response_format: { type: "json_schema", json_schema: schema } } : plain;
    const functions = tools?.map((tool) => ({ type: "function", function: tool }));
    try {
      return said(await run(ai, model, { ...formed, ...(functions && { tools: functions }) }, gateway, signal), model);
    } catch (cause) {
      if (!isSchema || signal.aborted || !isRefusal(cause)) throw failed(model, cause);
      // A model that could not keep to one schema may keep to the next.
      hasSchemas = /couldn't be met/i.test(String(cause));
    }
    return said(
      await run(ai, model, plain, gateway, signal).catch((cause: unknown) => {
        throw failed(model, cause);
      }),
      model,
    );
  };
}

/**
 * An embedding model of Workers AI. Its id is the model's name.
 *
 * @param ai The binding, `env.AI`.
 * @returns An object for the option `embed`. It throws `EmbedderError` when the model fails.
 *
 * @example
 * ```ts
 * import { openMemory } from "mnemic";
 * import { workersAIEmbeddings } from "mnemic/adapters";
 *
 * const env = { AI: { run: async () => ({ data: [[1, 0]] }) } }; // a Worker is given it
 * const embed = workersAIEmbeddings(env.AI, { model: "@cf/baai/bge-m3" });
 * const memory = await openMemory({ name: "chat", storage: "memory", embed });
 * await memory.close();
 * ```
 */
export function workersAIEmbeddings(ai: WorkersAIBinding, { model, gateway }: WorkersAIModel): Embedder {
  return {
    id: model,
    async embed(texts, { signal }) {
      const vectors: number[][] = [];
      for (let start = 0; start < texts.length; start += MAX_TEXTS) {
        const text = texts.slice(start, start + MAX_TEXTS);
        const answer = await run(ai, model, { text }, gateway, signal).catch((cause: unknown) => {
          throw new EmbedderError(`${model}: ${messageOf(cause)}`, { cause });
        });
        const { data } = (answer ?? {}) as { data?: number[][] };
        if (!Array.isArray(data) || data.length !== text.length) {
          throw new EmbedderError(`${model}: the answer has ${data?.length ?? "no"} vectors for ${text.length} texts`);
        }
        vectors.push(...data);
      }
      return vectors;
    },
  };
}

async function run(ai: WorkersAIBinding, model: string, inputs: object, gateway: string | undefined, signal: AbortSignal): Promise<unknown> {
  const options = { signal, ...(gateway !== undefined && { gateway: { id: gateway } }) };
  return ai.run(model as never, inputs as never, options as never);
}

/** Whether the model does not know JSON mode, or did not manage it: 5xxx codes are of the request. */
const isRefusal = (cause: unknown): boolean => /json mode|json_schema|response_format|couldn't be met|\b50\d\d\b/i.test(messageOf(cause));

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

function failed(model: string, cause: unknown): ModelError {
  return cause instanceof ModelError ? cause : new ModelError(`${model}: ${messageOf(cause)}`, { cause });
}

/** @throws ModelError when there are neither words nor an object nor calls. */
function said(answer: unknown, model: string): string | object {
  const { response, tool_calls, usage, choices } = (answer ?? {}) as Reply;
  const message = choices?.[0]?.message;
  const content = response ?? message?.content;
  const calls = tool_calls ?? message?.tool_calls ?? [];
  const isSaid = (typeof content === "string" && content !== "") || (typeof content === "object" && content !== null);
  if (!isSaid && calls.length === 0) throw new ModelError(`${model}: the answer has no text`);
  const text = typeof content === "string" ? content : JSON.stringify(content);
  const toolCalls = calls.map(({ function: called, ...own }) => ({ name: (called ?? own).name, arguments: (called ?? own).arguments }));
  return reply(isSaid ? text : undefined, toolCalls, usage);
}
