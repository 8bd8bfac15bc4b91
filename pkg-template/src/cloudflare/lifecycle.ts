/** One memory in one object: opened by the first call, closed when nobody calls, woken by an alarm for what is due later. */
import { ClosedError, CrashedError, type MnemicError, typed } from "../errors.js";
import type { Memory } from "../memory.js";
import type { ProfileSchemas } from "../schema.js";
import type { BackgroundJob } from "../types.js";

/** The alarm of the object, and a place that survives it. */
export interface Waking {
  getAlarm(): Promise<number | null>;
  setAlarm(time: number): Promise<void>;
  deleteAlarm(): Promise<void>;
  readonly kv: { get(key: string): unknown; put(key: string, value: unknown): void; delete(key: string): boolean };
}

/** What happened to a memory beside its calls. */
export type Happening = (kind: "open" | "close" | "alarm", startedAt: number, error?: MnemicError) => void;

/** Work that is lost without harm: it only refines a ranking. */
const MINOR: ReadonlyArray<BackgroundJob["kind"]> = ["accesses", "visits"];

/** How long after a call the alarm is due that goes on with its work, should the object be evicted before that is done. */
const WATCH_MS = 30_000;

/** How long alarms wait after failures in a row: a model that is away is asked less and less often. */
const FIRST_RETRY_MS = 60_000;
const LAST_RETRY_MS = 3_600_000;

/** How many alarms in a row met a failure. */
const FAILURES_KEY = "mnemic/failed-alarms";

/** A memory that is used by calls. */
export interface Held<Schemas extends ProfileSchemas> {
  readonly memory: Memory<Schemas>;
  /** Ends the use; again does nothing. */
  release(): Promise<void>;
}

/** Keeps a memory open while it is used. */
export class Lifecycle<Schemas extends ProfileSchemas> {
  readonly #opening: () => Promise<Memory<Schemas>>;
  readonly #waking: Waking;
  readonly #idleMs: number;
  readonly #happened: Happening;
  #memory: Promise<Memory<Schemas>> | undefined;
  /** Keeps calls waiting while the memory is closed or deleted. */
  #ending: Promise<void> | undefined;
  #users = 0;
  #uses = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** What is decided of the alarm, one after another: nobody sets it between another's look and what follows from it. */
  #turns: Promise<void> = Promise.resolve();

  constructor(opening: () => Promise<Memory<Schemas>>, waking: Waking, idleMs: number, happened: Happening) {
    this.#opening = opening;
    this.#waking = waking;
    this.#idleMs = idleMs;
    this.#happened = happened;
  }

  /** Runs work with the memory, which stays open until it ends. */
  async use<Result>(work: (memory: Memory<Schemas>) => Promise<Result>): Promise<Result> {
    const { memory, release } = await this.hold();
    try {
      return await work(memory);
    } finally {
      await release();
    }
  }

