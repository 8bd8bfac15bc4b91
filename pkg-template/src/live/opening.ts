/** A memory that is open while somebody uses it, and what is asked of it. */
import { ClosedError, InvalidInputError } from "../errors.js";
import { reportError } from "../events.js";
import type { Memory } from "../memory.js";
import type { ScopePairs } from "../types.js";
import { Observable } from "./observable.js";
import { Query, type Question } from "./query.js";
import { scopeKey } from "./scope.js";
import { answered, failed, PENDING, type Live } from "./state.js";

/**
 * A memory: one that is open, which is left open, or a function that opens one. It is called when it is first needed, and what it
 * opened is closed when nothing needs it any more.
 */
export type GivenMemory = Memory<any> | (() => Promise<Memory<any>>);

/** The openings of what was given, so that two parts of a page that are given the same share it. */
const openings = new WeakMap<object, Opening>();

/** The opening of a memory, or of a function that opens one. @throws InvalidInputError when it is neither. */
export function openingOf(given: GivenMemory): Opening {
  if (typeof given !== "function") checkMemory(given);
  const opening = openings.get(given) ?? new Opening(given);
  openings.set(given, opening);
  return opening;
}

function checkMemory(memory: unknown): void {
  const { scope, watch } = Object(memory) as Partial<Memory>;
  if (typeof scope === "function" && typeof watch === "function") return;
  throw new InvalidInputError("memory: this is not a memory; pass one that openMemory() opened, or a function that returns openMemory(...)");
}

/** A memory that is open while somebody uses it. */
export class Opening extends Observable {
  readonly #given: GivenMemory;
  #state: Live<Memory> = PENDING;
  #users = 0;
  #opened: Promise<Memory> | undefined;
  /** Whether somebody else has closed it, or it died. */
  #isOver = false;
  /** The end of the one before. */
  #closing: Promise<void> = Promise.resolve();
  #forget = (): void => {};
  readonly #queries = new Map<string, Query>();

  constructor(given: GivenMemory) {
    super();
    this.#given = given;
  }

  get state(): Live<Memory> {
    return this.#state;
  }

  /**
   * Uses it, and opens it if nobody did, or if what they opened failed or was closed since; the answer lets go. Who lets go and takes
   * it again in one go, as React does to try effects, finds it as it was.
   */
  take(): () => void {
    this.#users += 1;
    if (this.#isOver || this.#state.error !== undefined) this.#end();
    this.#opened ??= this.#open();
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#users -= 1;
      soon(() => {
        if (this.#users === 0) this.#end();
      });
    };
  }

  /** The memory when it is open. @throws ClosedError when nobody uses it; what opening throws. */
  async ready(): Promise<Memory> {
    if (this.#opened === undefined) throw new ClosedError("the memory is not open: what provides it is not mounted");
    return this.#opened;
  }

  /** What is known of the answer to a question of a user. */
  stateOf(key: string, pairs: ScopePairs): Live<unknown> {
    return this.#queries.get(placeOf(key, pairs))?.state ?? PENDING;
  }

  /** Asks a question while somebody listens; the answer removes the listener. */
  ask(question: Question<unknown>, pairs: ScopePairs, listener: () => void): () => void {
    const place = placeOf(question.key, pairs);
    const query = this.#queries.get(place) ?? this.#begin(place, question, pairs);
    const stop = query.listen(listener);
    return () => {
      stop();
      soon(() => {
        if (query.isWanted || this.#queries.get(place) !== query) return;
        this.#queries.delete(place);
        query.end();
      });
    };
  }

  /** Asks for a page more of a question that is being asked. */
  async extend(key: string, pairs: ScopePairs): Promise<void> {
    await this.#queries.get(placeOf(key, pairs))?.extend();
  }

  #begin(place: string, question: Question<unknown>, pairs: ScopePairs): Query {
    const query = new Query(question, pairs, () => this.#state.data?.scope(pairs).readOnly());
    this.#queries.set(place, query);
    this.#inform(query);
    return query;
  }

  #open(): Promise<Memory> {
    const given = this.#given;
    const opened = typeof given === "function" ? this.#closing.then(given) : Promise.resolve(given);
    const checked = opened.then((memory) => {
      checkMemory(memory);
      return memory as Memory;
    });
    const isCurrent = (): boolean => this.#opened === checked;
    checked.then(
      (memory) => isCurrent() && this.#use(memory),
      (error: unknown) => isCurrent() && this.#show(failed(error)),
    );
    return checked;
  }

  #use(memory: Memory): void {
    this.#forget = memory.watch((event) => {
      this.#isOver ||= event.name === "close";
      for (const query of [...this.#queries.values()]) query.heard(event);
    });
    this.#show(answered(memory));
  }

  /** Closes what the function opened. */
  #end(): void {
    const opened = this.#opened;
    this.#opened = undefined;
    this.#isOver = false;
    this.#forget();
    this.#show(PENDING);
    if (opened === undefined || typeof this.#given !== "function") return;
    this.#closing = opened.then((memory) => memory.close(), () => {}).catch(reportError);
  }

  #show(state: Live<Memory>): void {
    this.#state = state;
    for (const query of this.#queries.values()) this.#inform(query);
    this.tell();
  }

  #inform(query: Query): void {
    if (this.#state.data === undefined) query.clear(this.#state);
    else void query.refresh();
  }
}

const placeOf = (key: string, pairs: ScopePairs): string => `${scopeKey(pairs)} ${key}`;

/** After all that the page does at once. */
const soon = (then: () => void): void => void setTimeout(then);
