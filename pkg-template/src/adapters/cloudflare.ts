/**
 * Storage of a memory in a Cloudflare Durable Object.
 *
 * @packageDocumentation
 */
import { ConflictError } from "../errors.js";
import type { StorageBatch, StorageObject } from "../storage.js";

/** What a transaction of a Durable Object's storage offers; `ctx.storage` offers it too. */
export interface DurableObjectPairs {
  get(key: string): Promise<unknown>;
  list(options: { start: string; end: string }): Promise<Map<string, unknown>>;
  put(pairs: Record<string, Uint8Array>): Promise<void>;
  delete(keys: string[]): Promise<number>;
}

/** The part of a Durable Object's `ctx.storage` that is used. */
export interface DurableObjectStorageLike extends DurableObjectPairs {
  transaction<Result>(work: (transaction: DurableObjectPairs) => Promise<Result>): Promise<Result>;
  sync(): Promise<void>;
}

/** Begins each key, so that the object's own keys and the memory's never collide. */
const PREFIX = "mnemic:";

/** How many keys one `put` or `delete` takes. */
const GROUP = 128;

const HEAD_KEY = "head";

/**
 * A storage inside a Durable Object with SQLite (`new_sqlite_classes`), whose values may have 2 MB. One object holds one
 * memory; all its keys begin with `mnemic:`.
 *
 * @param storage The object's `ctx.storage`.
 *
 * @example
 * ```ts no-run
 * import { DurableObject } from "cloudflare:workers";
 * import { openMemory, type Memory } from "mnemic";
 * import { durableObjectStorage } from "mnemic/cloudflare";
 *
 * export class Chat extends DurableObject {
 *   memory!: Memory;
 *
 *   constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
 *     super(ctx, env);
 *     ctx.blockConcurrencyWhile(async () => {
 *       this.memory = await openMemory({ name: "chat", storage: durableObjectStorage(ctx.storage) });
 *     });
 *   }
 *
 *   async fetch(request: Request): Promise<Response> {
 *     const user = this.memory.scope({ userId: "alice" });
 *     await user.remember({ role: "user", content: await request.text() });
 *     return Response.json(await user.threads.list());
 *   }
 * }
 * ```
 */
export function durableObjectStorage(storage: DurableObjectStorageLike): StorageObject {
  return {
    async read(start, end) {
      const pairs = await storage.list({ start: PREFIX + start, end: PREFIX + end });
      return Array.from(pairs, ([key, value]): [string, Uint8Array] => [key.slice(PREFIX.length), value as Uint8Array]);
    },
    async write(batch, expectedHead) {
      await storage.transaction((transaction) => apply(transaction, batch, expectedHead));
      await storage.sync();
    },
  };
}

async function apply(transaction: DurableObjectPairs, { puts, deletes }: StorageBatch, expectedHead: number): Promise<void> {
  const head = headCounter(await transaction.get(PREFIX + HEAD_KEY));
  if (head !== expectedHead) {
    throw new ConflictError(`the head is ${head}, not ${expectedHead}: another memory wrote to this object`);
  }
  for (const group of groups(deletes)) {
    await transaction.delete(group.map((key) => PREFIX + key));
  }
  for (const group of groups(puts)) {
    await transaction.put(Object.fromEntries(group.map(([key, value]) => [PREFIX + key, owned(value)])));
  }
}

function headCounter(value: unknown): number {
  if (!(value instanceof Uint8Array)) return 0;
  return Number(new DataView(value.buffer, value.byteOffset, value.byteLength).getBigUint64(0, true));
}

/** Bytes that fill their buffer: of a view, the whole buffer behind it would be stored. */
function owned(value: Uint8Array): Uint8Array {
  return value.byteLength === value.buffer.byteLength ? value : value.slice();
}

function groups<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / GROUP) }, (_, index) =>
    items.slice(index * GROUP, (index + 1) * GROUP),
  );
}
