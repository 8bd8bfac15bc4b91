/**
 * What crosses into the engine: JSON, written in one pass that checks every value on its way.
 *
 * - Plain objects, lists, strings, finite numbers, booleans and null cross. A `Date` crosses as an ISO 8601 string; as a time that the
 *   engine takes, in milliseconds.
 * - A property that is `undefined` is left out.
 * - Everything else is refused with `InvalidInput`, never dropped or changed: functions, symbols, BigInt, NaN, infinities,
 *   strings that are not well-formed Unicode, class instances such as `Map`, cycles, more than 64 levels, more than 24 MiB.
 *
 * Arguments are read once and never changed.
 */
import { InvalidInputError } from "./errors.js";

/** How many levels of objects and lists an argument may have. */
export const MAX_DEPTH = 64;

/** How many bytes of JSON the arguments of one call may have, and as many of vectors. */
export const MAX_BYTES: number = 24 * 1024 * 1024;

/** What a proxy is that tells nothing of itself. */
const THROWING = "a proxy that throws";

const CURES: Readonly<Record<string, string>> = {
  "a Map": "use Object.fromEntries(map)",
  "a Set": "use [...set]",
  "a bigint": "use Number(value) or String(value)",
  "a RegExp": "use its source",
  "a URL": "use its href",
  "an Error": "use its message",
  "a Promise": "await it first",
  "a function": "leave it out",
  "a symbol": "use its description",
  [THROWING]: "pass plain data",
};

/** The arguments that are times, also of the messages and facts in a list. */
const TIMES = /^((messages|facts)\[\d+\]\.)?(createdAt|validFrom|validTo|validAt|expiresAt|asOf|at|from|to)$/;
/** Those of them whose names are of times alone. */
const TIMES_ALONE = /(At|From|To|Of)$/;

/**
 * The JSON text of the arguments of a call.
 *
 * @param value a plain object; its property names begin the paths in messages.
 * @throws InvalidInputError naming the path, the type and the cure.
 */
export function plain(value: object): string {
  const steps = plainSteps(value);
  for (;;) {
    const { done, value: parts } = steps.next();
    if (done) return parts.join("");
  }
}

/** The same in parts, and in steps: one for every item of the lists that are arguments, such as messages and facts. */
export function* plainSteps(value: object): Generator<void, string[]> {
  const writer = new Writer();
  try {
    yield* writer.steps(value);
  } catch (cause) {
    if (cause instanceof InvalidInputError) throw cause;
    // A string longer than the runtime can make, or something that pretends to be what it is not.
    throw unreadable("", cause);
  }
  const parts = [...writer.parts, writer.text];
  // Each UTF-16 unit is at most three bytes, so most texts need no counting.
  let bytes = writer.length;
  if (bytes * 3 > MAX_BYTES) bytes = (yield* bytesSteps(parts)).reduce((sum, { length }) => sum + length, 0);
  if (bytes > MAX_BYTES) throw tooLarge();
  return parts;
}

/** Texts as UTF-8, in steps. */
export function* bytesSteps(parts: readonly string[]): Generator<void, Array<Uint8Array<ArrayBuffer>>> {
  const encoder = new TextEncoder();
  const bytes: Array<Uint8Array<ArrayBuffer>> = [];
  for (const part of parts) {
    bytes.push(encoder.encode(part));
    yield;
  }
  return bytes;
}

/** Whether a value is an object as `{}` or JSON makes them: of no class, of any realm. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || isList(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Whether a value is a list. */
export function isList(value: unknown): value is readonly unknown[] {
  return passes(() => Array.isArray(value));
}

/** What a test says; no when it throws, as tests of a proxy may. */
export function passes(test: () => boolean): boolean {
  try {
    return test();
  } catch {
    return false;
  }
}

/** Whether bytes are a view of a buffer that was transferred or cut off. It has a length of 0; only reading it throws. */
export const areGone = (bytes: Uint8Array): boolean => !passes(() => (bytes.at(0), true));

/** The properties of an object that a call is given, each read once: a getter or a proxy of the app's may refuse to give one. */
function* properties(object: object, path: string): Generator<[name: string, place: string, value: unknown]> {
  for (const name of reading(path, () => Object.keys(object))) {
    const place = /^[A-Za-z_$][\w$]*$/.test(name) ? `${path && `${path}.`}${name}` : `${path}[${JSON.stringify(name)}]`;
    const value = reading(place, () => (object as Record<string, unknown>)[name]);
    if (value !== undefined) yield [name, place, value];
  }
}

