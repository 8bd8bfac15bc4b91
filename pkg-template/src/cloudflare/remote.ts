/** A remote handle to a user's memory: an object whose methods are calls that a carrier sends. */
import type { RemoteFiles, RemoteMemory } from "./calls.js";
import { writeArguments } from "./crossing.js";
import { AbortedError } from "../errors.js";
import type { ProfileSchemas } from "../schema.js";

/** Carries calls to a user's object. */
export interface Carrier extends Pick<RemoteFiles, "export" | "deleteUser"> {
  /** Carries one call; its arguments are as `writeArguments` writes them. */
  call(operation: string, values: string, signal: AbortSignal | undefined): Promise<unknown>;
  /** Carries the bytes of a file to `import`. */
  importFile(file: Blob | ReadableStream<Uint8Array> | Uint8Array | ArrayBuffer): Promise<unknown>;
}

/** A memory whose calls are carried. Nothing is asked before its first call. */
export function remoteMemory<Schemas extends ProfileSchemas>(carrier: Carrier): RemoteMemory<Schemas> {
  const own: RemoteFiles = {
    export: () => carrier.export(),
    deleteUser: () => carrier.deleteUser(),
    import: (data: string | object, ...options) =>
      (isFile(data) ? carrier.importFile(data) : called(carrier, "import", [data, ...options])) as ReturnType<RemoteFiles["import"]>,
  };
  return methods(carrier, "", own) as RemoteMemory<Schemas>;
}

/** An object with a method for every name, which may have methods of its own. */
function methods(carrier: Carrier, path: string, own: object): object {
  const made = new Map<string, unknown>();
  // A promise that resolves with such an object would ask for its `then`, and wait for an answer for ever.
  const isNone = (name: string | symbol): name is symbol => typeof name === "symbol" || name === "then" || name === "toJSON";
  return new Proxy(path === "" ? own : (...values: unknown[]) => called(carrier, path, values), {
    get(target, name) {
      if (isNone(name)) return undefined;
      if (Object.hasOwn(own, name)) return Reflect.get(target, name);
      if (!made.has(name)) made.set(name, methods(carrier, path === "" ? name : `${path}.${name}`, {}));
      return made.get(name);
    },
  });
}

async function called(carrier: Carrier, operation: string, values: readonly unknown[]): Promise<unknown> {
  const [rest, signal] = withoutSignal(values);
  if (signal?.aborted) throw aborted(signal);
  // Trailing options that are left out are no arguments.
  const given = rest.slice(0, rest.findLastIndex((value) => value !== undefined) + 1);
  try {
    return await carrier.call(operation, writeArguments(given.map((value) => (value === undefined ? null : value))), signal);
  } catch (error) {
    throw signal?.aborted ? aborted(signal) : error;
  }
}

/** The arguments without the signal of their options, which stays here. */
function withoutSignal(values: readonly unknown[]): [unknown[], AbortSignal | undefined] {
  const last: unknown = values.at(-1);
  if (typeof last !== "object" || last === null || !("signal" in last)) return [[...values], undefined];
  const { signal, ...options } = last as { signal?: AbortSignal };
  return [[...values.slice(0, -1), options], signal];
}

function aborted(signal: AbortSignal): AbortedError {
  return new AbortedError("the call was aborted; whether it was carried out is unknown", { cause: signal.reason });
}

function isFile(data: unknown): data is Blob | ReadableStream<Uint8Array> | Uint8Array | ArrayBuffer {
  return data instanceof Blob || data instanceof ReadableStream || data instanceof Uint8Array || data instanceof ArrayBuffer;
}
