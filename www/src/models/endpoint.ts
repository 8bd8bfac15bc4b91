/** Any endpoint that speaks the OpenAI chat completions format. */
import { openAICompatible } from "mnemic/adapters";
import type { Endpoint } from "../settings";
import { eventData } from "./event-stream";
import { type Model, ModelError, type ReplyOptions, type Turn } from "./model";

const SHOWN_BODY = 200;

export function endpointModel(endpoint: Endpoint): Model {
  const { host } = new URL(endpoint.url);
  return {
    label: `${endpoint.model} at ${host}`,
    isOnDevice: false,
    llm: openAICompatible({ baseUrl: endpoint.url, apiKey: endpoint.key || undefined, model: endpoint.model }),
    reply: (turns, options) => reply(endpoint, turns, options),
  };
}

async function reply(endpoint: Endpoint, turns: readonly Turn[], { signal, onText }: ReplyOptions): Promise<string> {
  const response = await post(endpoint, { model: endpoint.model, messages: turns, stream: true }, signal);
  let text: string;
  try {
    text = await readReply(response, onText);
  } catch (error) {
    if (signal.aborted || error instanceof ModelError) throw error;
    throw new ModelError("The connection broke off in the middle of the reply.");
  }
  if (text.trim() === "") throw new ModelError("The endpoint answered, but its reply was empty.");
  return text;
}

/** The reply in a response, streamed or whole. */
async function readReply(response: Response, onText: ReplyOptions["onText"]): Promise<string> {
  let text = "";
  if (response.headers.get("content-type")?.includes("text/event-stream") && response.body) {
    for await (const data of eventData(response.body)) {
      if (data === "[DONE]") break;
      text += readChoice(data, "delta") ?? "";
      onText(text);
    }
  } else {
    text = readChoice(await response.text(), "message") ?? "";
    onText(text);
  }
  return text;
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
  if (!response.ok) throw new ModelError(await refusal(response));
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

/** The text of a completion, or of one streamed piece of it; `undefined` when the piece carries none. */
function readChoice(json: string, part: "message" | "delta"): string | undefined {
  let answer: { choices?: { [name in "message" | "delta"]?: { content?: unknown } }[]; error?: { message?: unknown } };
  try {
    answer = JSON.parse(json);
  } catch {
    throw new ModelError(`The endpoint answered with something that is not a chat completion: ${json.slice(0, SHOWN_BODY)}`);
  }
  if (typeof answer?.error?.message === "string") throw new ModelError(`The endpoint failed: ${answer.error.message}`);
  if (!Array.isArray(answer?.choices)) {
    throw new ModelError(`The endpoint answered with something that is not a chat completion: ${json.slice(0, SHOWN_BODY)}`);
  }
  const content = answer.choices[0]?.[part]?.content;
  return typeof content === "string" ? content : undefined;
}