/** The items of a list, in the same way. */
function* items(list: readonly unknown[], path: string): Generator<[place: string, item: unknown]> {
  const length = reading(path, () => list.length);
  for (let index = 0; index < length; index += 1) {
    const place = `${path}[${index}]`;
    yield [place, reading(place, () => list[index])];
  }
}

/**
 * What is read of an argument.
 *
 * @throws InvalidInputError when a getter or a proxy of the app's throws.
 */
export function reading<Value>(path: string, read: () => Value): Value {
  try {
    return read();
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

function unreadable(path: string, cause: unknown): InvalidInputError {
  const what = path || "the arguments";
  return new InvalidInputError(`${what}: cannot be read, because reading throws; pass plain data`, { cause, details: { path } });
}

/**
 * A copy of the options of a call; none when they are left out.
 *
 * @throws InvalidInputError when they are not a plain object.
 */
export function record(value: unknown, name: string): Record<string, unknown> {
  // Without a prototype: a property may have any name.
  const copy = Object.create(null) as Record<string, unknown>;
  if (value === undefined) return copy;
  if (!reading(name, () => isRecord(value))) throw refused(name, kind(value), "pass a plain object");
  for (const [key, , property] of properties(value as object, name)) copy[key] = property;
  return copy;
}

/**
 * Sees to it that the options of a call have no names but these.
 *
 * @throws InvalidInputError when they are not a plain object, or have another.
 */
export function known(options: unknown, names: readonly string[], path = "options"): void {
  const unknown = Object.keys(record(options, path)).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw new InvalidInputError(`${path}.${unknown}: unknown option; the options are ${names.join(", ")}`);
}

/** Messages, one or many, as a list. */
export function listed(messages: unknown): readonly unknown[] {
  return isList(messages) ? messages : [messages];
}

/** What a value is, for messages: `a string`, `null`, `a Map`. */
export function kind(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (isList(value)) return "a list";
  if (typeof value !== "object") return `a ${typeof value}`;
  try {
    const name = isRecord(value) ? "object" : className(value);
    return `${/^[aeio]/i.test(name) ? "an" : "a"} ${name}`;
  } catch {
    return THROWING;
  }
}

/** The name of an object's class, by its prototype, so that nothing of the object itself is asked. */
function className(value: object): string {
  const { constructor } = Object.getPrototypeOf(value) as { constructor?: { name?: unknown } };
  return typeof constructor?.name === "string" && constructor.name !== "" ? constructor.name.slice(0, 64) : "object";
}

/** A string as it is written, cut to a sensible length; anything else by its kind. For messages. */
export function shown(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value.slice(0, 80)) : kind(value);
}

/** Refusals of values that JSON can hold, and so a model can write. */
const ofJson = new WeakSet<object>();

function noted(error: InvalidInputError): InvalidInputError {
  ofJson.add(error);
  return error;
}

/**
 * What to tell a model whose call was refused before it reached the engine.
 *
 * @throws the error itself when it is of something that no model wrote.
 */
export function toldModel(error: unknown): string {
  if (!(error instanceof InvalidInputError) || !ofJson.has(error)) throw error;
  if (/^(threadId|include)/u.test(String(error.details["path"]))) throw error;
  return `Error, nothing was changed: ${error.message}`;
}

/** The error for a value that cannot cross. As in the engine's errors, `details.index` is the place in the list that `path` leads into. */
export function refused(path: string, what: string, cure: string): InvalidInputError {
  const index = /^[^[]*\[(\d+)\]/.exec(path)?.[1];
  const details = index === undefined ? { path } : { path, index: Number(index) };
  return new InvalidInputError(`${path || "the arguments"}: ${what} is not allowed here; ${cure}`, { details });
}

/** How many characters a part has, about. */
const PART = 64 * 1024;

class Writer {
  /** What is written, but for the last part. */
  readonly parts: string[] = [];
  /** The last part. */
  text = "";
  #before = 0;
  readonly #above: object[] = [];

  /** How many characters are written. */
  get length(): number {
    return this.#before + this.text.length;
  }

  /** Writes arguments, with a step for every item of a list among them. */
  *steps(value: object): Generator<void, void> {
    if (!isRecord(value)) return this.write(value, "", 0);
    this.#above.push(value);
    for (const [place, argument] of this.#properties(value, "")) {
      if (!isList(argument)) {
        this.write(argument, place, 1);
        continue;
      }
      this.#above.push(argument);
      for (const _ of this.#items(argument, place, 1)) {
        if (this.text.length > PART) this.#part();
        yield;
      }
      this.#above.pop();
    }
    this.#above.pop();
  }

  write(value: unknown, path: string, depth: number): void {
    if (this.length > MAX_BYTES) throw tooLarge();
    switch (typeof value) {
      case "string":
        if (TIMES.test(path) && TIMES_ALONE.test(path)) {
          throw noted(new InvalidInputError(`${path} is ${shown(value)}; pass a Date, or milliseconds since 1970 UTC`, { details: { path } }));
        }
        return this.#string(value, path);
      case "number":
        if (!Number.isFinite(value)) throw refused(path, String(value), "pass a finite number or null");
        this.text += JSON.stringify(value);
        return;
      case "boolean":
        this.text += String(value);
        return;
      case "object":
        if (value !== null) return this.#object(value, path, depth);
        this.text += "null";
        return;
      default: {
        const what = kind(value);
        throw refused(path, what, CURES[what] ?? "pass a value that JSON can hold");
      }
    }
  }

  #part(): void {
    this.parts.push(this.text);
    this.#before += this.text.length;
    this.text = "";
  }

  #string(value: string, path: string): void {
    if (value.length > MAX_BYTES) throw tooLarge();
    if (!isWellFormed(value)) {
      const cure = "cut strings between characters, or use value.toWellFormed()";
      throw noted(refused(path, "a string with half of a surrogate pair", cure));
    }
    this.text += JSON.stringify(value);
  }

  #object(value: object, path: string, depth: number): void {
    if (this.#above.includes(value)) throw refused(path, "an object that contains itself", "pass a tree");
    if (depth >= MAX_DEPTH) throw noted(refused(path, `more than ${MAX_DEPTH} levels`, "pass a flatter value"));
    this.#above.push(value);
    if (isList(value)) for (const _ of this.#items(value, path, depth));
    else if (reading(path, () => isRecord(value))) for (const [place, inner] of this.#properties(value, path)) this.write(inner, place, depth + 1);
    else if (passes(() => value instanceof Date)) this.#date(value as Date, path);
    else {
      const what = ArrayBuffer.isView(value) ? "a typed array" : kind(value);
      throw refused(path, what, CURES[what] ?? (ArrayBuffer.isView(value) ? "use Array.from(array)" : "pass a plain object"));
    }
    this.#above.pop();
  }

  /** Writes a list, an item at each step. */
  *#items(list: readonly unknown[], path: string, depth: number): Generator<void, void> {
    let separator = "[";
    for (const [place, item] of items(list, path)) {
      this.text += separator;
      this.write(item, place, depth + 1);
      separator = ",";
      yield;
    }
    this.text += separator === "[" ? "[]" : "]";
  }

  /** Writes an object but for its values, each of which the caller writes when it is given. */
  *#properties(object: object, path: string): Generator<[place: string, value: unknown], void> {
    let separator = "{";
    for (const [name, place, value] of properties(object, path)) {
      this.text += separator;
      this.#string(name, place);
      this.text += ":";
      yield [place, value];
      separator = ",";
    }
    this.text += separator === "{" ? "{}" : "}";
  }

  #date(date: Date, path: string): void {
    if (Number.isNaN(date.getTime())) throw refused(path, "an invalid Date", "pass a valid one");
    this.text += TIMES.test(path) ? date.getTime() : JSON.stringify(date);
  }
}

/** The error for more than a call may bring. */
export function tooLarge(): InvalidInputError {
  return noted(
    new InvalidInputError(`the arguments of one call exceed ${MAX_BYTES} bytes; split them into several calls`, {
      details: { limit: MAX_BYTES },
    }),
  );
}

/** Whether a string has no half of a surrogate pair. */
export function isWellFormed(text: string & { isWellFormed?: () => boolean }): boolean {
  // In Unicode mode whole pairs are one character, so the class finds halves only.
  return text.isWellFormed ? text.isWellFormed() : !/\p{Surrogate}/u.test(text);
}
