/**
 * A user's memory on Cloudflare, from a page or a server.
 *
 * @packageDocumentation
 */
import { InvalidInputError } from "../errors.js";
import type { ProfileSchemas } from "../schema.js";
import type { RemoteMemory } from "./calls.js";
import { readAnswer } from "./crossing.js";
import { UnreachableError, valueOf, type Answer } from "./errors.js";
import { remoteMemory } from "./remote.js";

export * from "../errors.js";
export { RateLimitedError, UnauthorizedError, UnreachableError } from "./errors.js";
export type { RemoteFiles, RemoteMemory } from "./calls.js";

/** Where the Worker is, and how the user proves who they are. */
export interface MemoryClientOptions {
  /** Where `memoryRouter` answers, such as `https://app.example/memory`. */
  readonly url: string | URL;
  /** Sent as a bearer token with each call; a function is asked each time, so that it may renew it. Default: none, for cookies. */
  readonly token?: string | (() => string | Promise<string>) | undefined;
  /** Default: the global one. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/**
 * The memory of the user whom a token names, by HTTP. It has the methods and types of a scope; errors are of the same classes.
 *
 * @throws InvalidInputError when the address is none.
 *
 * @example
 * ```ts no-run
 * import { memoryClient, RateLimitedError } from "mnemic/cloudflare/client";
 *
 * const alice = memoryClient({ url: "https://app.example/memory", token: "..." });
 * try {
 *   await alice.remember({ role: "user", content: "I play the cello." });
 *   console.log((await alice.recall("Which instrument do I play?")).text);
 * } catch (error) {
 *   if (!(error instanceof RateLimitedError)) throw error;
 *   console.log(error.details.retryAfterMs);
 * }
 * ```
 */
export function memoryClient<const Schemas extends ProfileSchemas = {}>(options: MemoryClientOptions): RemoteMemory<Schemas> {
  const { token, fetch = globalThis.fetch } = options;
  const base = address(options.url);
  const ask = async (path: string, request: RequestInit & { duplex?: "half" }): Promise<Response> => {
    const given = typeof token === "function" ? await token() : token;
    const headers = new Headers(request.headers);
    if (given !== undefined) headers.set("authorization", `Bearer ${given}`);
    let response: Response;
    try {
      response = await fetch(base + path, { ...request, headers });
    } catch (cause) {
      throw new UnreachableError(`${base} does not answer (${String(cause)}); whether the call was carried out is unknown`, { cause });
    }
    if (response.ok) return response;
    valueOf(await answered(response));
    throw new UnreachableError(`${base} answered ${response.status} without an error`, { details: { status: response.status } });
  };
  return remoteMemory<Schemas>({
    async call(operation, body, signal) {
      const headers = { "content-type": "application/json" };
      return valueOf(await answered(await ask(`/call/${operation}`, { method: "POST", headers, body, ...(signal && { signal }) })));
    },
    async importFile(file) {
      const headers = { "content-type": "application/octet-stream" };
      const isStream = file instanceof ReadableStream;
      const request = { method: "POST", headers, body: file as BodyInit, ...(isStream && { duplex: "half" as const }) };
      return valueOf(await answered(await ask("/import", request)));
    },
    async export() {
      const { body } = await ask("/export", { method: "GET" });
      return (body ?? new Blob().stream()) as ReadableStream<Uint8Array<ArrayBuffer>>;
    },
    async deleteUser() {
      valueOf(await answered(await ask("/", { method: "DELETE" })));
    },
  });
}

/** The answer in a response. @throws UnreachableError when it has none: something other than the router answered, such as a proxy. */
async function answered(response: Response): Promise<Answer> {
  const answer = readAnswer(await response.text().catch(() => ""));
  if (answer !== undefined) return answer;
  const { status } = response;
  const cure = status < 500 ? "look at the address" : "try again later, with fewer calls at once";
  throw new UnreachableError(`${response.url} answered ${status}, which is not the answer of a memory; ${cure}`, { details: { status } });
}

function address(url: string | URL): string {
  try {
    return new URL(url, (globalThis as { location?: { href: string } }).location?.href).href.replace(/\/+$/, "");
  } catch (cause) {
    throw new InvalidInputError(`options.url: ${String(url)} is no address`, { cause, details: { path: "options.url" } });
  }
}
