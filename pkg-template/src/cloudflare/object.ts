/** A Durable Object that holds the memory of one user. */
import { DurableObject } from "cloudflare:workers";
import { CorruptError, errorOf, InvalidInputError, ModelError, NotFoundError, typed, UnsupportedVersionError, type MnemicError } from "../errors.js";
import type { Memory } from "../memory.js";
import type { MemoryOptions, OpenMemory } from "../options.js";
import type { ProfileSchemas } from "../schema.js";
import type { Scope } from "../scope.js";
import type { Span } from "../spans.js";
import { openMemory } from "../entry/workerd.js";
import { drain, taken, textOf } from "./bodies.js";
import { carryOut } from "./calls.js";
import { readArguments, writeAnswer } from "./crossing.js";
import { answerOf, responseOf, type Answer } from "./errors.js";
import { Lifecycle } from "./lifecycle.js";
import { Meter, type UserLimits } from "./limits.js";
import { durableObjectStorage, holdsAnything, holdsMemory } from "./storage.js";

/** What happened in a user's object. */
export interface ObjectMetric {
  /** `open`, `close` and `alarm` are of the memory; `call` is of the user. */
  readonly kind: "open" | "close" | "alarm" | "call";
  /** Of a call: its name, such as `facts.add`. */
  readonly operation?: string | undefined;
  /** How long it took, as far as the runtime lets its clock go on. */
  readonly ms: number;
  /** The code of the error; missing when there was none. */
  readonly code?: string | undefined;
  /** Bytes of the object's database, afterwards. */
  readonly storedBytes: number;
}

/** How a user's memory is opened, and what the user may use. */
export interface MemoryObjectOptions<Schemas extends ProfileSchemas = {}>
  extends Omit<MemoryOptions<Schemas>, "name" | "storage" | "durability" | "copy" | "persist"> {
  readonly limits?: UserLimits | undefined;
  /**
   * How long after its last call the memory is closed, in milliseconds, 0 to 60 000. Until then the object is billed, and further
   * calls use the open memory; afterwards the object may hibernate, and an alarm wakes it for due work. Default: 1000.
   */
  readonly idleMs?: number | undefined;
  /** Called after every opening, closing, alarm and call. What it throws is ignored. Default: none. */
  readonly metric?: ((metric: ObjectMetric) => void) | undefined;
  /** Called with every span, as a listener of the event `"span"` of the memory. Default: none. */
  readonly span?: ((span: Span) => void) | undefined;
}

/** The scope of the user. The object is theirs alone, so every object has the same. */
const USER = { user: "this" };

/**
 * The base class of the object that holds the memory of one user, in its own SQLite database.
 *
 * The memory is opened by the first call and closed a second after the last. Background work continues by alarm, even after the
 * object was evicted. Nothing is kept only in the object, so it may hibernate, be moved or be reset at any time.
 *
 * @example
 * ```ts no-run
 * import { openAICompatible } from "mnemic/adapters";
 * import { MemoryObject } from "mnemic/cloudflare";
 * import "cloudflare:workers";
 *
 * interface Env {
 *   MODEL_KEY: string;
 * }
 *
 * export class UserMemory extends MemoryObject<Env> {
 *   constructor(ctx: DurableObjectState, env: Env) {
 *     const llm = openAICompatible({ baseUrl: "https://api.openai.com/v1", apiKey: env.MODEL_KEY, model: "gpt-5-mini" });
 *     super(ctx, env, { llm, limits: { callsPerMinute: 120, modelCallsPerDay: 500 } });
 *   }
 * }
 * ```
 */
export class MemoryObject<Env = unknown, const Schemas extends ProfileSchemas = {}> extends DurableObject<Env> {
  /**
   * Runs work with the memory and the user's scope. The memory stays open until the work ends; do not keep it. For methods of your own.
   */
  protected readonly use: <Result>(work: (user: Scope<Schemas>, memory: Memory<Schemas>) => Promise<Result>) => Promise<Result>;
  readonly #lifecycle: Lifecycle<Schemas>;
  readonly #meter: Meter;
  readonly #tell: (metric: Omit<ObjectMetric, "ms" | "storedBytes">, startedAt: number) => void;

