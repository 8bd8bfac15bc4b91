/** Whose memory a part of a page shows. */
import { InvalidInputError, typed } from "../errors.js";
import type { Memory } from "../memory.js";
import type { ProfileSchemas } from "../schema.js";
import type { Scope } from "../scope.js";
import type { ScopePairs } from "../types.js";
import type { Opening } from "./opening.js";
import type { Question } from "./query.js";
import { scopeKey } from "./scope.js";
import { PENDING, type Live } from "./state.js";

/** What is known of the memory itself. */
export interface UsedMemory<Schemas extends ProfileSchemas = {}> {
  /** The memory; undefined until it is open. */
  readonly memory: Memory<Schemas> | undefined;
  /** The user's part of it; undefined also while there is no user. */
  readonly user: Scope<Schemas> | undefined;
  /** Why it could not be opened, or why these pairs name no user. */
  readonly error: Error | undefined;
  /** Whether it is being opened. */
  readonly pending: boolean;
}

/** Before it is open, and always on a server. */
export const UNOPENED: UsedMemory = Object.freeze({ memory: undefined, user: undefined, error: undefined, pending: true });

/** What answers questions about a user. */
export interface Answering {
  /** Asks a question while somebody listens; the answer removes the listener. */
  ask(question: Question<unknown> | undefined, listener: () => void): () => void;
  /** What is known of the answer, the same object until that changes; that it is pending when there is no question. */
  state<Data>(question: Question<Data> | undefined): Live<Data>;
}

/** The memory of one user, or of nobody while nobody is logged in. */
export class LiveUser implements Answering {
  /** Equal for the same user of the same memory. */
  readonly key: string;
  readonly opening: Opening;
  readonly #pairs: ScopePairs | null | undefined;
  #used: UsedMemory = UNOPENED;
  #of: Live<Memory> = PENDING;

  constructor(opening: Opening, pairs: ScopePairs | null | undefined) {
    this.opening = opening;
    this.#pairs = pairs;
    this.key = userKey(pairs);
  }

  /** The memory and the user; the same object until either changes. */
  get used(): UsedMemory {
    const { state } = this.opening;
    if (state === this.#of) return this.#used;
    const { data: memory, error, pending } = state;
    this.#of = state;
    this.#used = Object.freeze({ memory, user: undefined, error, pending, ...this.#scopeOf(memory) });
    return this.#used;
  }

  state<Data>(question: Question<Data> | undefined): Live<Data> {
    if (question === undefined || !this.#pairs) return PENDING;
    return this.opening.stateOf(question.key, this.#pairs) as Live<Data>;
  }

  ask(question: Question<unknown> | undefined, listener: () => void): () => void {
    if (question === undefined || !this.#pairs) return () => {};
    return this.opening.ask(question, this.#pairs, listener);
  }

  /** Asks for a page more. */
  async extend(question: Question<unknown>): Promise<void> {
    if (this.#pairs) await this.opening.extend(question.key, this.#pairs);
  }

  /** Writes for this user, whoever is the user by then; waits until the memory is open. */
  async write<Result>(work: (user: Scope) => Promise<Result>): Promise<Result> {
    if (!this.#pairs) throw new InvalidInputError("nobody is logged in: the user is null; pass the pairs of a user");
    return work((await this.opening.ready()).scope(this.#pairs));
  }

  #scopeOf(memory: Memory | undefined): Partial<UsedMemory> {
    if (memory === undefined || !this.#pairs) return {};
    try {
      return { user: memory.scope(this.#pairs) };
    } catch (error) {
      return { error: typed(error) };
    }
  }
}

/** A user as text; empty for nobody. */
export const userKey = (pairs: ScopePairs | null | undefined): string => (pairs ? scopeKey(pairs) : "");
