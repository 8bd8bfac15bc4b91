/** One question about a user's memory, and its latest answer. */
import type { AnyEvent, ChangeEvent, Events } from "../events.js";
import type { Scope } from "../scope.js";
import type { ScopePairs } from "../types.js";
import { Observable } from "./observable.js";
import { scopeKey } from "./scope.js";
import { answered, failed, kept, PENDING, type Live } from "./state.js";

/** A kind of record, as in the event `"change"`. */
export type ChangedKind = Exclude<ChangeEvent["changes"][number]["kind"], "task">;

/** Failures after which a memory answers nothing: another tab has changed its key, or its instance died. */
const ENDS: ReadonlySet<string> = new Set(["Locked", "Crashed"]);

/** As often as this, at most, a question is asked: a screen shows no more. */
const FRAME_MS = 16;

/** What a question is asked with. */
export interface Asking {
  /** Fires when nobody wants the answer any more. */
  readonly signal: AbortSignal;
  /** How many pages are wanted: 1 until `extend`. */
  readonly pages: number;
}

/** A question about a user's memory. */
export interface Question<Data> {
  /** What it asks, in full: two questions with one key have the same answer, and are asked once. */
  readonly key: string;
  /** The kinds of records whose changes may change the answer. Default: all. */
  readonly kinds?: readonly ChangedKind[] | undefined;
  /** Asks it. The scope is read-only. */
  ask(user: Scope, asking: Asking): Promise<Data>;
}

/** A question that is asked again whenever its answer may have changed, one time after the other. */
export class Query extends Observable {
  #state: Live<unknown> = PENDING;
  readonly #question: Question<unknown>;
  readonly #scope: string;
  /** The user's memory as it is open now; undefined while it is not. */
  readonly #user: () => Scope | undefined;
  readonly #ended = new AbortController();
  #pages = 1;
  /** Counts what makes answers to earlier requests worthless. */
  #epoch = 0;
  #isStale = false;
  #running: Promise<void> | undefined;
  /** Until a new answer could be seen. */
  #pause: Promise<void> | undefined;

  constructor(question: Question<unknown>, pairs: ScopePairs, user: () => Scope | undefined) {
    super();
    this.#question = question;
    this.#scope = scopeKey(pairs);
    this.#user = user;
  }

  get state(): Live<unknown> {
    return this.#state;
  }

  /** Asks again. What changes while it is being asked is seen by asking once more; resolves when nothing newer is known of. */
  refresh(): Promise<void> {
    this.#isStale = true;
    return (this.#running ??= this.#untilFresh());
  }

  /** Asks for a page more. */
  extend(): Promise<void> {
    this.#pages += 1;
    return this.refresh();
  }

  /** Shows that there is no answer, and why, and tells so in any case; one that is under way is not shown any more. */
  clear(why: Live<never> = PENDING): void {
    this.#epoch += 1;
    // Who waits shows nothing, or what is no longer to be shown either.
    if (!this.#show(why) && !this.#ended.signal.aborted) this.tell();
  }

  /** Nothing is asked, and nothing shown, from here on. */
  end(): void {
    this.#ended.abort();
  }

  /** Takes note of an event of the memory. */
  heard({ name, event }: AnyEvent): void {
    switch (name) {
      case "change":
        return this.#concerns(event as ChangeEvent) ? void this.refresh() : undefined;
      case "extraction":
        return;
      case "lock": {
        const { scope, locked } = event as Events["lock"];
        if (scopeKey(scope) !== this.#scope) return;
        if (locked) this.clear();
        return void this.refresh();
      }
      case "error":
        // Not for any other failure: asking may have caused it.
        if (!ENDS.has((event as Events["error"]).code)) return;
        return void this.refresh();
      default:
        // Its worker was replaced, what was lost came back, it was closed.
        void this.refresh();
    }
  }

  #concerns({ cause, scope, changes }: ChangeEvent): boolean {
    const { kinds } = this.#question;
    if (cause === "access" || (cause === "embed" && kinds !== undefined)) return false;
    const isOf = (kind: ChangeEvent["changes"][number]["kind"]): boolean => kind !== "task" && (kinds?.includes(kind) ?? true);
    return changes.some(({ kind }) => isOf(kind)) && scopeKey(scope) === this.#scope;
  }

  async #untilFresh(): Promise<void> {
    try {
      // Waiting, if only for a moment, lets what happens at once be seen at once.
      for (await this.#pause; this.#isStale && !this.#ended.signal.aborted; await this.#pause) {
        this.#isStale = false;
        const epoch = this.#epoch;
        const state = await this.#ask();
        if (state === undefined || epoch !== this.#epoch) continue;
        this.#show(state);
        this.#pause = new Promise((resolve) => setTimeout(resolve, FRAME_MS));
      }
    } finally {
      this.#running = undefined;
    }
  }

  async #ask(): Promise<Live<unknown> | undefined> {
    try {
      const user = this.#user();
      if (user === undefined) return undefined;
      const data = await this.#question.ask(user, { signal: this.#ended.signal, pages: this.#pages });
      return answered(kept(this.#state.data, data));
    } catch (error) {
      return failed(error);
    }
  }

  /** Answers whether it has told of it. */
  #show(state: Live<unknown>): boolean {
    if (this.#ended.signal.aborted) return false;
    const { data, error, pending } = this.#state;
    if (pending === state.pending && error === state.error && Object.is(data, state.data)) return false;
    this.#state = state;
    this.tell();
    return true;
  }
}
