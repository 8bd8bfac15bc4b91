/** The page's side: an instance whose engines run in a worker. */
import { PIECE_BYTES } from "../bytes.js";
import type { FindKey } from "../encryption.js";
import { AbortedError, CrashedError, failure, type MnemicError } from "../errors.js";
import type { Imported, ImportOptions, ImportProgress, ImportSource } from "../import/format.js";
import type { Instance } from "../instance.js";
import type { Engine, EngineConfiguration, StorageAddress, StorageHandle } from "../mnemic.js";
import { isRecord, kind, refused } from "../plain.js";
import type { Leaving, Way } from "../safekeeping/carrying.js";
import type { Pairs, StorageBatch, StorageObject } from "../storage.js";
import type { AnyWorker } from "./link.js";
import { packBatch, packPairs, packVectors, unpackBatch, unpackPairs } from "./packing.js";
import { piecesOf, type Pieces } from "./pieces.js";
import { Pool } from "./pool.js";
import type { RemoteConfiguration } from "./protocol.js";
import { Session } from "./session.js";
import type { Serve } from "./wire.js";

/** A worker that `openMemory` starts: one that is the page's alone, or one of all pages of the origin. */
export type WorkerKind = "dedicated" | "shared";

/** Starts a worker of the package. */
export type StartWorker = (kind: WorkerKind) => AnyWorker;

/** The workers of the package that this page uses. */
const pools = new Map<StartWorker, Map<WorkerKind, Pool>>();

/** The instance of a worker of the package, which all memories of the page share. */
export function instanceOf(which: WorkerKind, start: StartWorker): RemoteInstance {
  const mine = pools.get(start) ?? new Map<WorkerKind, Pool>();
  pools.set(start, mine);
  const pool = mine.get(which) ?? new Pool(() => start(which));
  mine.set(which, pool);
  return remoteInstance(pool);
}

/**
 * An instance in a worker of the app, for one memory.
 *
 * @throws InvalidInputError when the function answers something else.
 */
export function instanceIn(start: () => unknown): RemoteInstance {
  return remoteInstance(
    new Pool(() => {
      const worker = start();
      if (worker instanceof Worker || (typeof SharedWorker !== "undefined" && worker instanceof SharedWorker)) return worker;
      throw refused("options.worker", `what the function answers, ${kind(worker)},`, "answer a new Worker or SharedWorker");
    }),
  );
}

/** An instance in a worker, which can carry memories between storages that it can open. */
export interface RemoteInstance extends Instance {
  carry(way: Way, leaving: Leaving): Promise<void>;
}

/** It has no death of its own: what is open in it is opened anew in a fresh one. */
function remoteInstance(pool: Pool): RemoteInstance {
  return {
    open: (configuration) => RemoteEngine.open(pool, configuration),
    openStorage: (address) => remoteStorage(pool, address),
    carry: (way, leaving) => remoteCarry(pool, way, leaving),
    crash: undefined,
    onCrash: () => () => {},
  };
}

class RemoteEngine implements Engine {
  readonly #configuration: EngineConfiguration;
  /** What finds keys: the first opens the memory. */
  readonly #finders = new Map<number, FindKey>();
  #lastFinder = 0;
  /** What is being imported. */
  readonly #imports = new Map<number, { readonly pieces: Pieces; progress(progress: ImportProgress): void }>();
  #lastImport = 0;
  /** What is long and still crosses: later calls stay behind it. */
  #sending: Promise<void> | undefined;
  #lastLong = 0;
  #session!: Session;
  #heard: ((event: string) => void) | undefined;
  /** Events that came before their listener. */
  #waiting: string[] = [];
  /** Why it cannot be opened anew: what it kept is gone. */
  #over: MnemicError | undefined;

  private constructor(configuration: EngineConfiguration) {
    this.#configuration = { ...configuration };
    if (configuration.encryptionKey !== undefined) this.#finders.set(0, keeping(configuration.encryptionKey));
  }

