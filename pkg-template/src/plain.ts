/**
 * What crosses into the engine: JSON, written in one pass that checks every value on its way.
 *
 * - Plain objects, lists, strings, finite numbers, booleans and null cross. A `Date` crosses as an ISO 8601 string.
 * - A property that is `undefined` is left out.
 * - Everything else is refused with `InvalidInput`, never dropped or changed: functions, symbols, BigInt, NaN, infinities,
 *   strings that are not well-formed Unicode, class instances such as `Map`, cycles, more than 64 levels, more than 16 MiB.
 *
 * Arguments are read once and never changed.
 */
import { InvalidInputError } from "./errors.js";

/** How many levels of objects and lists an argument may have. */
export const MAX_DEPTH = 64;

/** How many bytes of JSON the arguments of one call may have. */
export const MAX_BYTES: number = 16 * 1024 * 1024;

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
};

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
    // A getter or a proxy of the app's, or a string longer than the runtime can make.
    throw new InvalidInputError("the arguments cannot be read: something in them throws; pass plain data", { cause });
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
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * The options of a call as a plain object; none when they are left out.
 *
 * @throws InvalidInputError when they are not a plain object.
 */
export function record(value: unknown, name: string): Record<string, unknown> {
  if (value === undefined) return {};
  if (isRecord(value)) return value;
  throw refused(name, kind(value), "pass a plain object");
}

/**
 * Sees to it that the options of a call have no names but these.
 *
 * @throws InvalidInputError when they are not a plain object, or have another.
 */
export function known(options: unknown, names: readonly string[]): void {
  const unknown = Object.keys(record(options, "options")).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw new InvalidInputError(`options.${unknown}: unknown option; the options are ${names.join(", ")}`);
}

/** The value with a `Date` as milliseconds since 1970 UTC; anything else as it is. */
export function milliseconds(time: unknown): unknown {
  return time instanceof Date ? time.getTime() : time;
}

/** A copy of the object in which the named properties hold milliseconds; anything but a plain object as it is. */
export function withMilliseconds(value: unknown, names: readonly string[]): unknown {
  if (!isRecord(value)) return value;
  const copy = { ...value };
  for (const name of names) if (name in copy) copy[name] = milliseconds(copy[name]);
  return copy;
}

/** Messages, one or many, as a list whose times are milliseconds. */
export function listed(messages: unknown): unknown[] {
  const list: readonly unknown[] = Array.isArray(messages) ? messages : [messages];
  return list.map((message) => withMilliseconds(message, ["createdAt"]));
}

/**
 * A vector as text: base64 of its 32-bit floating-point numbers, little-endian.
 *
 * @param path where it stands in the arguments.
 * @throws InvalidInputError when it is not a list of finite numbers.
 */
export function vectorText(value: unknown, path: string): string {
  const cure = "pass a list of finite numbers";
  if (!Array.isArray(value) && !(value instanceof Float32Array)) throw refused(path, kind(value), cure);
  const list: ArrayLike<unknown> = value;
  const view = new DataView(new ArrayBuffer(list.length * 4));
  // Plain loops: imports bring millions of numbers.
  for (let place = 0; place < list.length; place += 1) {
    const number = list[place];
    if (typeof number !== "number" || !Number.isFinite(number)) {
      throw refused(`${path}[${place}]`, typeof number === "number" ? String(number) : kind(number), cure);
    }
    view.setFloat32(place * 4, number, true);
  }
  const bytes = new Uint8Array(view.buffer);
  let text = "";
  for (let start = 0; start < bytes.length; start += 8192) {
    text += String.fromCharCode.apply(null, bytes.subarray(start, start + 8192) as unknown as number[]);
  }
  return btoa(text);
}

/** What a value is, for messages: `a string`, `null`, `a Map`. */
export function kind(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "a list";
  if (typeof value !== "object") return `a ${typeof value}`;
  const name = isRecord(value) ? "object" : className(value);
  return `${/^[aeio]/i.test(name) ? "an" : "a"} ${name}`;
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
      if (!Array.isArray(argument) || argument.length < 2) {
        this.write(argument, place, 1);
        continue;
      }
      this.#above.push(argument);
      let separator = "[";
      for (const [index, item] of argument.entries()) {
        this.text += separator;
        this.write(item, `${place}[${index}]`, 2);
        separator = ",";
        if (this.text.length > PART) this.#part();
        yield;
      }
      this.text += "]";
      this.#above.pop();
    }
    this.#above.pop();
  }

  write(value: unknown, path: string, depth: number): void {
    if (this.length > MAX_BYTES) throw tooLarge();
    switch (typeof value) {
      case "string":
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
    if (Array.isArray(value)) this.#list(value, path, depth);
    else if (isRecord(value)) this.#record(value, path, depth);
    else if (value instanceof Date) this.#date(value, path);
    else {
      const what = ArrayBuffer.isView(value) ? "a typed array" : kind(value);
      throw refused(path, what, CURES[what] ?? (ArrayBuffer.isView(value) ? "use Array.from(array)" : "pass a plain object"));
    }
    this.#above.pop();
  }

  #list(list: readonly unknown[], path: string, depth: number): void {
    this.text += "[";
    for (let index = 0; index < list.length; index += 1) {
      if (index > 0) this.text += ",";
      this.write(list[index], `${path}[${index}]`, depth + 1);
    }
    this.text += "]";
  }

  #record(object: Record<string, unknown>, path: string, depth: number): void {
    for (const [place, value] of this.#properties(object, path)) this.write(value, place, depth + 1);
  }

  /** Writes an object but for its values, each of which the caller writes when it is given. */
  *#properties(object: Record<string, unknown>, path: string): Generator<[place: string, value: unknown], void> {
    let separator = "{";
    for (const key of Object.keys(object)) {
      const value = object[key];
      if (value === undefined) continue;
      const place = /^[A-Za-z_$][\w$]*$/.test(key) ? `${path && `${path}.`}${key}` : `${path}[${JSON.stringify(key)}]`;
      this.text += separator;
      this.#string(key, place);
      this.text += ":";
      yield [place, value];
      separator = ",";
    }
    this.text += separator === "{" ? "{}" : "}";
  }

  #date(date: Date, path: string): void {
    if (Number.isNaN(date.getTime())) throw refused(path, "an invalid Date", "pass a valid one");
    this.text += JSON.stringify(date);
  }
}

function tooLarge(): InvalidInputError {
  return noted(
    new InvalidInputError(`the arguments of one call exceed ${MAX_BYTES} bytes of JSON; split them into several calls`, {
      details: { limit: MAX_BYTES },
    }),
  );
}

/** Whether a string has no half of a surrogate pair. */
export function isWellFormed(text: string & { isWellFormed?: () => boolean }): boolean {
  // In Unicode mode whole pairs are one character, so the class finds halves only.
  return text.isWellFormed ? text.isWellFormed() : !/\p{Surrogate}/u.test(text);
}
