/** The page's line to a worker, from its greeting to its end. */
import { CrashedError, InvalidInputError, LoadError, type MnemicError } from "../errors.js";
import { inTime } from "../in-time.js";
import { heldForever, PROTOCOL, type Greeting, type Opening, type Welcome } from "./protocol.js";
import { Wire } from "./wire.js";

/** A worker as the page has it. */
export type AnyWorker = Worker | SharedWorker;

/** How long a worker may take to load its script. */
const GREETING_MS = 30_000;

/** A worker that has answered. */
export class Link {
  readonly #worker: AnyWorker;
  readonly #wire: Wire;
  readonly #listeners = new Set<(error: MnemicError) => void>();
  readonly #ended = new AbortController();

  private constructor(worker: AnyWorker, wire: Wire) {
    this.#worker = worker;
    this.#wire = wire;
  }

  /**
   * Greets a worker.
   *
   * @throws LoadError when its script cannot be loaded, or does not answer.
   */
  static async to(start: () => AnyWorker): Promise<Link> {
    let worker: AnyWorker;
    try {
      worker = start();
    } catch (cause) {
      if (cause instanceof InvalidInputError) throw cause;
      throw new LoadError(`the worker cannot be started (${String(cause)}); ${CURE}`, { cause });
    }
    const { port1, port2 } = new MessageChannel();
    // A page that may not have locks is not missed when it goes.
    const lock = await heldForever("mnemic:page:").catch(() => undefined);
    const answered = new Promise<[Welcome, Wire]>((resolve, reject) => {
      worker.addEventListener("error", (event) => {
        const why = (event as Partial<ErrorEvent>).message ?? "its script was not loaded";
        reject(new LoadError(`the worker cannot be started (${why}); ${CURE}`, { cause: (event as Partial<ErrorEvent>).error }));
      });
      const wire: Wire = new Wire(port1, (_, [welcome]) => {
        resolve([welcome as unknown as Welcome, wire]);
      });
    });
    const greeting: Greeting = { mnemic: PROTOCOL, lock };
    if (worker instanceof Worker) worker.postMessage(greeting, [port2]);
    else worker.port.postMessage(greeting, [port2]);
    try {
      const late = (): LoadError => new LoadError(`the worker did not answer for ${GREETING_MS / 1000} s; ${CURE}`);
      const [welcome, wire] = await inTime(answered, GREETING_MS, late);
      const link = new Link(worker, wire);
      link.#watch(welcome.lock);
      return link;
    } catch (error) {
      port1.close();
      if (worker instanceof Worker) worker.terminate();
      throw error;
    }
  }

  /** Opens something on a port of its own. */
  open(what: Opening[0], configuration: object, port: MessagePort): Promise<void> {
    return this.#wire.ask("open", [what, configuration, port], { transfer: [port] });
  }

  /** Calls the listener when the worker dies; the answer takes it back. */
  onDeath(listener: (error: MnemicError) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** What to do about an engine that crashed: a worker that is this page's alone goes with it. */
  crashed(error: MnemicError): void {
    if (this.#worker instanceof Worker) this.#die(error);
  }

  /** Lets go of the worker: one that is this page's alone ends. */
  end(): void {
    this.#ended.abort();
    this.#wire.end(new CrashedError(ENDED));
    if (this.#worker instanceof Worker) this.#worker.terminate();
    else this.#worker.port.close();
  }

  #watch(lock: string | undefined): void {
    if (lock === undefined) return;
    // It is had when the worker has ended.
    const had = navigator.locks.request(lock, { signal: this.#ended.signal }, () => this.#die(new CrashedError(ENDED)));
    had.catch(() => {});
  }

  #die(error: MnemicError): void {
    if (this.#ended.signal.aborted) return;
    this.#wire.end(error);
    this.end();
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener(error);
  }
}

const CURE =
  'serve the files of mnemic from the page\'s own origin and allow them as worker-src, or pass a function as options.worker that ' +
  "starts a script of yours with serveMemories() of mnemic/worker";

const ENDED =
  "the worker that ran the memory has ended; the next call goes to a fresh one. What was confirmed is stored; of what was under way, read " +
  "whether it is";

