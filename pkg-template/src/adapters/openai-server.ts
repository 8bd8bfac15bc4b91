/** Requests to a server that speaks OpenAI's HTTP interface. */

/** Where a model is served. */
export interface OpenAIServer {
  /** Up to and with the version, such as `https://api.openai.com/v1` or `http://localhost:11434/v1`. */
  readonly baseUrl: string;
  /** Sent as a bearer token. A page's visitors can read it: in browsers, prefer a server of your own that adds it. */
  readonly apiKey?: string | undefined;
  /** The name of the model, as the server knows it. */
  readonly model: string;
  /** Default: the global one. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** An answer that is no success. */
export class Refusal {
  readonly status: number;
  /** One line: status and the beginning of the body, without the key. */
  readonly message: string;

  constructor(status: number, message: string) {
    this.status = status;
    this.message = message;
  }
}

const SHOWN_CHARACTERS = 300;

/** Posts JSON and answers the parsed answer, or a `Refusal` when the status is no success. */
export async function post(server: OpenAIServer, path: string, body: object, signal: AbortSignal): Promise<unknown> {
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
  if (response.ok) return response.json();
  const text = await response.text();
  const clean = (apiKey ? text.replaceAll(apiKey, "[key]") : text).replaceAll(/\s+/g, " ").trim();
  const shown = clean.length > SHOWN_CHARACTERS ? `${clean.slice(0, SHOWN_CHARACTERS)}...` : clean;
  return new Refusal(response.status, `the server answered ${response.status} ${response.statusText}: ${shown}`);
}
