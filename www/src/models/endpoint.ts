/** Any endpoint that speaks the OpenAI chat completions format. */
import { openAICompatible } from "mnemic/adapters";
import type { Endpoint } from "../settings";
import { Completion } from "./completion";
import { eventData } from "./event-stream";
import type { Answer, Model, ReplyOptions, Turn } from "./model";
import { ModelError } from "./model-error";

const SHOWN_BODY = 200;
/** How servers answer that do not know, or do not want, a part of the request. */
const NOT_UNDERSTOOD = new Set([400, 404, 422, 501]);

/** The endpoint answered that it will not. */
class Refusal extends ModelError {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export function endpointModel(endpoint: Endpoint): Model {
  const { host } = new URL(endpoint.url);
  let takesTools = true;
  return {
    label: `${endpoint.model} at ${host}`,
    isOnDevice: false,
    get takesTools() { return takesTools; },
    llm: openAICompatible({ baseUrl: endpoint.url, apiKey: endpoint.key || undefined, model: endpoint.model }),
    async reply(turns, options) {
      const tools = takesTools ? toolsFor(options) : {};
      try {
        return await reply(endpoint, { messages: turns, ...tools }, options);
      } catch (error) {
        // Not every model can call tools: without them it may well answer.
        if (!("tools" in tools) || turns.at(-1)?.role === "tool" || !(error instanceof Refusal) || !NOT_UNDERSTOOD.has(error.status)) throw error;
        const answer = await reply(endpoint, { messages: turns }, options);
        takesTools = false;
        return answer;
      }
    },
  };
}

function toolsFor({ tools = [], mustAnswer = false }: ReplyOptions): object {
  return tools.length === 0 ? {} : { tools, ...(mustAnswer && { tool_choice: "none" }) };
}

async function reply(endpoint: Endpoint, request: { readonly messages: readonly Turn[] }, { signal, onText }: ReplyOptions): Promise<Answer> {
  const response = await post(endpoint, { model: endpoint.model, ...request, stream: true }, signal);
  let answer: Answer;
  try {
    answer = await readReply(response, onText);
  } catch (error) {
    if (signal.aborted || error instanceof ModelError) throw error;
    throw new ModelError("The connection broke off in the middle of the reply.");
  }
  if (answer.text.trim() === "" && answer.calls.length === 0) throw new ModelError("The endpoint answered, but its reply was empty.");
  return answer;
}

/** The reply in a response, streamed or whole. */
async function readReply(response: Response, onText: ReplyOptions["onText"]): Promise<Answer> {
  const completion = new Completion();
  if (response.headers.get("content-type")?.includes("text/event-stream") && response.body) {
    for await (const data of eventData(response.body)) {
      if (data === "[DONE]") break;
      completion.add(data, "delta");
      onText(completion.text);
    }
  } else {
    completion.add(await response.text(), "message");
    onText(completion.text);
  }
  return completion.answer;
}

async function post(endpoint: Endpoint, body: object, signal: AbortSignal): Promise<Response> {
  const address = `${endpoint.url.replace(/\/+$/, "")}/chat/completions`;
  const headers = { "content-type": "application/json", ...(endpoint.key && { authorization: `Bearer ${endpoint.key}` }) };
  let response: Response;
  try {
    response = await fetch(address, { method: "POST", headers, body: JSON.stringify(body), signal });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new ModelError(`Could not reach ${address}. Check the address, and that the server allows requests from web pages (CORS).`);
  }
  if (!response.ok) throw new Refusal(response.status, await refusal(response));
  return response;
}

async function refusal(response: Response): Promise<string> {
  const body = await response.text().catch(() => "");
  const told = (errorMessage(body) ?? body).slice(0, SHOWN_BODY).trim();
  const said = told === "" ? "" : ` It said: ${told}`;
  switch (response.status) {
    case 401: case 403: return `The endpoint refused the key (${response.status}).${said}`;
    case 404: return `The endpoint knows no such address or model (404).${said}`;
    case 429: return `The endpoint asks to slow down (429). Try again in a moment.${said}`;
    default: return `The endpoint failed (${response.status}).${said}`;
  }
}

/** The message of an error in the usual form. */
function errorMessage(json: string): string | undefined {
  try {
    const { error } = JSON.parse(json) as { error?: { message?: unknown } };
    return typeof error?.message === "string" ? error.message : undefined;
  } catch {
    return undefined;
  }
}
