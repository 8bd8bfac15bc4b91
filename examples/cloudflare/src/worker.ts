/** A memory for every user, behind signed tokens, and one route of the app's own. */
import { jwtVerify } from "jose";
import { workersAI, type WorkersAIBinding } from "mnemic/adapters";
import { MemoryObject, memoryRouter, responseOf, userMemory, type MemoryNamespace } from "mnemic/cloudflare";
import { workersAIEmbeddings } from "mnemic/embedders";

interface Env {
  MEMORY: MemoryNamespace;
  /** At least 32 characters: `wrangler secret put TOKEN_SECRET`. */
  TOKEN_SECRET: string;
  /** There when wrangler.jsonc names it; without it, rules learn and a built-in embedder finds. */
  AI?: WorkersAIBinding;
}

export class UserMemory extends MemoryObject<Env> {
  constructor(ctx: ConstructorParameters<typeof MemoryObject>[0], env: Env) {
    super(ctx, env, {
      ...(env.AI && {
        llm: workersAI(env.AI, { model: "@cf/meta/llama-3.3-70b-instruct-fp8-fast" }),
        embed: workersAIEmbeddings(env.AI, { model: "@cf/baai/bge-m3" }),
      }),
      limits: { callsPerMinute: 120, storedBytes: 200_000_000, modelCallsPerDay: 500 },
      metric: ({ kind, operation, ms, code }) => console.log(JSON.stringify({ kind, operation, ms, code })),
    });
  }
}

/** The user of a token that we have signed. What `jwtVerify` throws lets nobody in. */
async function authenticate(request: Request, env: Env): Promise<string | undefined> {
  const token = request.headers.get("authorization")?.replace(/^Bearer /, "") ?? "";
  const secret = new TextEncoder().encode(env.TOKEN_SECRET);
  if (secret.length < 32) throw new Error("TOKEN_SECRET has fewer than 32 characters");
  const { payload } = await jwtVerify(token, secret, { algorithms: ["HS256"], audience: "mnemic-example", requiredClaims: ["sub", "exp"] });
  return payload.sub;
}

const MAX_QUESTION_BYTES = 64 * 1024;

const router = memoryRouter<Env>({ namespace: (env) => env.MEMORY, authenticate });

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const answer = await router.route(request, env);
    if (answer !== null) return answer;
    const { pathname } = new URL(request.url);
    if (pathname !== "/prompt" || request.method !== "POST") return new Response("not found", { status: 404 });
    // A route of the app's own: what to put before a question, for its own model.
    const user = await authenticate(request, env).catch(() => undefined);
    if (user === undefined) return new Response("unauthorized", { status: 401 });
    // Without a length, a body might never end.
    const length = Number(request.headers.get("content-length") ?? Number.NaN);
    if (!(length <= MAX_QUESTION_BYTES)) return new Response("send a question and its content-length", { status: 413 });
    try {
      const { text } = await userMemory(env.MEMORY, user).recall(await request.text(), { maxTokens: 800 });
      return new Response(text);
    } catch (error) {
      return responseOf(error);
    }
  },
};
