/** Errors on their way between a page and its worker: their class, code, details and cause arrive. */
import { errorOf, MnemicError } from "../errors.js";

/** An error as it crosses. */
export type SentFailure = SentError | { readonly thrown: unknown };

interface SentError {
  /** Whether it is an error of the package. */
  readonly isTyped: boolean;
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly code: string | undefined;
  readonly details: unknown;
  readonly cause: SentFailure | undefined;
}

/** How many causes of causes cross. */
const MAX_CAUSES = 4;

/** What was thrown, as it crosses. Never throws itself, whatever an app threw: whoever waits for the answer would wait for ever. */
export function sent(thrown: unknown, depth = 0): SentFailure {
  const read = (name: string): unknown => attempt(() => (thrown as Record<string, unknown>)[name], undefined);
  const isError = attempt(() => typeof thrown === "object" && thrown !== null && "message" in thrown, false);
  if (!isError) return { thrown: cloneable(thrown, text(thrown)) };
  const [stack, code, cause] = [read("stack"), read("code"), read("cause")];
  return {
    isTyped: attempt(() => thrown instanceof MnemicError, false),
    name: text(read("name")),
    message: text(read("message")),
    stack: typeof stack === "string" ? stack : undefined,
    code: typeof code === "string" ? code : undefined,
    details: cloneable(read("details"), undefined),
    cause: cause === undefined || depth === MAX_CAUSES ? undefined : sent(cause, depth + 1),
  };
}

/** What arrived, to be thrown. */
export function received(failure: SentFailure): unknown {
  if ("thrown" in failure) return failure.thrown;
  const { isTyped, name, message, stack, code, details } = failure;
  const cause = failure.cause === undefined ? {} : { cause: received(failure.cause) };
  if (isTyped && code !== undefined) return errorOf(code, message, { details: details as Record<string, unknown>, ...cause });
  const error = Object.assign(new Error(message, cause), code !== undefined && { code }, details !== undefined && { details });
  // Enumerable, a name would be shown twice.
  Object.defineProperty(error, "name", { value: name, configurable: true, writable: true });
  if (stack !== undefined) Object.defineProperty(error, "stack", { value: stack, configurable: true, writable: true });
  return error;
}

/** The value if it can cross. */
function cloneable(value: unknown, otherwise: unknown): unknown {
  return attempt(() => structuredClone(value), otherwise);
}

/** A value as text, also one that cannot be written. */
function text(value: unknown): string {
  return attempt(() => String(value), "something that cannot be shown");
}

/** What reading something of the app's gives, or something else where that throws. */
function attempt<Value>(read: () => Value, otherwise: Value): Value {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
