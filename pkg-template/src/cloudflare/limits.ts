/** What one user may use, and how much of it is used. */
import { BudgetExceededError, InvalidInputError } from "../errors.js";
import type { Embedder, Llm } from "../models.js";
import { RateLimitedError } from "./errors.js";

/** What one user may use. */
export interface UserLimits {
  /** Calls per minute, spread evenly after a burst of as many; neither hibernation nor deletion resets the count. Default: 600. */
  readonly callsPerMinute?: number | undefined;
  /** Bytes of one request, but for the file of an `import`. Default: 1 MiB. */
  readonly requestBytes?: number | undefined;
  /** Bytes of the file of an `import`, which is held in the memory of the isolate while it is taken in. Default: 4 MiB. */
  readonly importBytes?: number | undefined;
  /** Bytes of the object's database. Default: what Cloudflare allows, 10 GB. */
  readonly storedBytes?: number | undefined;
  /** Requests to `llm` and `embed` together, per day of UTC; deletion does not reset the count. Default: no limit. */
  readonly modelCallsPerDay?: number | undefined;
}

/** Where the count of model calls is kept, in the object's key-value pairs: it must survive the object. */
const MODELS_KEY = "mnemic/model-calls";

/** Where it is kept when all calls will have come back. */
const CALLS_KEY = "mnemic/calls-back";

/** How long an object is idle at least before it hibernates; what has come back by then need not be kept. */
const HIBERNATION_MS = 10_000;

/** How much is kept ahead, so that not every call is a write. What was kept and not used is lost to who is woken then. */
const AHEAD_MS = 3_000;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** The part of the object's storage that the counts need. */
interface Pairs {
  get(key: string): unknown;
  put(key: string, value: unknown): void;
  delete(key: string): boolean;
}

/** What is counted of a user and still limits them. */
interface Counts {
  readonly pairs: ReadonlyArray<readonly [key: string, value: unknown]>;
  /** When it will not limit them any more. */
  readonly until: number;
}

/** Counts what one user uses, and refuses what is beyond the limits. */
export class Meter {
  readonly requestBytes: number;
  readonly importBytes: number;
  /** How many model calls were refused since the object was made. */
  refused = 0;
  readonly #callsPerMinute: number;
  readonly #modelCallsPerDay: number;
  readonly #pairs: Pairs;
  readonly #now: () => number;
  /** When all calls will have come back, which is a minute ahead when all are used; read with the first call. */
  #backAt: number | undefined;

  /** @throws InvalidInputError when a limit is no number from 1. */
  constructor(limits: UserLimits, pairs: Pairs, now: () => number = Date.now) {
    this.#callsPerMinute = limit(limits, "callsPerMinute", 600);
    this.requestBytes = limit(limits, "requestBytes", 1 << 20);
    this.importBytes = limit(limits, "importBytes", 4 << 20);
    this.#modelCallsPerDay = limit(limits, "modelCallsPerDay", Number.POSITIVE_INFINITY);
    limit(limits, "storedBytes", Number.POSITIVE_INFINITY);
    this.#pairs = pairs;
    this.#now = now;
  }

  /** Counts a call. @throws RateLimitedError when there were too many. */
  call(): void {
    const now = this.#now();
    const callMs = MINUTE_MS / this.#callsPerMinute;
    this.#backAt ??= numberIn(this.#pairs, CALLS_KEY);
    // The clock may have been set back.
    const backAt = Math.min(Math.max(this.#backAt, now), now + MINUTE_MS);
    // Half a call is left to the inexactness of sums.
    if (backAt - now + callMs / 2 > MINUTE_MS) {
      const retryAfterMs = Math.ceil(backAt + callMs - now - MINUTE_MS);
      throw new RateLimitedError(
        `more than ${this.#callsPerMinute} calls in a minute; the next one may come in ${retryAfterMs} ms. Nothing was changed`,
        { details: { limit: this.#callsPerMinute, retryAfterMs } },
      );
    }
    this.#backAt = backAt + callMs;
    if (this.#backAt - now <= HIBERNATION_MS || this.#backAt <= numberIn(this.#pairs, CALLS_KEY)) return;
    this.#pairs.put(CALLS_KEY, Math.ceil(this.#backAt + Math.floor(AHEAD_MS / callMs) * callMs));
  }

  /** What a deletion must leave; undefined when nothing limits the user. */
  lasting(): Counts | undefined {
    const now = this.#now();
    const ends = { [MODELS_KEY]: (this.#models().day + 1) * DAY_MS, [CALLS_KEY]: numberIn(this.#pairs, CALLS_KEY) };
    const lasting = Object.entries(ends).filter(([, end]) => end > now);
    if (lasting.length === 0) return undefined;
    return { pairs: lasting.map(([key]) => [key, this.#pairs.get(key)]), until: Math.max(...lasting.map(([, end]) => end)) };
  }

  /** Deletes what is counted. */
  forget(): void {
    for (const key of [MODELS_KEY, CALLS_KEY]) this.#pairs.delete(key);
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
    const kept = this.#models();
    const calls = kept.day === day ? kept.calls : 0;
    if (calls >= this.#modelCallsPerDay) {
      this.refused += 1;
      throw this.budgetExceeded();
    }
    this.#pairs.put(MODELS_KEY, { day, calls: calls + 1 });
  }

  #models(): { day: number; calls: number } {
    return (this.#pairs.get(MODELS_KEY) ?? { day: -1, calls: 0 }) as { day: number; calls: number };
  }
}

function numberIn(pairs: Pairs, key: string): number {
  const value = pairs.get(key);
  return typeof value === "number" ? value : 0;
}

function limit(limits: UserLimits, name: keyof UserLimits, missing: number): number {
  const value: unknown = limits[name] ?? missing;
  if (typeof value === "number" && value >= 1) return value;
  throw new InvalidInputError(`limits.${name}: ${String(value)} is no limit; pass a number from 1, or leave it out`, {
    details: { path: `limits.${name}` },
  });
}
