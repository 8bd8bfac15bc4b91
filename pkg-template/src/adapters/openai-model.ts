/** Language models behind OpenAI's chat completions interface, which most servers speak. */
import { ModelError } from "../errors.js";
import type { Llm, LlmRequest } from "../models.js";
import { post, Refusal, type OpenAIServer } from "./openai-server.js";

/** Which model to ask, and where. */
export interface OpenAIModel extends OpenAIServer {}

/** How an answer's form is asked for, strictest first; servers differ in what they know. */
const FORMS = ["json_schema", "json_object", "text"] as const;

/** The names of the token limit; models that reason know only the second one. */
const LIMITS = ["max_tokens", "max_completion_tokens"] as const;

/** What a server is known to understand: places in `FORMS` and `LIMITS`. */
interface Dialect {
  readonly form: 0 | 1 | 2;
  readonly limit: 0 | 1;
}

interface Completion {
  readonly choices?: ReadonlyArray<{
    readonly finish_reason?: string;
    readonly message?: { readonly content?: string | null; readonly refusal?: string | null };
  }>;
}

/**
 * A language model behind OpenAI's chat completions interface.
 *
 * When an answer must have a schema, it is asked for as `json_schema`; a server that answers 400 or 422 is asked for
 * `json_object`, then for plain text, and the form that worked is kept for later requests.
 *
 * @returns A function for the option `llm`; it throws `ModelError` with the status and the beginning of the server's answer.
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
  let known: Dialect = { form: 0, limit: 0 };
  return async (request) => {
    for (let dialect = known; ; ) {
      const answer = await post(model, "/chat/completions", requestBody(model.model, request, dialect), request.signal);
      if (!(answer instanceof Refusal)) {
        known = dialect;
        return content(answer as Completion);
      }
      const next = simpler(dialect, answer, request.schema !== undefined);
      if (next === null) throw new ModelError(`${model.model}: ${answer.message}`, { details: { status: answer.status } });
      dialect = next;
    }
  };
}

/** The dialect to try after a refusal; null when there is none. */
function simpler({ form, limit }: Dialect, { status, message }: Refusal, hasSchema: boolean): Dialect | null {
  if (status !== 400 && status !== 422) return null;
  if (limit === 0 && message.includes(LIMITS[1])) return { form, limit: 1 };
  return hasSchema && form < 2 ? { form: form === 0 ? 1 : 2, limit } : null;
}

function requestBody(model: string, { messages, schema, maxTokens }: LlmRequest, { form, limit }: Dialect): object {
  return {
    model,
    messages,
    [LIMITS[limit]]: maxTokens,
    ...(schema !== undefined && responseFormat(FORMS[form], schema)),
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

function content(completion: Completion): string {
  const choice = completion.choices?.[0];
  const text = choice?.message?.content;
  if (typeof text === "string" && text !== "") return text;
  const reason = choice?.message?.refusal ?? choice?.finish_reason ?? "it has no choices";
  throw new ModelError(`the model's answer holds no text: ${reason}`);
}
