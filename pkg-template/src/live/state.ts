/** What is known of an answer, and whether two answers are the same. */
import { typed } from "../errors.js";

/** A live answer: nothing yet, the data, or why there are none. It is replaced as a whole when the memory changes. */
export type Live<Data> =
  | { readonly data: undefined; readonly error: undefined; readonly pending: true }
  | { readonly data: Data; readonly error: undefined; readonly pending: false }
  | { readonly data: undefined; readonly error: Error; readonly pending: false };

/** A live answer that stands while the next one is awaited. Every answer is made as one, and no other is ever stale. */
export type Standing<Data> = Live<Data> & {
  /** Whether `data` answer the question before, and the answer to this one is awaited. */
  readonly stale: boolean;
};

/** Before the first answer, and always on a server. */
export const PENDING = Object.freeze({ data: undefined, error: undefined, pending: true, stale: false } as const);

/** That there is an answer. */
export const answered = <Data>(data: Data): Standing<Data> => Object.freeze({ data, error: undefined, pending: false, stale: false } as const);

/** That there is none, and why. */
export const failed = (error: unknown): Standing<never> =>
  Object.freeze({ data: undefined, error: error instanceof Error ? error : typed(error), pending: false, stale: false } as const);

/**
 * The new answer, with those parts of the old one that are equal: what did not change stays the same object, so nothing that shows it
 * need be drawn again.
 */
export function kept<Data>(old: unknown, now: Data): Data {
  if (Object.is(old, now)) return now;
  if (Array.isArray(old) && Array.isArray(now)) return keptParts(old, now, now.length === old.length);
  if (isPlain(old) && isPlain(now)) return keptParts(old, now, Object.keys(now).length === Object.keys(old).length);
  return now;
}

function keptParts<Data extends object>(old: object, now: Data, isAsLong: boolean): Data {
  const copy = (Array.isArray(now) ? [...(now as unknown[])] : { ...now }) as Record<string, unknown>;
  // Lists grow at either end: their items are known by their ids.
  const byId = Array.isArray(old) ? new Map(old.flatMap((item) => (isPlain(item) && "id" in item ? [[item["id"], item]] : []))) : undefined;
  let isSame = isAsLong;
  for (const name of Object.keys(copy)) {
    const value = copy[name];
    const before = (old as Record<string, unknown>)[name];
    copy[name] = kept((isPlain(value) && byId?.get(value["id"])) || before, value);
    isSame &&= Object.hasOwn(old, name) && Object.is(copy[name], before);
  }
  return (isSame ? old : copy) as Data;
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
