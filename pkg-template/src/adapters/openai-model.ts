/** Language models behind OpenAI's chat completions interface, which most servers speak. */
import { ModelError } from "../errors.js";
import type { Llm, LlmRequest } from "../models.js";
import { post, Refusal, type OpenAIServer } from "../server.js";
import { reply, type Tokens } from "./reply.js";

/** Which model to ask, and where. */
export interface OpenAIModel extends OpenAIServer {}

/** How an answer's form is asked for, strictest first; servers differ in what they know. */
const FORMS = ["json_schema", "json_object", "text"] as const;

/** The names of the token limit; models that reason know only the second one. */
const LIMITS = ["max_tokens", "max_completion_tokens"] as const;

/** What a server is known to understand: places in `FORMS` and `LIMITS`, and whether its model calls functions. */
interface Dialect {
  readonly form: 0 | 1 | 2;
  readonly limit: 0 | 1;
  readonly tools: boolean;
}

interface Completion {
  readonly choices?: ReadonlyArray<{
    readonly finish_reason?: string;
    readonly message?: {
      readonly content?: string | null;
      readonly refusal?: string | null;
      readonly tool_calls?: ReadonlyArray<ToolCall> | null;
    };
  }>;
  readonly usage?: Tokens | null;
}

interface ToolCall {
  readonly id?: string;
  readonly function?: { readonly name?: string; readonly arguments?: unknown };
}

/**
 * A language model behind OpenAI's chat completions interface.
 *
 * If the answer must match a schema, it is requested as `json_schema`. A server that responds with 400 or 422 is asked for `json_object`,
 * then for plain text. Functions that the model may call are sent as `tools`; a server or model that does not support them is asked for
 * JSON instead. What worked is remembered for later requests.
 *
 * @returns A function for the option `llm`. It returns the text or the calls, with the tokens that the server counted. It throws
 * `ModelError` with the status and the beginning of the server's response.
 *
 * @example
 * ```ts
 * import { openMemory } from "mnemic";
 * import { openAICompatible } from "mnemic/adapters";
 *
 * const llm = openAICompatible({ baseUrl: "http://localhost:11434/v1", model: "qwen3:4b" });
 * const memory = await openMemory({ name: "chat", storage: "memory", llm });
 * await memory.close();
 * ```
 */
export function openAICompatible(model: OpenAIModel): Llm {
  let known: Dialect = { form: 0, limit: 0, tools: true };
  return async (request) => {
    for (let dialect = known; ; ) {
      const answer = await post(model, "/chat/completions", requestBody(model.model, request, dialect), request.signal);
      if (!(answer instanceof Refusal)) {
        known = dialect;
        return said(answer as Completion);
      }
      const next = simpler(dialect, answer, request);
      if (next === null) throw new ModelError(`${model.model}: ${answer.message}`, { details: { status: answer.status } });
      dialect = next;
    }
  };
}

/** The dialect to try after a refusal; null when there is none. */
function simpler(dialect: Dialect, { status, message }: Refusal, { schema, tools }: LlmRequest): Dialect | null {
  const { form, limit } = dialect;
  const isMisunderstood = status === 400 || status === 422;
  if (isMisunderstood && limit === 0 && message.includes(LIMITS[1])) return { ...dialect, limit: 1 };
  // Some servers answer 404, 500 or 501 where there are no tools.
  if (dialect.tools && tools !== undefined && (isMisunderstood || ([404, 500, 501].includes(status) && /\btools?\b/i.test(message)))) {
    return { ...dialect, tools: false };
  }
  return isMisunderstood && schema !== undefined && form < 2 ? { ...dialect, form: form === 0 ? 1 : 2 } : null;
}

function requestBody(model: string, { messages, schema, tools, maxTokens }: LlmRequest, dialect: Dialect): object {
  return {
    model,
    messages,
    [LIMITS[dialect.limit]]: maxTokens,
    ...(tools !== undefined && dialect.tools
      ? { tools: tools.map((tool) => ({ type: "function", function: tool })) }
      : schema !== undefined && responseFormat(FORMS[dialect.form], schema)),
  };
}

function responseFormat(form: (typeof FORMS)[number], schema: object): object {
  switch (form) {
    case "json_schema":
      return { response_format: { type: form, json_schema: { name: "answer", schema } } };
    case "json_object":
      return { response_format: { type: form } };
    case "text":
      return {};
  }
}

/** @throws ModelError when there are neither words nor calls. */
function said({ choices, usage }: Completion): string | object {
  const { message, finish_reason } = choices?.[0] ?? {};
  const content = message?.content;
  const calls = message?.tool_calls ?? [];
  const isText = typeof content === "string" && content !== "";
  if (!isText && calls.length === 0) {
    throw new ModelError(`the model's answer has no text: ${message?.refusal ?? finish_reason ?? "it has no choices"}`);
  }
  const toolCalls = calls.map(({ id, function: called }) => ({ id, name: called?.name, arguments: called?.arguments }));
  return reply(isText ? content : undefined, toolCalls, usage);
}
