/** Requests that end in time, and are made again when a model is busy. */
import { EmbedderError, TimeoutError } from "../errors.js";
import { Refusal } from "../server.js";
import { checkWhole } from "../whole.js";

/** How long requests take, and how often they are made. */
export interface RequestLimits {
  /** How many milliseconds one request may take, 1 to 600,000. Default: 20,000. */
  readonly timeoutMs?: number | undefined;
  /**
   * How often a request is made again that was answered with 429 or 503, 0 to 10. Default: 2. It waits as long as the header `Retry-After`
   * says, without one half a second, then a second, and so on; when that is more than 10 seconds, it fails at once.
   */
  readonly retries?: number | undefined;
}

const TIMEOUT_MS = 20_000;
const RETRIES = 2;
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 10_000;

/** The statuses of a server that may have time later. */
const BUSY = [429, 503];

/** Makes requests to one model. */
export class Requests {
  readonly #model: string;
  readonly #timeoutMs: number;
  readonly #retries: number;

  /** @throws InvalidInputError when a limit is out of its range. */
  constructor(model: string, { timeoutMs = TIMEOUT_MS, retries = RETRIES }: RequestLimits) {
    checkWhole("options.timeoutMs", timeoutMs, 1, 600_000);
    checkWhole("options.retries", retries, 0, 10);
    this.#model = model;
    this.#timeoutMs = timeoutMs;
    this.#retries = retries;
  }

  /**
   * What a request comes to: its answer, or a refusal that waiting does not help.
   *
   * @throws EmbedderError when the model stays busy, or cannot be reached.
   * @throws TimeoutError when an answer takes too long.
   */
  async make<Answer>(signal: AbortSignal, request: (signal: AbortSignal) => Promise<Answer | Refusal>): Promise<Answer | Refusal> {
    for (let retry = 0; ; retry += 1) {
      const answer = await this.#once(signal, request);
      if (!(answer instanceof Refusal) || !BUSY.includes(answer.status)) return answer;
      const waitMs = waitOf(answer.retryAfter) ?? FIRST_WAIT_MS * 2 ** retry;
      if (retry === this.#retries || waitMs > MAX_WAIT_MS) throw refused(this.#model, answer);
      await rest(waitMs, signal);
    }
  }

  async #once<Answer>(signal: AbortSignal, request: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
    const late = new TimeoutError(`${this.#model} did not answer within ${this.#timeoutMs} ms; raise timeoutMs, or lower maxTexts`);
    return unlessAborted(signal, async (bounded, abort) => {
      const timer = setTimeout(() => abort(late), this.#timeoutMs);
      try {
        return await request(bounded);
      } catch (cause) {
        if (bounded.aborted || cause instanceof EmbedderError) throw cause;
        const cure = "check that it runs and allows requests from here (CORS), and that the address is right";
        throw new EmbedderError(`${this.#model} gave no answer that can be read (${cause instanceof Error ? cause.message : String(cause)}); ${cure}`, { cause });
      } finally {
        clearTimeout(timer);
      }
    });
  }
}

/** A refusal as an error, with what to do. */
export function refused(model: string, { status, message, retryAfter }: Refusal): EmbedderError {
  const retryAfterMs = waitOf(retryAfter);
  const cure = CURES[status];
  return new EmbedderError(`${model}: ${message}${cure === undefined ? "" : `; ${cure}`}`, {
    details: { status, ...(retryAfterMs !== undefined && { retryAfterMs }) },
  });
}

const CURES: Readonly<Record<number, string>> = {
  400: "if a text is too long for the model, lower maxTextCharacters",
  401: "check the key",
  403: "check the key, and what it may be used for",
  404: "check the address and the name of the model",
  413: "lower maxCharacters",
  429: "ask less often, or raise the limit at the provider",
};

/** What work comes to, which is not waited for once the signal fires; the work's own signal can also be fired by itself. */
export async function unlessAborted<Value>(
  signal: AbortSignal,
  work: (signal: AbortSignal, abort: (reason: unknown) => void) => Promise<Value>,
): Promise<Value> {
  signal.throwIfAborted();
  const controller = new AbortController();
  const forward = (): void => controller.abort(signal.reason);
  signal.addEventListener("abort", forward, { once: true });
  try {
    return await Promise.race([
      new Promise<never>((_, reject) => controller.signal.addEventListener("abort", () => reject(controller.signal.reason))),
      work(controller.signal, (reason) => controller.abort(reason)),
    ]);
  } finally {
    signal.removeEventListener("abort", forward);
  }
}

const rest = (waitMs: number, signal: AbortSignal): Promise<void> =>
  unlessAborted(signal, (bounded) =>
    new Promise((rested) => {
      const timer = setTimeout(rested, waitMs);
      bounded.addEventListener("abort", () => clearTimeout(timer));
    }),
  );

/** The header in milliseconds from now: it holds seconds or a date. Undefined when there is none that can be read. */
function waitOf(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined;
  const waitMs = /^\s*\d+\s*$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
}
