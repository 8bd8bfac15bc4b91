/** Errors: one base class, a subclass per code. Applications branch on the class or on `code`, never on the message. */

import type { Failure } from "./types.js";

/** Options of an error. */
export interface MnemicErrorOptions {
  /** Particulars for machines, such as `violations` or `limit`. Default: none. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  /** What caused this error. */
  readonly cause?: unknown;
}

/**
 * The base of every error that the package throws.
 *
 * An error with a code that this version does not know, from a newer engine, is an instance of this class itself.
 *
 * @example
 * ```ts
 * import { MnemicError } from "mnemic";
 * try {
 *   await user.facts.delete("0191a0b0-0000-7000-8000-000000000000");
 * } catch (error) {
 *   if (!(error instanceof MnemicError)) throw error;
 *   console.log(error.code, error.message, error.details);
 * }
 * ```
 */
export class MnemicError extends Error {
  /** The stable name of what went wrong. */
  readonly code: string;
  /** Particulars for machines; empty when there are none. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, options: MnemicErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target === MnemicError ? "MnemicError" : `${code}Error`;
    this.code = code;
    this.details = options.details ?? {};
  }
}

/**
 * An argument has the wrong type, shape or size; nothing was changed. `details.path` names it if known.
 *
 * @remarks Correct the argument that `details.path` or the message names; the same call fails again.
 */
export class InvalidInputError extends MnemicError {
  declare readonly code: "InvalidInput";

  constructor(message: string, options?: MnemicErrorOptions) {
    super("InvalidInput", message, options);
  }
}

/**
 * A scope is empty, has more than five pairs, or holds a pair that is not allowed.
 *
 * @remarks Give the scope one to five pairs of short texts, such as `{ userId }`.
 */
export class InvalidScopeError extends MnemicError {
  declare readonly code: "InvalidScope";

  constructor(message: string, options?: MnemicErrorOptions) {
    super("InvalidScope", message, options);
  }
}

/**
 * A filter uses an unknown operator or an operand of the wrong type.
 *
 * @remarks Use the operators of the guide on documents, with operands of the field's type.
 */
export class InvalidFilterError extends MnemicError {
  declare readonly code: "InvalidFilter";

  constructor(message: string, options?: MnemicErrorOptions) {
    super("InvalidFilter", message, options);
  }
}

/**
 * A JSON Schema cannot be used: it is malformed, or has a keyword that is not supported.
 *
 * @remarks Correct the schema at the place that the message names, or leave the keyword out.
 */
export class InvalidSchemaError extends MnemicError {
  declare readonly code: "InvalidSchema";

  constructor(message: string, options?: MnemicErrorOptions) {
    super("InvalidSchema", message, options);
  }
}

/**
 * A value does not validate against its schema; `details.violations` lists where. Nothing was changed.
 *
 * @remarks Correct the value, or widen the schema.
 */
export class SchemaViolationError extends MnemicError {
  declare readonly code: "SchemaViolation";

  constructor(message: string, options?: MnemicErrorOptions) {
    super("SchemaViolation", message, options);
  }
}

/**
 * The named thing does not exist in this scope.
 *
 * @remarks Read the list again: it may have been deleted, forgotten, or belong to another scope.
 */
export class NotFoundError extends MnemicError {
  declare readonly code: "NotFound";

  constructor(message: string, options?: MnemicErrorOptions) {
    super("NotFound", message, options);
  }
}

/**
 * Another writer changed what this call was based on; this call changed nothing.
 *
 * @remarks Read what is there now and call again with that.
 */
export class ConflictError extends MnemicError {
  declare readonly code: "Conflict";

  constructor(message: string, options?: MnemicErrorOptions) {
    super("Conflict", message, options);
  }
}

/**
 * What the call refers to was forgotten, or is older than the history that is kept; this call changed nothing.
 *
 * @remarks Nothing brings it back; go on without it.
 */
export class ForgottenError extends MnemicError {
  declare readonly code: "Forgotten";

  constructor(message: string, options?: MnemicErrorOptions) {
    super("Forgotten", message, options);
  }
}

/**
 * The call would write, but was made in a read-only view; it changed nothing.
 *
 * @remarks Make the call on the scope itself, or save the temporary chat first.
 */
export class ReadOnlyError extends MnemicError {
  declare readonly code: "ReadOnly";

