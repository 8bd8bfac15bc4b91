/** Calls by their names: which there are, and how they are carried out. */
import { InvalidInputError } from "../errors.js";
import type { ImportOptions, Imported } from "../import/format.js";
import type { Memory } from "../memory.js";
import type { ProfileSchemas } from "../schema.js";
import type { Scope } from "../scope.js";

/** What of a scope works only where the memory is: it answers no promise, or takes keys. */
const LOCAL = ["scope", "encryption", "asOf", "readOnly", "temporary", "export", "exportFiles", "import"] as const;
type LocalName = (typeof LOCAL)[number];

/** What of a memory is offered in addition to its scope. */
const WHOLE = ["usage", "verify", "idle", "jobs", "inspect"] as const;
type WholeName = (typeof WHOLE)[number];

/** What a class offers, without its private parts. */
type Offered<Class> = { [Name in keyof Class]: Class[Name] extends (...values: never[]) => unknown ? Class[Name] : Offered<Class[Name]> };

/**
 * A remote handle to a user's memory: what `memory.scope()` offers, with the same types, and `usage`, `verify`, `idle`, `jobs`
 * and `inspect` of the memory. `asOf`, `readOnly`, `temporary` and `encryption` are missing: they work only where the memory is.
 */
export type RemoteMemory<Schemas extends ProfileSchemas = {}> = Offered<Omit<Scope<Schemas>, LocalName>> &
  Pick<Memory<Schemas>, WholeName> &
  RemoteFiles;

/** Exporting, importing and deleting a user's memory. */
export interface RemoteFiles {
  /** Everything that is remembered of the user, with its history, as the bytes of a backup. */
  export(): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
  /** Imports what `export` wrote, or the export of another memory or chat, as the `import` of a scope does. */
  import(data: string | object, options?: Omit<ImportOptions, "onProgress">): Promise<Imported>;
  /**
   * Deletes everything that is remembered of the user. The counts of used calls are kept while they limit the user. No call can
   * undo it; Cloudflare keeps what point-in-time recovery needs for 30 days.
   */
  deleteUser(): Promise<void>;
}

/** How many arguments a call may have. */
const MAX_ARGUMENTS = 8;

/**
 * Carries a call out.
 *
 * @param name of a method, such as `facts.add`.
 * @throws InvalidInputError when there is no such method, or the arguments are no list.
 */
export async function carryOut(memory: Memory, scope: Scope, name: string, values: unknown): Promise<unknown> {
  if (!Array.isArray(values) || values.length > MAX_ARGUMENTS) {
    throw new InvalidInputError(`args: pass a list of at most ${MAX_ARGUMENTS} arguments`, { details: { path: "args" } });
  }
  const [target, method] = found(memory, scope, name);
  return method.apply(target, values);
}

type Method = (...values: unknown[]) => unknown;

/** The method of a name, and what it is called on. Only methods of our own classes are found, and only by their own names. */
function found(memory: Memory, scope: Scope, name: string): [object, Method] {
  const path = String(name).split(".");
  const last = path.pop() ?? "";
  const isWhole = path.length === 0 && (WHOLE as readonly string[]).includes(last);
  let target: object | undefined = isWhole ? memory : scope;
  const isLocal = (LOCAL as readonly string[]).includes(path[0] ?? last) && name !== "import";
  for (const step of path) target = isLocal ? undefined : part(target, step);
  const method = target === undefined || isLocal ? undefined : methodOf(target, last);
  if (target !== undefined && method !== undefined) return [target, method];
  throw new InvalidInputError(`operation: ${JSON.stringify(String(name).slice(0, 80))} is not an operation of a remote memory`, {
    details: { path: "operation" },
  });
}

function part(target: object | undefined, name: string): object | undefined {
  const value: unknown = target && Object.hasOwn(target, name) ? (target as Record<string, unknown>)[name] : undefined;
  return typeof value === "object" && value !== null ? value : undefined;
}

function methodOf(target: object, name: string): Method | undefined {
  const prototype: object = Object.getPrototypeOf(target);
  if (prototype === Object.prototype || name === "constructor") return undefined;
  const value: unknown = Object.getOwnPropertyDescriptor(prototype, name)?.value;
  return typeof value === "function" ? (value as Method) : undefined;
}
