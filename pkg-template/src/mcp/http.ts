/** Streamable HTTP without sessions: every request is answered by itself, with JSON. */
import { failed, INVALID_REQUEST, PARSE_ERROR, type Outgoing } from "./outgoing.js";
import { VERSIONS } from "./protocol.js";
import type { Session } from "./session.js";

/** Options for HTTP. */
export interface HttpOptions {
  /** Origins of pages that may call, such as `"https://chat.example"`, beside the server's own. Default: none. */
  readonly origins?: readonly string[] | undefined;
}

/** The most bytes of a request. */
const MAX_BYTES = 4 * 1024 * 1024;
/** The most messages of a batch. */
const MAX_BATCH = 100;

/** Answers a request. */
export async function answerHttp(request: Request, open: () => Session, { origins = [] }: HttpOptions): Promise<Response> {
  const origin = request.headers.get("origin");
  const isOther = origin !== null && origin !== new URL(request.url).origin;
  // A page of another site must not use a server that its visitor can reach.
  if (isOther && !origins.includes(origin)) return refusal(403, INVALID_REQUEST, `the origin ${origin.slice(0, 200)} may not call; list it in origins`);
  const response = await answered(request, open);
  if (isOther) {
    response.headers.set("access-control-allow-origin", origin);
    response.headers.set("vary", "origin");
  }
  return response;
}

async function answered(request: Request, open: () => Session): Promise<Response> {
  if (request.method === "OPTIONS") {
    const headers = { "access-control-allow-methods": "POST", "access-control-allow-headers": "*, authorization", "access-control-max-age": "86400" };
    return new Response(null, { status: 204, headers });
  }
  if (request.method !== "POST") return refusal(405, INVALID_REQUEST, "send messages with POST; this server sends none by itself", { allow: "POST" });
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get("content-type") ?? "")) {
    return refusal(415, INVALID_REQUEST, "the content type is not application/json");
  }
  const version = request.headers.get("mcp-protocol-version");
  if (version !== null && !VERSIONS.some((known) => known === version)) {
    return refusal(400, INVALID_REQUEST, `the protocol version ${version.slice(0, 40)} is not known; known are ${VERSIONS.join(", ")}`);
  }
  const text = await bodyOf(request);
  if (text === undefined) return refusal(413, INVALID_REQUEST, `the body exceeds ${MAX_BYTES} bytes`);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return refusal(400, PARSE_ERROR, "the body is not JSON");
  }
  if (Array.isArray(body) && (body.length === 0 || body.length > MAX_BATCH)) {
    return refusal(400, INVALID_REQUEST, `a batch has 1 to ${MAX_BATCH} messages`);
  }
  const session = open();
  const answers: Outgoing[] = [];
  for (const message of Array.isArray(body) ? (body as unknown[]) : [body]) {
    const answer = await session.answer(message);
    if (answer !== undefined) answers.push(answer);
  }
  if (answers.length === 0) return new Response(null, { status: 202 });
  const [first] = answers;
  const isRefused = !Array.isArray(body) && first !== undefined && "error" in first && first.error.code === INVALID_REQUEST;
  return Response.json(Array.isArray(body) ? answers : first, { status: isRefused ? 400 : 200 });
}

/** The text of a body; undefined when it is too long. */
async function bodyOf(request: Request): Promise<string | undefined> {
  if (Number(request.headers.get("content-length")) > MAX_BYTES) return undefined;
  const decoder = new TextDecoder();
  const reader = request.body?.getReader();
  let text = "";
  let bytes = 0;
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > MAX_BYTES) {
      await reader?.cancel();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

function refusal(status: number, code: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json(failed(null, code, message), { status, headers });
}
