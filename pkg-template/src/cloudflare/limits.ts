/** What one user may use, and how much of it is used. */
import { BudgetExceededError, InvalidInputError } from "../errors.js";
import type { Embedder, Llm } from "../models.js";
import { RateLimitedError } from "./errors.js";

/** What one user may use. */
export interface UserLimits {
  /** Calls, evenly over a minute, after as many at once. Default: 600. */
  readonly callsPerMinute?: number | undefined;
  /** Bytes of one request; files of `import` have no limit of ours. Default: 1 MiB. */
  readonly requestBytes?: number | undefined;
  /** Bytes of the object's database. Default: what Cloudflare allows, 10 GB. */
  readonly storedBytes?: number | undefined;
  /** Requests to `llm` and `embed` together, per day of UTC. Default: no limit. */
  readonly modelCallsPerDay?: number | undefined;
}

/** Where the count of model calls is kept, in the object's key-value pairs: it must survive the object. */
const MODELS_KEY = "mnemic/model-calls";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** The part of the object's storage that the count needs. */
interface Pairs {
  get(key: string): unknown;
  put(key: string, value: unknown): void;
}

/** Counts what one user uses, and refuses what is beyond the limits. */
export class Meter {
  readonly requestBytes: number;
  /** How many model calls were refused since the object was made. */
  refused = 0;
  readonly #callsPerMinute: number;
  readonly #modelCallsPerDay: number;
  readonly #pairs: Pairs;
  readonly #now: () => number;
  /** Calls that may be made at once now. An object that is evicted was idle for longer than a bucket takes to fill. */
  #room: number;
  #filledAt: number;

  /** @throws InvalidInputError when a limit is no number from 1. */
  constructor(limits: UserLimits, pairs: Pairs, now: () => number = Date.now) {
    this.#callsPerMinute = limit(limits, "callsPerMinute", 600);
    this.requestBytes = limit(limits, "requestBytes", 1 << 20);
    this.#modelCallsPerDay = limit(limits, "modelCallsPerDay", Number.POSITIVE_INFINITY);
    limit(limits, "storedBytes", Number.POSITIVE_INFINITY);
    this.#pairs = pairs;
    this.#now = now;
    this.#room = this.#callsPerMinute;
    this.#filledAt = now();
  }

  /** Counts a call. @throws RateLimitedError when there were too many. */
  call(): void {
    const now = this.#now();
    const perMs = this.#callsPerMinute / MINUTE_MS;
    this.#room = Math.min(this.#callsPerMinute, this.#room + Math.max(0, now - this.#filledAt) * perMs);
    this.#filledAt = now;
    if (this.#room < 1) {
      const retryAfterMs = Math.ceil((1 - this.#room) / perMs);
      throw new RateLimitedError(
        `more than ${this.#callsPerMinute} calls in a minute; the next one may come in ${retryAfterMs} ms. Nothing was changed`,
        { details: { limit: this.#callsPerMinute, retryAfterMs } },
      );
    }
    this.#room -= 1;
  }

  /** The model with its requests counted. */
  counted(llm: Llm): Llm {
    return (request) => {
      this.#model();
      return llm(request);
    };
  }

  /** The same of an embedder. */
  countedEmbedder(embedder: Embedder): Embedder {
    return {
      id: embedder.id,
      embed: (texts, options) => {
        this.#model();
        return embedder.embed(texts, options);
      },
    };
  }

  /** The error of a call whose model was refused. */
  budgetExceeded(cause?: unknown): BudgetExceededError {
    const retryAfterMs = DAY_MS - (this.#now() % DAY_MS);
    return new BudgetExceededError(
      `the day's ${this.#modelCallsPerDay} model calls are used up; what waits is learned from midnight UTC on`,
      { details: { limit: this.#modelCallsPerDay, retryAfterMs }, cause },
    );
  }

  #model(): void {
    if (this.#modelCallsPerDay === Number.POSITIVE_INFINITY) return;
    const day = Math.floor(this.#now() / DAY_MS);
    const kept = this.#pairs.get(MODELS_KEY) as { day: number; calls: number } | undefined;
    const calls = kept?.day === day ? kept.calls : 0;
    if (calls >= this.#modelCallsPerDay) {
      this.refused += 1;
      throw this.budgetExceeded();
    }
    this.#pairs.put(MODELS_KEY, { day, calls: calls + 1 });
  }
}

function limit(limits: UserLimits, name: keyof UserLimits, missing: number): number {
  const value: unknown = limits[name] ?? missing;
  if (typeof value === "number" && value >= 1) return value;
  throw new InvalidInputError(`limits.${name}: ${String(value)} is no limit; pass a number from 1, or leave it out`, {
    details: { path: `limits.${name}` },
  });
}
