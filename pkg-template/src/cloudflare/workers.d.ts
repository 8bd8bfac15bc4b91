/**
 * What is used of Cloudflare's runtime, for compiling the package: applications have these types from `@cloudflare/workers-types` or
 * from `wrangler types`.
 */
declare module "cloudflare:workers" {
  export abstract class DurableObject<Env = unknown> {
    protected ctx: DurableObjectState;
    protected env: Env;
    constructor(ctx: DurableObjectState, env: Env);
  }
}

interface DurableObjectState {
  readonly storage: DurableObjectStorage;
  waitUntil(promise: Promise<unknown>): void;
}

interface DurableObjectStorage {
  readonly sql: {
    exec(
      query: string,
      ...bindings: Array<ArrayBuffer | Uint8Array | string | number | null>
    ): { toArray(): Array<Record<string, ArrayBuffer | string | number | null>> };
    readonly databaseSize: number;
  };
  readonly kv: {
    get(key: string): unknown;
    put(key: string, value: unknown): void;
    list(options: { prefix: string }): Iterable<[string, unknown]>;
    delete(key: string): boolean;
  };
  transactionSync<Result>(work: () => Result): Result;
  getAlarm(): Promise<number | null>;
  setAlarm(time: number): Promise<void>;
  deleteAlarm(): Promise<void>;
  deleteAll(): Promise<void>;
}