  constructor(message: string, options?: MnemicErrorOptions) {
    super("ReadOnly", message, options);
  }
}

/**
 * The storage is full, or the memory would take more than `maxMemoryBytes`; the call changed nothing.
 *
 * @remarks Free space: forget or delete, ask for persistent storage, or raise `maxMemoryBytes`; then call again.
 */
export class QuotaExceededError extends MnemicError {
  declare readonly code: "QuotaExceeded";

  constructor(message: string, options?: MnemicErrorOptions) {
    super("QuotaExceeded", message, options);
  }
}

/**
 * The storage failed or refused the operation.
 *
 * @remarks Look at the `cause`. Try again; if it stays, open the memory again or choose another storage.
 */
export class StorageError extends MnemicError {
  declare readonly code: "Storage";

  constructor(message: string, options?: MnemicErrorOptions) {
    super("Storage", message, options);
  }
}

/**
 * Stored bytes are damaged; `memory.verify()` says which.
 *
 * @remarks Call `memory.verify()` to see what is damaged, then restore a backup.
 */
export class CorruptError extends MnemicError {
  declare readonly code: "Corrupt";

  constructor(message: string, options?: MnemicErrorOptions) {
    super("Corrupt", message, options);
  }
}

/**
 * The stored bytes were written by a newer version; update the package.
 *
 * @remarks Update the package, also in other tabs and on the server.
 */
export class UnsupportedVersionError extends MnemicError {
  declare readonly code: "UnsupportedVersion";

  constructor(message: string, options?: MnemicErrorOptions) {
    super("UnsupportedVersion", message, options);
  }
}

/**
 * The memory is encrypted and was opened without the option `encryption`; `details.by` says what opens it: `"passphrase"`,
 * `"passkey"` or `"key"`. Or the passkey was not confirmed, or another tab has since encrypted the memory or removed its
 * encryption. Nothing was changed; open it (again) with the key. The scopes in `details.scope` or `details.scopes` have locks of
 * their own: unlock them with `encryption.unlock()`.
 *
 * @remarks Ask the user for the key and open again, or call `encryption.unlock()` for a scope.
 */
export class LockedError extends MnemicError {
  declare readonly code: "Locked";

  constructor(message: string, options?: MnemicErrorOptions) {
    super("Locked", message, options);
  }
}

/**
 * The passphrase, passkey or key does not open the memory. Nothing was changed.
 *
 * @remarks Ask the user again. Without the right key nothing can be read.
 */
export class WrongKeyError extends MnemicError {
  declare readonly code: "WrongKey";

  constructor(message: string, options?: MnemicErrorOptions) {
    super("WrongKey", message, options);
  }
}

/**
 * The language model failed, or its answer was unusable even after a second try.
 *
 * @remarks Look at the `cause` and at your model. Background learning tries again by itself.
 */
export class ModelError extends MnemicError {
  declare readonly code: "Model";

  constructor(message: string, options?: MnemicErrorOptions) {
    super("Model", message, options);
  }
}

/**
 * The embedding model failed, or answered with the wrong shape.
 *
 * @remarks Look at the `cause`; an embedder answers one vector per text, always of one length.
 */
export class EmbedderError extends MnemicError {
  declare readonly code: "Embedder";

  constructor(message: string, options?: MnemicErrorOptions) {
    super("Embedder", message, options);
  }
}

/**
 * A model did not answer in time.
 *
 * @remarks Try again, or raise `timeoutMs`. Background learning tries again by itself.
 */
export class TimeoutError extends MnemicError {
  declare readonly code: "Timeout";

  constructor(message: string, options?: MnemicErrorOptions) {
    super("Timeout", message, options);
  }
}

/**
 * What a prompt must contain takes more tokens than the call allows; `details` has the numbers. Nothing was changed.
 *
 * @remarks Raise `maxTokens`, or shorten the instructions, the system messages or the question.
 */
export class BudgetExceededError extends MnemicError {
  declare readonly code: "BudgetExceeded";

  constructor(message: string, options?: MnemicErrorOptions) {
    super("BudgetExceeded", message, options);
  }
}

/**
 * The call was aborted by its signal, whose reason is the `cause`. What is already durable stays.
 *
 * @remarks Nothing: your own signal ended the call.
 */
export class AbortedError extends MnemicError {
  declare readonly code: "Aborted";

