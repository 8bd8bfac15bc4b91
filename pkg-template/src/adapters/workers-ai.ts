/** Language models of Cloudflare's Workers AI. */
import { ModelError } from "../errors.js";
import type { Llm } from "../models.js";
import { messageOf, run, type WorkersAIBinding, type WorkersAIModel } from "../workers-ai.js";
import { reply, type Tokens } from "./reply.js";

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
export function workersAI(ai: WorkersAIBinding, asked: WorkersAIModel): Llm {
  const { model } = asked;
  let hasSchemas = true;
  return async ({ messages, schema, tools, maxTokens, signal }) => {
    const plain = { messages, max_tokens: maxTokens };
    const isSchema = schema !== undefined && tools === undefined && hasSchemas;
    const formed = isSchema ? { ...plain, response_format: { type: "json_schema", json_schema: schema } } : plain;
    const functions = tools?.map((tool) => ({ type: "function", function: tool }));
    try {
      return said(await run(ai, asked, { ...formed, ...(functions && { tools: functions }) }, signal), model);
    } catch (cause) {
      if (!isSchema || signal.aborted || !isRefusal(cause)) throw failed(model, cause);
      // A model that could not keep to one schema may keep to the next.
      hasSchemas = /couldn't be met/i.test(String(cause));
    }
    return said(
      await run(ai, asked, plain, signal).catch((cause: unknown) => {
        throw failed(model, cause);
      }),
      model,
    );
  };
}

/** Whether the model does not know JSON mode, or did not manage it: 5xxx codes are of the request. */
const isRefusal = (cause: unknown): boolean => /json mode|json_schema|response_format|couldn't be met|\b50\d\d\b/i.test(messageOf(cause));

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
