/** An engine in the worker, and the pages that use it. */
import { joined } from "../bytes.js";
import { ClosedError, CrashedError, type MnemicError } from "../errors.js";
import type { Engine } from "../mnemic.js";
import { pageKeys, type Ask } from "./client.js";
import { sent } from "./failure.js";
import { importHere, type Importing } from "./importing.js";
import { Crossing } from "./packing.js";
import { Moved, Wire } from "./wire.js";

/** A page that uses the engine. */
interface User {
  readonly wire: Wire;
  /** The options of calls that are long. */
  readonly crossing: Crossing<Uint8Array>;
  /** How many calls of whoever uses it the engine has not answered. */
  calls: number;
}

/** One engine; without pages it is closed. */
export class Hosted {
  /** The one that called last is the last. */
  #users: User[] = [];
  readonly #engine: Promise<Engine>;
  /** Calls that the engine has not answered yet. */
  readonly #running = new Set<Promise<unknown>>();
  /** It is being closed. */
  #ending: Promise<void> | undefined;
  readonly #onClosed: () => void;
  readonly #onEncrypted: () => void;

  /**
   * @param open opens the engine, which asks its pages through the function.
   * @param onEncrypted called before the engine is encrypted: from then on not everybody may use it.
   * @param onClosed called when it begins to close, or has crashed.
   */
  constructor(open: (ask: Ask) => Promise<Engine>, onEncrypted: () => void, onClosed: () => void) {
    this.#onEncrypted = onEncrypted;
    this.#onClosed = onClosed;
    this.#engine = Promise.resolve().then(() => open((name, values, asking) => this.#ask(name, values, asking)));
    this.#engine.then(
      (engine) => engine.listen((event) => this.#tell(event)),
      () => this.#onClosed(),
    );
  }

  /** Lets a page use it over a port; rejects when the engine cannot be opened. The answer lets the page go. */
  async join(port: MessagePort): Promise<() => void> {
    const crossing = new Crossing<Uint8Array>((lost) => new CrashedError(`${lost} of what was given are lost, and nothing was done; call again`));
    const user: User = { calls: 0, crossing, wire: new Wire(port, (name, values, signal) => this.#serve(user, name, values, signal)) };
    this.#users.push(user);
    try {
      await this.#engine;
    } catch (error) {
      user.wire.end(error);
      throw error;
    }
    return () => void this.#leave(user, true).catch(() => {});
  }

  /** The instance under the engine is dead. */
  crashed(error: MnemicError): void {
    for (const { wire } of this.#users) {
      wire.tell("crashed", sent(error));
      wire.end(error);
    }
    this.#users = [];
    this.#onClosed();
  }

  #serve(user: User, name: string, values: readonly unknown[], signal: AbortSignal): unknown {
    switch (name) {
      case "call": {
        const [method, scope, options, numbers, isUpkeep] = values as Parameters<Engine["call"]>;
        return this.#enter(user, (engine) => engine.call(method, scope, options, numbers), isUpkeep);
      }
      case "piece": {
        const [number, piece] = values as [number, Uint8Array];
        return user.crossing.take(number, piece);
      }
      case "callLong": {
        const [method, scope, number, count, numbers] = values as [string, string, number, number, Float32Array | undefined];
        const options = new TextDecoder().decode(joined(user.crossing.all(number, count)));
        return this.#enter(user, (engine) => engine.call(method, scope, options, numbers));
      }
      case "transfer": {
        const [number, bytes] = values as Parameters<Engine["transfer"]>;
        return this.#enter(user, async (engine) => {
          const piece = await engine.transfer(number, bytes);
          return new Moved(piece, [piece.buffer]);
        });
      }
      case "encrypt": {
        const [finder, scope, unlocks] = values as [number, string, boolean];
        if (scope === "") this.#onEncrypted();
        const find = pageKeys((asked, given, asking) => user.wire.ask(asked, given, asking), finder);
        return this.#enter(user, (engine) => engine.encrypt(find, scope, unlocks));
      }
      case "import":
        return this.#enter(user, (engine) => importHere(engine, user.wire, values as unknown as Importing, signal));
      case "refresh":
        return this.#enter(user, (engine) => engine.refresh(), true);
      case "close":
        return this.#leave(user);
      default:
        throw new TypeError(`nothing here is called ${name}`);
    }
  }

  /** @param isUpkeep whether the page looks after itself, and nobody uses it; also after another's write. */
  async #enter<Answer>(user: User, work: (engine: Engine) => Promise<Answer>, isUpkeep = false): Promise<Answer> {
    if (!isUpkeep) {
      // Of one that has left, nothing is found, and the last one stays the last.
      this.#users.push(...this.#users.splice(this.#users.indexOf(user), 1));
      user.calls += 1;
    }
    const answer = this.#engine.then(work);
    this.#running.add(answer);
    try {
      return await answer;
    } finally {
      this.#running.delete(answer);
      if (!isUpkeep) user.calls -= 1;
    }
  }

  /** A page closes its memory, or is gone. The last one closes the engine. */
  async #leave(user: User, isGone = false): Promise<void> {
    if (!this.#users.includes(user)) return;
    const left = new ClosedError("the page that was asked is gone");
    const others = this.#users.filter((other) => other !== user);
    if (others.length > 0) this.#users = others;
    // What it was asked is asked of another.
    if (isGone) user.wire.end(left);
    else if (others.length > 0) user.wire.abandon(left);
    if (others.length > 0) return;
    // A page that closes its memory may be gone before that is done.
    await (this.#ending ??= this.#end());
  }

  async #end(): Promise<void> {
    this.#onClosed();
    const engine = await this.#engine;
    const closed = engine.close();
    void Promise.allSettled([closed, ...this.#running]).then(() => engine.free());
    await closed;
    this.#users = [];
  }

  /** Asks the page that called last; when it goes away, the one before it. */
  async #ask<Answer>(name: string, values: readonly unknown[], asking?: Parameters<Ask>[2]): Promise<Answer> {
    for (;;) {
      const user = this.#users.at(-1);
      if (user === undefined) throw new CrashedError("no page is left to be asked");
      try {
        return await user.wire.ask<Answer>(name, values, asking);
      } catch (error) {
        if (this.#users.includes(user) || asking?.signal?.aborted) throw error;
      }
    }
  }

  /** Tells the pages of an event. A commit is the own one of pages whose calls are under way, else of one of them. */
  #tell(text: string): void {
    const authors = this.#users.filter(({ calls }) => calls > 0);
    const last = this.#users.at(-1);
    if (authors.length === 0 && last !== undefined) authors.push(last);
    const event = this.#users.length > 1 ? (JSON.parse(text) as { remote?: boolean }) : {};
    const foreign = event.remote === false ? JSON.stringify({ ...event, remote: true }) : text;
    for (const user of this.#users) user.wire.tell("event", authors.includes(user) ? text : foreign);
  }
}
