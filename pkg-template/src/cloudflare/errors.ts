/** Errors between a client and a user's object, on their way as JSON. */
import { errorOf, failure, MnemicError, typed, type MnemicErrorOptions } from "../errors.js";
import type { Failure } from "../types.js";

/**
 * The user makes too many calls; nothing was changed. `details.retryAfterMs` says when calls are possible again.
 *
 * @remarks Wait for `details.retryAfterMs`, then call again.
 */
export class RateLimitedError extends MnemicError {
  declare readonly code: "RateLimited";

  constructor(message: string, options?: MnemicErrorOptions) {
    super("RateLimited", message, options);
  }
}

/**
 * The request could not be attributed to a user; nothing was changed.
 *
 * @remarks Sign the user in, and send with each request what your `authenticate` expects.
 */
export class UnauthorizedError extends MnemicError {
  declare readonly code: "Unauthorized";

  constructor(message: string, options?: MnemicErrorOptions) {
    super("Unauthorized", message, options);
  }
}

/**
 * The Worker or the user's object did not answer; whether the call was carried out is unknown.
 *
 * @remarks Read before you repeat a call that writes, or repeat one that may be repeated.
 */
export class UnreachableError extends MnemicError {
  declare readonly code: "Unreachable";

  constructor(message: string, options?: MnemicErrorOptions) {
    super("Unreachable", message, options);
  }
}

const CLASSES = { RateLimited: RateLimitedError, Unauthorized: UnauthorizedError, Unreachable: UnreachableError } as const;

/** What a call came to, as it crosses: a value, which is missing for `undefined`, or an error. */
export type Answer = { readonly value?: unknown; readonly error?: undefined } | { readonly error: Failure };

/** The value of an answer. @throws the error that it tells, as an instance of its class. */
export function valueOf(answer: Answer): unknown {
  if (answer.error === undefined) return answer.value;
  const { code, message, details } = answer.error as { code: string; message: string; details?: Record<string, unknown> };
  const options = { details };
  if (Object.hasOwn(CLASSES, code)) throw new CLASSES[code as keyof typeof CLASSES](message, options);
  throw errorOf(code, message, options);
}

/** The answer for what was thrown. What is no error of ours may tell of the inside, so its words stay here. */
export function answerOf(thrown: unknown): { readonly error: Failure } {
  if (thrown instanceof MnemicError) return { error: failure(thrown) };
  return { error: failure(typed(new Error("the call failed inside the object; its log says why"))) };
}

const STATUSES: Readonly<Record<string, number>> = {
  Unauthorized: 401,
  NotFound: 404,
  Conflict: 409,
  Forgotten: 410,
  Locked: 423,
  WrongKey: 423,
  RateLimited: 429,
  BudgetExceeded: 429,
  Internal: 500,
  UnsupportedVersion: 500,
  Corrupt: 500,
  Model: 502,
  Embedder: 502,
  Aborted: 503,
  Closed: 503,
  Crashed: 503,
  Load: 503,
  Storage: 503,
  Unreachable: 503,
  Timeout: 504,
  QuotaExceeded: 507,
};

/**
 * An error as the response that the router would answer: the status of its code, 400 where the caller is at fault, and 413 where it was the
 * size of the request. What is no error of the package becomes 500 and tells nothing.
 *
 * @example
 * ```ts no-run
 * import { responseOf, userMemory, type MemoryNamespace } from "mnemic/cloudflare";
 *
 * export async function prompt(namespace: MemoryNamespace, user: string, question: string): Promise<Response> {
 *   try {
 *     return new Response((await userMemory(namespace, user).recall(question)).text);
 *   } catch (error) {
 *     return responseOf(error);
 *   }
 * }
 * ```
 */
export function responseOf(thrown: unknown): Response {
  const answer = answerOf(thrown);
  const { code, details } = answer.error;
  const wait = details?.["retryAfterMs"];
  const path = details?.["path"];
  const status = path === "request.body" ? 413 : path === "data" ? 400 : (STATUSES[code] ?? 400);
  return Response.json(answer, {
    status,
    headers: typeof wait === "number" ? { "retry-after": String(Math.ceil(wait / 1000)) } : {},
  });
}