  static async open(pool: Pool, configuration: EngineConfiguration): Promise<Engine> {
    const engine = new RemoteEngine(configuration);
    engine.#session = await Session.begin(pool, {
      what: "engine",
      configuration: () => engine.#remote(),
      serve: (name, values, signal) => engine.#serve(name, values, signal),
      onLost: (error) => engine.#lost(error),
      onReopened: (reason) => engine.#hear(JSON.stringify({ type: "restart", reason: failure(reason) })),
    });
    return engine;
  }

  async call(...values: Parameters<Engine["call"]>): Promise<string> {
    const answer = await this.#askBehind<string>("call", values);
    // Opened with the key, it would be encrypted again.
    if (values[0].endsWith("encryption.remove")) this.#finders.delete(0);
    return answer;
  }

  async callLong(method: string, scope: string, options: readonly Uint8Array<ArrayBuffer>[], numbers?: Float32Array): Promise<string> {
    const number = (this.#lastLong += 1);
    const before = this.#sending;
    const send = async (): Promise<void> => {
      await before;
      for (const piece of options) await this.#ask("piece", [number, piece], { transfer: [piece.buffer] });
    };
    const sending = send();
    const sent = sending.catch(() => {});
    this.#sending = sent;
    try {
      await sending;
    } finally {
      if (this.#sending === sent) this.#sending = undefined;
    }
    return this.#ask("callLong", [method, scope, number, options.length, numbers]);
  }

  transfer(number: number, bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
    // The piece may be a part of what is the app's.
    const piece = bytes.slice();
    return this.#ask("transfer", [number, piece], { transfer: [piece.buffer] });
  }

  async import(scope: string, source: ImportSource, { onProgress, signal, ...options }: ImportOptions): Promise<Imported> {
    const number = (this.#lastImport += 1);
    const pieces = piecesOf(source);
    const ended = new AbortController();
    const abort = (): void => ended.abort(signal?.reason);
    let thrown: { error: unknown } | undefined;
    const progress = (done: ImportProgress): void => {
      try {
        onProgress?.(done);
      } catch (error) {
        thrown ??= { error };
        ended.abort(error);
      }
    };
    this.#imports.set(number, { pieces, progress });
    signal?.addEventListener("abort", abort);
    try {
      return await this.#askBehind<Imported>("import", [number, scope, pieces.sent, options], { signal: ended.signal });
    } catch (error) {
      if (thrown !== undefined) throw thrown.error;
      throw error instanceof AbortedError ? new AbortedError(error.message, { cause: signal?.reason }) : error;
    } finally {
      signal?.removeEventListener("abort", abort);
      pieces.end();
      this.#imports.delete(number);
    }
  }

  listen(callback: (event: string) => void): void {
    this.#heard = callback;
    for (const event of this.#waiting.splice(0)) callback(event);
  }

  async encrypt(key: FindKey, scope: string, unlocks: boolean): Promise<void> {
    const finder = (this.#lastFinder += 1);
    const find = keeping(key);
    this.#finders.set(finder, find);
    try {
      await this.#askBehind("encrypt", [finder, scope, unlocks]);
      if (scope === "") this.#finders.set(0, find);
    } finally {
      this.#finders.delete(finder);
    }
  }

  refresh(): Promise<void> {
    return this.#askBehind("refresh");
  }

  async close(): Promise<void> {
    await this.#sending;
    if (this.#session.isOpen) await this.#session.ask("close");
  }

  free(): void {
    this.#session.end();
  }

  /** Asks when what is long has crossed. */
  async #askBehind<Answer>(...asked: Parameters<Session["ask"]>): Promise<Answer> {
    if (this.#sending !== undefined) await this.#sending;
    return this.#ask(...asked);
  }

  #ask<Answer>(...asked: Parameters<Session["ask"]>): Promise<Answer> {
    return this.#over === undefined ? this.#session.ask(...asked) : Promise.reject(this.#over);
  }

  /** What the worker opens the engine with. */
  #remote(): RemoteConfiguration {
    const { llm, embed, countTokens: _, encryptionKey: __, storage, ...rest } = this.#configuration;
    return {
      ...rest,
      storage: typeof storage === "object" ? { closes: storage.close !== undefined } : storage,
      hasLlm: llm !== undefined,
      hasEmbed: embed !== undefined,
      hasKey: this.#finders.has(0),
    };
  }

  #serve(name: string, values: readonly never[], signal: AbortSignal): unknown {
    const { llm, embed, storage } = this.#configuration;
    const [first, second] = values as readonly unknown[] as [never, never];
    switch (name) {
      case "event":
        return this.#hear(first);
      case "llm":
        return Promise.resolve(llm?.({ ...(first as object), signal } as never)).then(asJson);
      case "embed":
        return Promise.resolve(embed?.(first, { signal, purpose: second })).then(packVectors);
      case "piece":
        return this.#imports.get(first)?.pieces.next();
      case "progress":
        return this.#imports.get(first)?.progress(second);
      case "key":
        return this.#finders.get(first)?.(second);
      case "read":
        return Promise.resolve((storage as StorageObject).read(first, second)).then(packPairs);
      case "write":
        return (storage as StorageObject).write(unpackBatch(first), second);
      case "close":
        return (storage as StorageObject).close?.();
    }
    throw new TypeError(`nothing here is called ${name}`);
  }

  #hear(event: string): void {
    if (this.#heard === undefined) this.#waiting.push(event);
    else this.#heard(event);
  }

  #lost(error: MnemicError): boolean {
    if (this.#configuration.storage === "memory") {
      this.#over = new CrashedError("the worker that kept the memory has ended, and the memory with it; open it again", { cause: error });
    }
    this.#hear(JSON.stringify({ type: "error", ...failure(this.#over ?? error) }));
    return this.#over === undefined;
  }
}

/** The answer of a model without anything of the page in it; what is no plain object is for the engine to judge. */
function asJson(answer: unknown): unknown {
  return isRecord(answer) ? (JSON.parse(JSON.stringify(answer)) as unknown) : answer;
}

/** The same, but a key that was found is not asked of the user again. */
function keeping(find: FindKey): FindKey {
  let kept: Awaited<ReturnType<FindKey>> | undefined;
  return async (description) => {
    if (description === undefined || kept?.[1] !== description) kept = await find(description);
    return kept;
  };
}

/** A storage of the browser that a worker has open. */
async function remoteStorage(pool: Pool, address: StorageAddress): Promise<StorageHandle> {
  const session = await begun(pool, "storage", address, (name) => {
    throw new TypeError(`nothing here is called ${name}`);
  });
  let last = 0;
  return {
    read: async (start, end) => unpackPairs(await session.ask("read", [start, end])),
    async write({ puts, deletes }: StorageBatch, expectedHead) {
      const number = (last += 1);
      const pieces = [...cut(puts)];
      const rest = pieces.pop() ?? [];
      for (const piece of pieces) {
        const { value, transfer } = packPairs(piece);
        await session.ask("piece", [number, value], { transfer });
      }
      const { value, transfer } = packBatch({ puts: rest, deletes });
      await session.ask("write", [value, expectedHead, number, pieces.length], { transfer });
    },
    close() {
      const ended = (): void => session.end();
      session.ask("close").then(ended, ended);
    },
  };
}

/** Has a worker carry a memory between storages that it can open. */
async function remoteCarry(pool: Pool, way: Way, leaving: Leaving): Promise<void> {
  const session = await begun(pool, "move", way, (name, [storage]) => leaving[name as keyof Leaving](storage as never));
  try {
    await session.ask("carry");
  } finally {
    session.end();
  }
}

/** What is opened anew, when its worker has ended, by the next that is asked of it. */
function begun(pool: Pool, what: "storage" | "move", configuration: object, serve: Serve): Promise<Session> {
  return Session.begin(pool, { what, configuration: () => configuration, serve, onLost: () => false, onReopened: () => {} });
}

/** A batch in pieces; one value may be more than a piece. */
function* cut(puts: StorageBatch["puts"]): Generator<Pairs> {
  let [piece, bytes]: [Pairs, number] = [[], 0];
  for (const [key, value] of puts) {
    piece.push([key, value]);
    bytes += value.length;
    if (bytes < PIECE_BYTES) continue;
    yield piece;
    [piece, bytes] = [[], 0];
  }
  yield piece;
}
