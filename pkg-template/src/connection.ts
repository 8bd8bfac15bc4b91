/** The line to one open engine: calls, events, closing, and what happens when its instance dies. */
import type { FindKey } from "./encryption.js";
import { PIECE_BYTES } from "./bytes.js";
import { openChannel, type Channel } from "./channel.js";
import { AbortedError, ClosedError, failure, InvalidInputError, StorageError, typed, type MnemicError } from "./errors.js";
import { Listeners, type Events } from "./events.js";
import { inTime } from "./in-time.js";
import type { Imported, ImportOptions, ImportSource } from "./import/format.js";
import type { Instance } from "./instance.js";
import type { Engine, EngineConfiguration } from "./mnemic.js";
import { NUMBERS } from "./numbers.js";
import { bytesSteps, kind, passes, plainSteps, record } from "./plain.js";
import { inSlices } from "./slices.js";
import { begun, callSpan, newSpan, requestSpan } from "./spans.js";
import type { ModelRequest } from "./types.js";

/** How long closing waits for a storage that does not answer. */
const CLOSING_MS = 10_000;

/** An open engine. */
export class Connection {
  readonly listeners = new Listeners();
  readonly #instance: Instance;
  readonly #engine: Engine;
  readonly #channel: Channel | undefined;
  /** Lets go of what keeps others away. */
  readonly #release: (() => void) | undefined;
  readonly #forget: () => void;
  /** Calls that the engine has not answered yet. */
  readonly #running = new Set<Promise<unknown>>();
  /** Arguments that are being written, after which those of later calls come. */
  #writing: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  private constructor(instance: Instance, engine: Engine, channelName: string | undefined, release: (() => void) | undefined) {
    this.#instance = instance;
    this.#engine = engine;
    this.#channel = channelName === undefined ? undefined : openChannel(channelName, () => this.#told());
    this.#release = release;
    this.#forget = instance.onCrash((error) => this.#crashed(error));
    engine.listen((text) => this.#heard(JSON.parse(text) as { [key: string]: unknown }));
  }

  /**
   * Opens an engine.
   *
   * @param channelName given when other tabs may open the same storage.
   * @param release called once, when an open engine is closed or dies.
   */
  static async open(
    instance: Instance,
    configuration: EngineConfiguration,
    channelName: string | undefined,
    release: (() => void) | undefined,
  ): Promise<Connection> {
    const engine = await untilCrash(instance, () => instance.open(configuration));
    return new Connection(instance, engine, channelName, release);
  }

  /**
   * Calls a method of the engine.
   *
   * @param scope JSON text, or empty for what concerns the whole engine.
   * @param input the arguments, one flat object.
   * @param options the caller's options: `signal` stays here, the rest goes with the arguments.
   */
  async call<Result>(method: string, scope: string, input: object, options?: unknown): Promise<Result> {
    if (!this.listeners.has("span") || method === "inspect") return this.#call(method, scope, input, options);
    const [id, start] = [newSpan(), begun()];
    let code: string | undefined;
    try {
      return await this.#call(`span:${id}:${method}`, scope, input, options);
    } catch (error) {
      code = (error as Partial<MnemicError>).code ?? "Internal";
      throw error;
    } finally {
      this.listeners.emit("span", callSpan(id, method.replace("read:", ""), start, code));
    }
  }