  constructor(message: string, options?: MnemicErrorOptions) {
    super("Aborted", message, options);
  }
}

/**
 * The memory is closed; open it again.
 *
 * @remarks Open the memory again; do not close it while others use it.
 */
export class ClosedError extends MnemicError {
  declare readonly code: "Closed";

  constructor(message: string, options?: MnemicErrorOptions) {
    super("Closed", message, options);
  }
}

/**
 * A bug in the engine: something that should not be possible.
 *
 * @remarks Please report it with its message and stack.
 */
export class InternalError extends MnemicError {
  declare readonly code: "Internal";

  constructor(message: string, options?: MnemicErrorOptions) {
    super("Internal", message, options);
  }
}

/**
 * The WebAssembly instance crashed. Every memory opened with it is unusable; opening again uses a new instance. No confirmed write
 * is lost.
 *
 * @remarks Open the memory again, and please report what was called.
 */
export class CrashedError extends MnemicError {
  declare readonly code: "Crashed";

  constructor(message: string, options?: MnemicErrorOptions) {
    super("Crashed", message, options);
  }
}

/**
 * A text holds a secret, and the memory was opened with `guard: { secrets: "refuse" }`. `details.kind` is the kind of secret and
 * `details.place` says where; the error does not contain the secret itself. Nothing was changed.
 *
 * @remarks Ask the user to leave the secret out, or open with `guard: { secrets: "mask" }`.
 */
export class SecretError extends MnemicError {
  declare readonly code: "Secret";

  constructor(message: string, options?: MnemicErrorOptions) {
    super("Secret", message, options);
  }
}

/**
 * A WebAssembly module could not be fetched or compiled: the first when a memory is opened, another when a call needs it, which
 * then fails alone. The next call tries again. `details.file` says which.
 *
 * @remarks Serve the `.wasm` files beside the scripts, and allow `'wasm-unsafe-eval'` in the policy; then call again.
 */
export class LoadError extends MnemicError {
  declare readonly code: "Load";

  constructor(message: string, options?: MnemicErrorOptions) {
    super("Load", message, options);
  }
}

const CLASSES = {
  InvalidInput: InvalidInputError,
  InvalidScope: InvalidScopeError,
  InvalidFilter: InvalidFilterError,
  InvalidSchema: InvalidSchemaError,
  SchemaViolation: SchemaViolationError,
  NotFound: NotFoundError,
  Conflict: ConflictError,
  Forgotten: ForgottenError,
  ReadOnly: ReadOnlyError,
  QuotaExceeded: QuotaExceededError,
  Storage: StorageError,
  Corrupt: CorruptError,
  UnsupportedVersion: UnsupportedVersionError,
  Locked: LockedError,
  WrongKey: WrongKeyError,
  Model: ModelError,
  Embedder: EmbedderError,
  Timeout: TimeoutError,
  BudgetExceeded: BudgetExceededError,
  Aborted: AbortedError,
  Closed: ClosedError,
  Internal: InternalError,
  Crashed: CrashedError,
  Load: LoadError,
  Secret: SecretError,
} as const;

/** The codes that this version knows. */
export type ErrorCode = keyof typeof CLASSES;

/** @internal The error of a code: its subclass, or the base class when the code is unknown. */
export function errorOf(code: string, message: string, options?: MnemicErrorOptions): MnemicError {
  return Object.hasOwn(CLASSES, code)
    ? new CLASSES[code as ErrorCode](message, options)
    : new MnemicError(code, message, options);
}

/** @internal An error as a plain value, for listeners that cannot catch it. */
export function failure({ code, message, details }: MnemicError): Failure {
  return { code: code as ErrorCode, message, ...(Object.keys(details).length > 0 && { details: { ...details } }) };
}

/** @internal The typed error of anything that a call to the engine threw. */
export function typed(thrown: unknown): MnemicError {
  if (thrown instanceof MnemicError) return thrown;
  const { name, code, message, details } = (thrown ?? {}) as Partial<Record<string, unknown>>;
  const text = typeof message === "string" ? message : String(thrown);
  return name === "MnemicError" && typeof code === "string"
    ? errorOf(code, text, { details: parsed(details), cause: thrown })
    : new InternalError(text, { cause: thrown });
}

function parsed(details: unknown): Record<string, unknown> | undefined {
  return typeof details === "string" && details !== "" ? (JSON.parse(details) as Record<string, unknown>) : undefined;
}
