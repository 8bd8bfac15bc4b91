/** A user's memory by RPC, for code that runs in a Worker with a binding. */
import type { ProfileSchemas } from "../schema.js";
import type { RemoteMemory } from "./calls.js";
import { UnreachableError, valueOf, type Answer } from "./errors.js";
import { objectName, stubOf, type MemoryNamespace } from "./names.js";
import { remoteMemory } from "./remote.js";

/** What of an object is called. */
interface ObjectStub {
  call(operation: string, values: string): Promise<Answer>;
  exportUser(): Promise<Answer>;
  importUser(file: ReadableStream<Uint8Array>): Promise<Answer>;
  deleteUser(): Promise<Answer>;
}

/**
 * The memory of one user, by RPC. Whoever calls this decides who the user is: nothing is checked.
 *
 * @param namespace a binding to a class that extends `MemoryObject`.
 * @param user 1 to 512 bytes of any characters; different ids always have different objects.
 * @throws InvalidInputError when the id cannot be one.
 *
 * @example
 * ```ts no-run
 * import { userMemory, type MemoryObject } from "mnemic/cloudflare";
 * import "cloudflare:workers";
 *
 * export async function forgetCustomer(env: { MEMORY: DurableObjectNamespace<MemoryObject> }, customer: string): Promise<void> {
 *   const memory = userMemory(env.MEMORY, customer);
 *   console.log((await memory.facts.list()).length);
 *   await memory.deleteUser();
 * }
 * ```
 */
export function userMemory<const Schemas extends ProfileSchemas = {}>(namespace: MemoryNamespace, user: string): RemoteMemory<Schemas> {
  const name = objectName(user);
  const asked = async <Result>(ask: (stub: ObjectStub) => Promise<Result>): Promise<Result> => {
    try {
      return await ask(stubOf<ObjectStub>(namespace, name));
    } catch (cause) {
      throw unreachable(cause);
    }
  };
  return remoteMemory<Schemas>({
    call: async (operation, values) => valueOf(await asked((stub) => stub.call(operation, values))),
    export: async () => valueOf(await asked((stub) => stub.exportUser())) as ReadableStream<Uint8Array<ArrayBuffer>>,
    importFile: async (file) => {
      const stream = file instanceof ReadableStream ? file : new Blob([file as BlobPart]).stream();
      return valueOf(await asked((stub) => stub.importUser(stream)));
    },
    deleteUser: async () => void valueOf(await asked((stub) => stub.deleteUser())),
  });
}

/** The error for an object that was reset, is overloaded, or cannot be reached. */
export function unreachable(cause: unknown): UnreachableError {
  const { overloaded = false, retryable = false } = (cause ?? {}) as { overloaded?: boolean; retryable?: boolean };
  const message = `the user's object did not answer (${cause instanceof Error ? cause.message : String(cause)}); whether the call was carried out is unknown`;
  return new UnreachableError(message, { cause, details: { overloaded, retryable } });
}
