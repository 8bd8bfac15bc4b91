/** Something that is open in a worker, and is opened anew in a fresh one when that ends. */
import { ClosedError, CrashedError, type MnemicError } from "../errors.js";
import { received, type SentFailure } from "./failure.js";
import type { Pool } from "./pool.js";
import type { Opening } from "./protocol.js";
import { Wire, type Asking, type Serve } from "./wire.js";

/** What is opened, and who is told what becomes of it. */
export interface Subject {
  readonly what: Opening[0];
  /** What it is opened with; asked anew each time. */
  configuration(): object;
  /** Answers what the worker asks. */
  readonly serve: Serve;
  /** Its worker has ended; answers whether it can be opened anew. */
  onLost(error: MnemicError): boolean;
  /** It is open again. */
  onReopened(reason: MnemicError): void;
}

/** The line to it. */
export class Session {
  readonly #pool: Pool;
  readonly #subject: Subject;
  #open: Promise<Wire> | undefined;
  /** Why it is to be opened anew. */
  #lost: MnemicError | undefined;
  /** Whether the worker has answered since it was opened: one that dies at once would be started for ever. */
  #hasAnswered = false;
  #giveBack: (() => void) | undefined;
  #isEnded = false;

  private constructor(pool: Pool, subject: Subject) {
    this.#pool = pool;
    this.#subject = subject;
  }

  static async begin(pool: Pool, subject: Subject): Promise<Session> {
    const session = new Session(pool, subject);
    await session.#wire();
    return session;
  }

  /** Whether it is open, or being opened. */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Asks it; opens it anew first where its worker has ended. */
  async ask<Answer>(name: string, values: readonly unknown[] = [], asking?: Asking): Promise<Answer> {
    const wire = await this.#wire();
    const answer = await wire.ask<Answer>(name, values, asking);
    this.#hasAnswered = true;
    return answer;
  }

  /** Ends it, and its worker if nobody else uses that. */
  end(): void {
    this.#isEnded = true;
    const open = this.#open;
    this.#open = undefined;
    void open?.then(
      (wire) => wire.end(new ClosedError("the memory is closed; open it again")),
      () => {},
    );
    this.#giveBack?.();
  }

  #wire(): Promise<Wire> {
    if (this.#open === undefined) {
      const mine = this.#connect();
      this.#open = mine;
      mine.catch(() => {
        if (this.#open === mine) this.#open = undefined;
      });
    }
    return this.#open;
  }

  async #connect(): Promise<Wire> {
    const [link, giveBack] = await this.#pool.take();
    const { port1, port2 } = new MessageChannel();
    const forget = link.onDeath((error) => lost(error));
    const lost = (error: MnemicError): void => {
      forget();
      wire.end(error);
      giveBack();
      if (isOpened) this.#wasLost(error);
    };
    const wire: Wire = new Wire(port1, (name, values, signal): unknown => {
      if (name !== "crashed") return this.#subject.serve(name, values, signal);
      const [failure] = values as unknown as [SentFailure];
      const cause = received(failure) as MnemicError;
      const error = new CrashedError(`the engine crashed in its worker (${cause.message}); the next call goes to a fresh one`, { cause });
      link.crashed(error);
      // A worker of several pages goes on.
      return lost(error);
    });
    let isOpened = false;
    try {
      await link.open(this.#subject.what, this.#subject.configuration(), port2);
    } catch (error) {
      forget();
      wire.end(error);
      giveBack();
      throw error;
    }
    isOpened = true;
    this.#giveBack = () => {
      forget();
      giveBack();
    };
    this.#hasAnswered = false;
    const reason = this.#lost;
    this.#lost = undefined;
    if (reason !== undefined) this.#subject.onReopened(reason);
    return wire;
  }

  #wasLost(error: MnemicError): void {
    if (this.#isEnded || this.#lost !== undefined) return;
    this.#lost = error;
    this.#open = undefined;
    const canReopen = this.#subject.onLost(error);
    // Background work goes on, and so do events.
    if (canReopen && this.#hasAnswered) this.#wire().catch(() => {});
  }
}