  async #call<Result>(method: string, scope: string, input: object, options: unknown): Promise<Result> {
    this.#usable();
    const { signal, ...rest } = record(options, "options");
    const repeated = Object.keys(rest).find((name) => Object.hasOwn(input, name));
    if (repeated !== undefined) {
      throw new InvalidInputError(`options.${repeated}: this is an argument, not an option; leave it out`);
    }
    const watched = abortSignal(signal);
    const { [NUMBERS]: numbers, ...others } = input as { readonly [NUMBERS]?: Float32Array };
    const written = this.#written({ ...rest, ...others });
    // What is short goes to the engine before whatever the app does next.
    const text = written instanceof Promise ? await written : written;
    if (watched?.aborted) throw aborted(watched);
    const engine = this.#engine;
    const answer = untilCrash(this.#instance, async () => {
      return typeof text === "string" ? engine.call(method, scope, text, numbers) : (engine.callLong?.(method, scope, text, numbers) ?? "");
    });
    this.#track(answer);
    return JSON.parse(await untilAbort(answer, watched)) as Result;
  }

  /** Calls a method of the whole engine, without arguments, to look after what is open; the app has no part in it. */
  async upkeep<Result>(method: string): Promise<Result> {
    this.#usable();
    const answer = untilCrash(this.#instance, () => this.#engine.call(method, "", "{}", undefined, true));
    this.#track(answer);
    return JSON.parse(await answer) as Result;
  }

  /** Is told of requests to models from now on. */
  watch(): void {
    this.upkeep("watch").catch(this.#tell);
  }

  /** The text of arguments. Long lists are written in slices, and calls stay in the order in which they were made. */
  #written(input: object): Written | Promise<Written> {
    const text = inSlices(writingSteps(input, this.#engine.callLong !== undefined));
    const before = this.#writing;
    if (before === undefined && !(text instanceof Promise)) return text;
    const writing = Promise.all([text, before]).then(([text]) => text);
    const done = writing.then(
      () => {},
      () => {},
    );
    this.#writing = done;
    void done.then(() => {
      if (this.#writing === done) this.#writing = undefined;
    });
    return writing;
  }

  /** Moves a piece of a transfer that a call has begun: takes bytes in, or answers the next, none after the last. */
  async transfer(number: number, bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
    this.#usable();
    const answer = untilCrash(this.#instance, () => this.#engine.transfer(number, bytes));
    this.#track(answer);
    return answer;
  }

  /** Imports into a scope where the engine runs; undefined when that is here. */
  get import(): ((scope: string, source: ImportSource, options: ImportOptions) => Promise<Imported>) | undefined {
    const enter = this.#engine.import?.bind(this.#engine);
    if (enter === undefined) return undefined;
    return async (...given) => {
      this.#usable();
      const answer = enter(...given);
      this.#track(answer);
      return answer;
    };
  }

  /** Encrypts the memory, or changes its key; the same for the lock of a scope, or unlocks that. Other tabs are told to look. */
  async encrypt(find: FindKey, scope = "", unlocks = false): Promise<void> {
    this.#usable();
    const answer = untilCrash(this.#instance, () => this.#engine.encrypt(find, scope, unlocks));
    this.#track(answer);
    await answer;
    this.announce();
  }

  /** Reads what others have written since. */
  async refresh(): Promise<void> {
    this.#usable();
    const answer = untilCrash(this.#instance, () => this.#engine.refresh());
    this.#track(answer);
    return answer;
  }

  /** Tells other tabs that there is something to read. */
  announce(): void {
    this.#channel?.announce();
  }

  /**
   * Closes the engine; closing again waits for the same end.
   *
   * @throws StorageError when the storage does not answer in time; the engine is closed all the same.
   */
  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    if (this.#instance.crash !== undefined) return;
    try {
      const writing = this.#writing;
      const closed = untilCrash(this.#instance, () => (writing === undefined ? this.#engine.close() : writing.then(() => this.#engine.close())));
      // A call that a storage of the app never answers keeps its engine, but not the one who closes.
      void Promise.allSettled([closed, ...this.#running]).then(() => this.#engine.free());
      await inTime(closed, CLOSING_MS, () => {
        const message =
          `the storage did not answer for ${CLOSING_MS / 1000} s, and closing waits no longer; whether the calls that were not ` +
          "answered are stored is unknown: open the memory again and read";
        return new StorageError(message, { details: { timeoutMs: CLOSING_MS } });
      });
    } finally {
      this.#forget();
      this.#letGo();
    }
  }

  #usable(): void {
    if (this.#instance.crash !== undefined) throw this.#instance.crash;
    if (this.#closing !== undefined) throw new ClosedError("the memory is closed; open it again with openMemory()");
  }

  #track(answer: Promise<unknown>): void {
    const settled = (): void => void this.#running.delete(answer);
    this.#running.add(answer);
    answer.then(settled, settled);
  }

  #heard({ type, ...event }: { [key: string]: unknown }): void {
    if (type === "request") return this.listeners.emit("span", requestSpan(event as unknown as ModelRequest));
    const name = type as keyof Events;
    // A fresh worker knows nobody who listens.
    if (name === "restart" && this.listeners.has("span")) this.watch();
    if (name === "change" && event["remote"] === false) this.announce();
    this.listeners.emit(name, event as never);
  }

  /** What another tab told of is read. */
  #told(): void {
    this.refresh().catch(this.#tell);
  }

  /** Tells listeners of a failure that no call reports. */
  readonly #tell = (error: MnemicError): void => {
    if (this.#closing === undefined) this.listeners.emit("error", failure(error));
  };

  #crashed(error: MnemicError): void {
    this.listeners.emit("error", failure(error));
    this.#letGo();
  }

  #letGo(): void {
    this.#release?.();
    this.#channel?.close();
    this.listeners.clear();
  }
}

/** The arguments of a call as JSON; for an engine elsewhere, UTF-8 in pieces when they are long. */
type Written = string | Uint8Array<ArrayBuffer>[];

/** Arguments of more parts are long. */
const LONG_PARTS = 16;

function* writingSteps(input: object, isSent: boolean): Generator<void, Written> {
  const parts = yield* plainSteps(input);
  if (!isSent || parts.length <= LONG_PARTS) return parts.join("");
  const bytes = yield* bytesSteps(parts);
  let left = bytes.reduce((sum, { length }) => sum + length, 0);
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let [piece, at] = [new Uint8Array(Math.min(left, PIECE_BYTES)), 0];
  for (const part of bytes) {
    for (let from = 0; from < part.length; ) {
      const some = part.subarray(from, from + piece.length - at);
      piece.set(some, at);
      at += some.length;
      from += some.length;
      if (at < piece.length) continue;
      pieces.push(piece);
      left -= at;
      [piece, at] = [new Uint8Array(Math.min(left, PIECE_BYTES)), 0];
      yield;
    }
  }
  return pieces;
}

/** Enters the engine. An instance that dies answers nothing more, so its death answers all calls that run. */
async function untilCrash<Result>(instance: Instance, enter: () => Promise<Result>): Promise<Result> {
  if (instance.crash !== undefined) throw instance.crash;
  let forget = (): void => {};
  const crash = new Promise<never>((_, reject) => {
    forget = instance.onCrash(reject);
  });
  // An instance that dies at once is reported by what is caught below.
  crash.catch(() => {});
  try {
    return await Promise.race([enter(), crash]);
  } catch (error) {
    throw instance.crash ?? typed(error);
  } finally {
    forget();
  }
}

/** The answer, or `AbortedError` as soon as the signal fires. */
async function untilAbort<Result>(answer: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (signal === undefined) return answer;
  let forget = (): void => {};
  const abort = new Promise<never>((_, reject) => {
    const fired = (): void => reject(aborted(signal));
    signal.addEventListener("abort", fired, { once: true });
    forget = () => signal.removeEventListener("abort", fired);
  });
  try {
    return await Promise.race([answer, abort]);
  } finally {
    forget();
  }
}

function abortSignal(value: unknown): AbortSignal | undefined {
  if (value === undefined) return undefined;
  // By its shape: a signal may come from another realm.
  const signal = value as Partial<AbortSignal> | null;
  const isSignal = (): boolean => typeof signal?.aborted === "boolean" && typeof signal.addEventListener === "function";
  if (passes(isSignal)) return signal as AbortSignal;
  throw new InvalidInputError(`options.signal: ${kind(value)} is not an AbortSignal; pass controller.signal`);
}

/** The error of an aborted call. */
function aborted(signal: AbortSignal): AbortedError {
  return new AbortedError("the call was aborted; what is already durable stays", { cause: signal.reason });
}