  /** @throws InvalidInputError when `limits` or `idleMs` are out of range. */
  constructor(ctx: DurableObjectState, env: Env, options: MemoryObjectOptions<Schemas> = {}) {
    super(ctx, env);
    const { limits = {}, idleMs = 1000, metric, span, ...given } = options;
    if (!(idleMs >= 0 && idleMs <= 60_000)) {
      throw new InvalidInputError(`options.idleMs: ${String(idleMs)} is not 0 to 60000 milliseconds`, { details: { path: "options.idleMs" } });
    }
    const { storage } = ctx;
    this.#meter = new Meter(limits, storage.kv);
    const { llm, embed } = given;
    const configuration: MemoryOptions<Schemas> = {
      ...given,
      ...(llm && { llm: this.#meter.counted(llm) }),
      ...(embed && { embed: this.#meter.countedEmbedder(embed) }),
      name: "user",
    };
    const open = openMemory as OpenMemory;
    this.#tell = (told, startedAt) => {
      try {
        metric?.({ ...told, ms: Date.now() - startedAt, storedBytes: storage.sql.databaseSize });
      } catch (error) {
        console.error("the metric hook threw:", error);
      }
    };
    this.#lifecycle = new Lifecycle<Schemas>(
      async () => {
        const memory = (await open({ ...configuration, storage: durableObjectStorage(storage, { maxBytes: limits.storedBytes }) })) as Memory<Schemas>;
        if (span !== undefined) memory.on("span", span);
        return memory;
      },
      storage,
      idleMs,
      (kind, startedAt, error) => this.#tell({ kind, code: error?.code }, startedAt),
    );
    this.use = (work) => this.#lifecycle.use((memory) => work(memory.scope(USER), memory));
  }

  /** A call by its name, with its arguments as `RemoteMemory` writes them. For `userMemory()`; it throws nothing. */
  async call(operation: string, values: string): Promise<Answer> {
    return this.#answered<Answer>(operation, async () => ({ value: await this.#carryOut(operation, values) }), answerOf);
  }

  /**
   * The same by HTTP, for the router: `POST /call/<operation>`, `GET /export`, `POST /import` and `DELETE /`. It trusts whoever reaches
   * it: only Workers with a binding can.
   */
  async fetch(request: Request): Promise<Response> {
    const response = await this.#respond(request);
    await drain(request.body);
    return response;
  }

  async #respond(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const { method } = request;
    const operation = method === "POST" ? /^\/call\/([\w.]+)$/.exec(pathname)?.[1] : undefined;
    if (operation !== undefined) {
      const work = async (): Promise<Response> => {
        const answer = await this.#carryOut(operation, await textOf(request.body, this.#meter.requestBytes));
        return new Response(writeAnswer(answer), { headers: { "content-type": "application/json" } });
      };
      return this.#answered(operation, work, responseOf);
    }
    const route = `${method} ${pathname}`;
    if (route === "GET /export") return this.#answered("export", async () => new Response(await this.#exported()), responseOf);
    if (route === "POST /import") {
      const work = async (): Promise<Response> => {
        const { body, headers } = request;
        if (body === null) throw new InvalidInputError("the request has no body; send a backup", { details: { path: "data" } });
        return Response.json({ value: await this.#imported(body, Number(headers.get("content-length"))) });
      };
      return this.#answered("import", work, responseOf);
    }
    if (route === "DELETE /") return this.#answered("deleteUser", () => this.#deleted(), responseOf);
    return responseOf(new NotFoundError(`${route.slice(0, 100)}: there is nothing of that name`, { details: { path: "url" } }));
  }

  /** Everything that is remembered of the user, as the bytes of a backup. For `userMemory()`. */
  async exportUser(): Promise<Answer> {
    return this.#answered<Answer>("export", async () => ({ value: await this.#exported() }), answerOf);
  }

  /** Takes in what `exportUser` wrote. For `userMemory()`. */
  async importUser(file: ReadableStream<Uint8Array>): Promise<Answer> {
    return this.#answered<Answer>("import", async () => ({ value: await this.#imported(file) }), answerOf);
  }

  /**
   * Deletes all that the object holds, except how many calls of the limits are used: that is deleted as soon as it limits nothing any more.
   * For `userMemory()`.
   */
  async deleteUser(): Promise<Answer> {
    return this.#answered<Answer>("deleteUser", async () => (await this.#deleted(), {}), answerOf);
  }

  /** Goes on with background work. Called by the runtime. */
  async alarm(): Promise<void> {
    if (holdsMemory(this.ctx.storage)) return this.#lifecycle.wake();
    // After a deletion, only counts are left.
    const { storage } = this.ctx;
    const left = this.#meter.lasting();
    if (left !== undefined) return storage.setAlarm(left.until);
    this.#meter.forget();
    // An empty database is one that is kept and billed.
    if (!holdsAnything(storage)) await storage.deleteAll();
  }

  async #answered<Result>(operation: string, work: () => Promise<Result>, failed: (error: unknown) => Result): Promise<Result> {
    const startedAt = Date.now();
    const { refused } = this.#meter;
    try {
      this.#meter.call();
      const result = await work();
      this.#tell({ kind: "call", operation }, startedAt);
      return result;
    } catch (cause) {
      const ofModel = cause instanceof ModelError && this.#meter.refused > refused;
      const error = ofModel ? this.#meter.budgetExceeded(cause) : known(cause);
      this.#tell({ kind: "call", operation, code: error.code }, startedAt);
      if (error.code === "Internal") console.error(`${operation} failed:`, cause);
      return failed(error);
    }
  }

  #carryOut(operation: string, values: string): Promise<unknown> {
    const args = readArguments(values);
    return this.use((user, memory) => carryOut(memory as unknown as Memory, user as unknown as Scope, operation, args));
  }

  async #exported(): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    const { memory, release } = await this.#lifecycle.hold();
    const reader = memory.scope(USER).export().getReader();
    return new ReadableStream({
      // Only streams of bytes leave an object by RPC.
      type: "bytes",
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          await release();
          controller.close();
          // A read into a buffer of the reader's own waits for its end.
          controller.byobRequest?.respond(0);
        } catch (error) {
          await release();
          controller.error(error);
        }
      },
      async cancel(reason) {
        await reader.cancel(reason);
        await release();
      },
    });
  }

  #imported(file: ReadableStream<Uint8Array>, length?: number): Promise<unknown> {
    const body = taken(file, this.#meter.importBytes, length);
    return this.use(async (user) => {
      try {
        return await user.import(body);
      } catch (error) {
        // What is wrong is the file, and not the memory.
        if (!(error instanceof CorruptError || error instanceof UnsupportedVersionError)) throw error;
        throw errorOf(error.code, error.message, { details: { ...error.details, path: "data" }, cause: error });
      }
    });
  }

  async #deleted(): Promise<Response> {
    const { storage } = this.ctx;
    await this.#lifecycle.end(async () => {
      const left = this.#meter.lasting();
      await storage.deleteAlarm();
      const deleting = storage.deleteAll();
      // Without a wait in between, so that no crash comes in between.
      for (const [key, value] of left?.pairs ?? []) storage.kv.put(key, value);
      await deleting;
      if (left !== undefined) await storage.setAlarm(left.until);
    });
    return Response.json({});
  }
}

/** Our errors as they are; whatever else was thrown as an internal one. */
function known(cause: unknown): MnemicError {
  const error = typed(cause);
  return error.code === "Internal" ? errorOf("Internal", "the call failed inside the object; its log says why", { cause }) : error;
}
