/** Requests to servers of models, by HTTP and JSON. */

/** Where a server is. */
export interface Server {
  /** Of OpenAI's interface, up to and with the version: `https://api.openai.com/v1`, `http://localhost:11434/v1`. */
  readonly baseUrl: string;
  /** Sent as a bearer token. A page's visitors can read it: in browsers, prefer a server of your own that adds it. */
  readonly apiKey?: string | undefined;
  /** Default: the global one. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Where a model is served with OpenAI's interface. */
export interface OpenAIServer extends Server {
  /** The name of the model, as the server knows it. */
  readonly model: string;
}

/** An answer that is no success. */
export class Refusal {
  readonly status: number;
  /** One line: status and the beginning of the body, without the key. */
  readonly message: string;
  /** The header `Retry-After`; null when there is none. */
  readonly retryAfter: string | null;

  constructor(status: number, message: string, retryAfter: string | null) {
    this.status = status;
    this.message = message;
    this.retryAfter = retryAfter;
  }
}

const SHOWN_CHARACTERS = 300;

/** Posts JSON and answers the parsed answer, or a `Refusal` when the status is no success. */
export async function post(server: Server, path: string, body: object, signal: AbortSignal): Promise<unknown> {
  const response = await send(server, path, body, signal);
  return response instanceof Refusal ? response : response.json();
}

/** Posts JSON and answers the response when the status is a success. */
export async function send(server: Server, path: string, body: object, signal: AbortSignal): Promise<Response | Refusal> {
  const { baseUrl, apiKey, headers, fetch = globalThis.fetch } = server;
  const response = await fetch(baseUrl.replace(/\/+$/, "") + path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      ...headers,
    },
    body: JSON.stringify(body),
    signal,
  });
  if (response.ok) return response;
  const text = await response.text();
  const clean = (apiKey ? text.replaceAll(apiKey, "[key]") : text).replaceAll(/\s+/g, " ").trim();
  const shown = clean.length > SHOWN_CHARACTERS ? `${clean.slice(0, SHOWN_CHARACTERS)}...` : clean;
  const message = `the server answered ${response.status} ${response.statusText}: ${shown}`;
  return new Refusal(response.status, message, response.headers.get("retry-after"));
}