  /** The memory, opened if need be. A failed opening is not kept: the next call tries again. */
  async hold(): Promise<Held<Schemas>> {
    this.#users += 1;
    this.#uses += 1;
    clearTimeout(this.#timer);
    try {
      const memory = await this.#open();
      let isReleased = false;
      return {
        memory,
        release: async () => {
          if (isReleased) return;
          isReleased = true;
          // What a confirmed call left to do is done even if the object is evicted now.
          try {
            await this.#watch(memory);
          } finally {
            this.#leave();
          }
        },
      };
    } catch (error) {
      this.#leave();
      throw error;
    }
  }

  /** Does what is due, and sets the next alarm. Called by the alarm of the object. */
  async wake(): Promise<void> {
    const startedAt = Date.now();
    let hasFailed = true;
    try {
      const { failed } = await this.use((memory) => memory.idle());
      hasFailed = failed.length > 0;
      this.#happened("alarm", startedAt);
    } catch (error) {
      this.#happened("alarm", startedAt, typed(error));
    }
    this.#count(hasFailed);
    if (hasFailed) await this.#inTurn(() => this.#wakeAt(Date.now() + this.#retryMs()));
    if (this.#users === 0) await this.#rest();
  }

  /** Closes the memory, whatever goes on, and runs what must happen while nobody can open it. */
  async end(work: () => Promise<void>): Promise<void> {
    clearTimeout(this.#timer);
    await this.#ending;
    const ending = (async () => {
      await this.#close();
      await this.#inTurn(work);
    })();
    await this.#closedBy(ending);
  }

  async #open(): Promise<Memory<Schemas>> {
    while (this.#ending !== undefined) await this.#ending.catch(() => {});
    if (this.#memory !== undefined) return this.#memory;
    const startedAt = Date.now();
    const opening = this.#opening();
    this.#memory = opening;
    try {
      const memory = await opening;
      // An instance is shared by the objects of an isolate: the crash that kills it may have been another's.
      memory.on("error", ({ code }) => {
        if (code === "Crashed") this.#forget(opening);
      });
      this.#happened("open", startedAt);
      return memory;
    } catch (error) {
      this.#forget(opening);
      this.#happened("open", startedAt, typed(error));
      throw error;
    }
  }

  #forget(opened: Promise<Memory<Schemas>>): void {
    if (this.#memory === opened) this.#memory = undefined;
  }

  #leave(): void {
    this.#users -= 1;
    if (this.#users > 0 || this.#memory === undefined) return;
    clearTimeout(this.#timer);
    // What fails here is met again by the next call, and told now.
    this.#timer = setTimeout(() => {
      const startedAt = Date.now();
      this.#rest().catch((error: unknown) => this.#happened("close", startedAt, typed(error)));
    }, this.#idleMs);
  }

  /** Sees to it that an alarm goes on with what waits, in case nothing else does. */
  #watch(memory: Memory<Schemas>): Promise<void> {
    return this.#inTurn(async () => {
      const due = await nextWork(memory);
      if (due === undefined) return;
      const time = Math.max(due, Date.now() + this.#idleMs + WATCH_MS);
      const alarm = await this.#waking.getAlarm();
      if (alarm === null || alarm > time) await this.#wakeAt(time);
    });
  }

  /** Does what is due and closes the memory, unless somebody calls meanwhile: a timer would keep the object from hibernating. */
  async #rest(): Promise<void> {
    const [opened, uses] = [this.#memory, this.#uses];
    if (opened === undefined || this.#ending !== undefined) return;
    const memory = await opened;
    const idle = await memory.idle().catch((error: unknown) => typed(error));
    // Another rest may have closed it, and set the alarm.
    if (this.#users > 0 || this.#uses !== uses || this.#ending !== undefined || this.#memory !== opened) return;
    if (idle instanceof CrashedError) return this.#forget(opened);
    await this.#closedBy(
      (async () => {
        await this.#inTurn(async () => {
          const due = await nextWork(memory);
          const alarm = await this.#waking.getAlarm();
          if (due !== undefined) {
            const time = Math.ceil(Math.max(due, Date.now() + (this.#failures() > 0 ? this.#retryMs() : 0)));
            if (alarm !== time) await this.#wakeAt(time);
          } else if (alarm !== null) {
            await this.#waking.deleteAlarm();
          }
        });
        await this.#close();
      })(),
    );
  }

  async #close(): Promise<void> {
    const opened = this.#memory;
    this.#memory = undefined;
    if (opened === undefined) return;
    const startedAt = Date.now();
    try {
      await (await opened).close();
      this.#happened("close", startedAt);
    } catch (error) {
      // It is closed all the same; what was confirmed is stored.
      this.#happened("close", startedAt, typed(error));
    }
  }

  async #closedBy(ending: Promise<void>): Promise<void> {
    this.#ending = ending;
    try {
      await ending;
    } finally {
      if (this.#ending === ending) this.#ending = undefined;
    }
  }

  #wakeAt(time: number): Promise<void> {
    return this.#waking.setAlarm(Math.ceil(time));
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#turns.then(work);
    this.#turns = turn.catch(() => {});
    return turn;
  }

  #failures(): number {
    const kept = this.#waking.kv.get(FAILURES_KEY);
    return typeof kept === "number" ? kept : 0;
  }

  #count(hasFailed: boolean): void {
    const failures = this.#failures();
    if (hasFailed) this.#waking.kv.put(FAILURES_KEY, failures + 1);
    else if (failures > 0) this.#waking.kv.delete(FAILURES_KEY);
  }

  #retryMs(): number {
    return Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 4 ** Math.max(0, this.#failures() - 1));
  }
}

/** When there is something to do in the background; undefined when there is nothing that must be done. */
async function nextWork(memory: Pick<Memory, "jobs">): Promise<number | undefined> {
  const now = Date.now();
  let jobs: BackgroundJob[];
  try {
    jobs = await memory.jobs();
  } catch (error) {
    // It is closed with all that is due in the alarm, or deleted. Of one that crashed, whoever opens it next finds what is due.
    return typed(error) instanceof ClosedError ? undefined : now;
  }
  const times = jobs
    .filter(({ kind }) => !MINOR.includes(kind))
    .map(({ due, running, nextAt }) => (due || running ? now : nextAt))
    .filter((time) => time !== undefined);
  return times.length === 0 ? undefined : Math.min(...times);
}
