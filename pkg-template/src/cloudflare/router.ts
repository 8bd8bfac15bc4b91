/** The Worker in front of users' objects: it authenticates each request, and forwards it to that user's object and no other. */
import { InvalidInputError, NotFoundError } from "../errors.js";
import { kind } from "../plain.js";
import { unreachable } from "./binding.js";
import { drain } from "./bodies.js";
import { responseOf, UnauthorizedError } from "./errors.js";
import { objectName, stubOf, type MemoryNamespace } from "./names.js";

/** What a request came to. */
export interface RequestMetric {
  /** Such as `POST /call/recall`, without the base path. */
  readonly route: string;
  readonly status: number;
  /** How long it took, as far as the runtime lets its clock go on. */
  readonly ms: number;
  /** Whose request it was; missing when it was refused. */
  readonly user?: string | undefined;
  /** What `authenticate` threw, if the request was refused for that reason. */
  readonly error?: unknown;
}

/** How users reach their memories. */
export interface MemoryRouterOptions<Env> {
  /** The binding to a class that extends `MemoryObject`. */
  readonly namespace: (env: Env) => MemoryNamespace;
  /**
   * Returns the id of the user a request is from, 1 to 512 bytes, or null to refuse it. The request may then do anything with that
   * user's memory. If it throws, the request is refused. It must not read the body, which belongs to the call.
   */
  readonly authenticate: (request: Request, env: Env) => string | null | undefined | Promise<string | null | undefined>;
  /** The path under which memories are reached. Default: `"/memory"`. */
  readonly path?: string | undefined;
  /** The origins whose pages may call, besides the Worker's own, such as `https://app.example`. Default: none. */
  readonly origins?: readonly string[] | undefined;
  /** Called after every request. What it throws is ignored. Default: none. */
  readonly metric?: ((metric: RequestMetric, env: Env) => void) | undefined;
}

/** A router. */
export interface MemoryRouter<Env> {
  /** The response to a request; null for one that is not below the router's path. */
  route(request: Request, env: Env): Promise<Response | null>;
  /** The same for a Worker that does nothing else: other paths are answered by 404. */
  fetch(request: Request, env: Env): Promise<Response>;
}

/** What the router forwards, and what it may be. */
const ROUTES = /^(?:POST \/call\/[\w.]{1,64}|GET \/export|POST \/import|DELETE \/)$/;

/** Bodies that no form of another site can send without being asked. */
const TYPES: Readonly<Record<string, string>> = { "/import": "application/octet-stream" };

/**
 * Makes the part of a Worker that leads each user to their own object. There is no router without `authenticate`.
 *
 * @throws InvalidInputError when `authenticate` or `namespace` are missing, or the path is none.
 *
 * @example
 * ```ts no-run
 * import { memoryRouter, MemoryObject } from "mnemic/cloudflare";
 * import "cloudflare:workers";
 *
 * interface Env {
 *   MEMORY: DurableObjectNamespace<MemoryObject>;
 *   SESSIONS: KVNamespace;
 * }
 *
 * export { MemoryObject };
 * export default memoryRouter<Env>({
 *   namespace: (env) => env.MEMORY,
 *   authenticate: (request, env) => env.SESSIONS.get(request.headers.get("authorization") ?? ""),
 * });
 * ```
 */
export function memoryRouter<Env>(options: MemoryRouterOptions<Env>): MemoryRouter<Env> {
  const { namespace, authenticate, path = "/memory", origins = [], metric } = options ?? {};
  for (const [name, value] of Object.entries({ authenticate, namespace })) {
    if (typeof value === "function") continue;
    throw new InvalidInputError(`options.${name}: ${kind(value)} is not a function; without it nobody may be let in`, {
      details: { path: `options.${name}` },
    });
  }
  if (!/^(?:\/[\w-]+)+$/.test(path)) {
    throw new InvalidInputError(`options.path: ${JSON.stringify(path)} is no path such as "/memory"`, { details: { path: "options.path" } });
  }

  const answer = async (request: Request, env: Env, url: URL, told: { user?: string; error?: unknown }): Promise<Response> => {
    const inner = url.pathname.slice(path.length) || "/";
    if (!ROUTES.test(`${request.method} ${inner}`)) {
      return responseOf(new NotFoundError("there is nothing of that name", { details: { path: "url" } }));
    }
    const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
    const wanted = TYPES[inner] ?? "application/json";
    if (request.method === "POST" && type !== wanted) {
      return responseOf(new InvalidInputError(`content-type: send ${wanted}`, { details: { path: "content-type" } }));
    }
    const user = await userOf(request, env, told);
    let name;
    try {
      if (user === null) throw new UnauthorizedError("the request is not authenticated as any user; send valid credentials");
      name = objectName(user);
    } catch (error) {
      return responseOf(error);
    }
    told.user = user;
    // The object needs nothing of what proved who the user is.
    const forwarded = new Request(`https://object${inner}`, {
      method: request.method,
      headers: type === undefined ? {} : { "content-type": type },
      ...(request.body && { body: request.body, duplex: "half" }),
    } as RequestInit);
    try {
      return await stubOf<{ fetch(request: Request): Promise<Response> }>(namespace(env), name).fetch(forwarded);
    } catch (cause) {
      return responseOf(unreachable(cause));
    }
  };

  const userOf = async (request: Request, env: Env, told: { error?: unknown }): Promise<string | null> => {
    try {
      const user: unknown = await authenticate(request, env);
      return typeof user === "string" && user !== "" ? user : null;
    } catch (error) {
      told.error = error;
      return null;
    }
  };

  const route = async (request: Request, env: Env): Promise<Response | null> => {
    const url = new URL(request.url);
    if (url.pathname !== path && !url.pathname.startsWith(`${path}/`)) return null;
    const startedAt = Date.now();
    const told: { user?: string; error?: unknown } = {};
    const origin = request.headers.get("origin");
    const isAllowed = origin !== null && origins.includes(origin);
    const response =
      request.method === "OPTIONS" ? new Response(null, { status: isAllowed ? 204 : 403 }) : await answer(request, env, url, told);
    await drain(request.body);
    const open = isAllowed ? withOrigin(response, origin) : response;
    try {
      metric?.({ route: `${request.method} ${url.pathname.slice(path.length) || "/"}`, status: open.status, ms: Date.now() - startedAt, ...told }, env);
    } catch (error) {
      console.error("the metric hook threw:", error);
    }
    return open;
  };

  return { route, fetch: async (request, env) => (await route(request, env)) ?? new Response("not found", { status: 404 }) };
}

/** The response, for a page of another origin that may read it. */
function withOrigin(response: Response, origin: string): Response {
  const open = new Response(response.body, response);
  const headers = {
    "access-control-allow-origin": origin,
    "access-control-allow-methods": "GET, POST, DELETE",
    "access-control-allow-headers": "authorization, content-type",
    "access-control-expose-headers": "retry-after",
    "access-control-max-age": "86400",
    vary: "origin",
  };
  for (const [name, value] of Object.entries(headers)) open.headers.set(name, value);
  return open;
}
