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
  let form = 0;
  let limit = 0;
  return async (request) => {
    for (;;) {
      const tried = { form, limit };
      const answer = await post(model, "/chat/completions", requestBody(model, request, form, limit), request.signal);
      if (!(answer instanceof Refusal)) return content(answer as Completion);
      const { status, message } = answer;
      if (status === 400 || status === 422) {
        if (message.includes("max_completion_tokens") && tried.limit === 0) {
          limit = 1;
          continue;
        }
        if (request.schema !== undefined && tried.form < FORMS.length - 1) {
          form = Math.max(form, tried.form + 1);
          continue;
        }
      }
      throw new ModelError(`${model.model}: ${message}`, { details: { status } });
    }
  };
}

function requestBody(model: OpenAIModel, request: LlmRequest, form: number, limit: number): object {
  const { messages, schema, maxTokens } = request;
  return {
    model: model.model,
    messages,
    [LIMITS[limit] ?? LIMITS[0]]: maxTokens,
    ...(schema !== undefined && responseFormat(FORMS[form] ?? "text", schema)),
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
