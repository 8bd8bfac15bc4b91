/** How arguments and answers cross: as JSON text, with the places of what JSON has no values for. */
import { base64Bytes, base64Text } from "../base64.js";
import { InvalidInputError } from "../errors.js";
import { areGone, isRecord, MAX_DEPTH, plain, refused } from "../plain.js";
import type { Answer } from "./errors.js";

type Place = ReadonlyArray<string | number>;

/** A value as JSON can hold it, and where in it dates stand as milliseconds and bytes as base64. */
interface Written {
  readonly value: unknown;
  readonly dates: Place[] | undefined;
  readonly bytes: Place[] | undefined;
}

/** The arguments of a call, as JSON text. */
export function writeArguments(values: readonly unknown[]): string {
  const { value: args, dates, bytes } = written(values);
  return plain({ args, dates, bytes });
}

/** The arguments as they were written. @throws InvalidInputError when the text is no such JSON. */
export function readArguments(text: string): unknown {
  let body;
  try {
    body = JSON.parse(text) as { args?: unknown; dates?: unknown; bytes?: unknown } | null;
  } catch (cause) {
    throw new InvalidInputError('the body is no JSON; send { "args": [...] }', { cause, details: { path: "args" } });
  }
  try {
    restore(body?.args, body);
  } catch (cause) {
    throw new InvalidInputError("bytes: what they name in args is no base64", { cause, details: { path: "args" } });
  }
  return body?.args;
}

/** What a call returned, as JSON text. */
export function writeAnswer(answer: unknown): string {
  return JSON.stringify(written(answer));
}

/** The answer in a text; undefined when it has none: nothing but a value, or an error with a code and a message. */
export function readAnswer(text: string): Answer | undefined {
  try {
    const answer: unknown = JSON.parse(text);
    if (!isRecord(answer)) return undefined;
    const { error } = answer;
    if (error !== undefined) return isRecord(error) && typeof error["code"] === "string" && typeof error["message"] === "string" ? (answer as Answer) : undefined;
    if (!Object.keys(answer).every((key) => ["value", "dates", "bytes"].includes(key))) return undefined;
    restore(answer["value"], answer);
    return { value: answer["value"] };
  } catch {
    return undefined;
  }
}

function written(given: unknown): Written {
  const [dates, bytes]: [Place[], Place[]] = [[], []];
  const above: unknown[] = [];
  let isCyclic = false;
  const copied = (value: unknown, place: Place): unknown => {
    // What contains itself has paths without end. It is refused when it is written, as is what is deeper.
    isCyclic ||= above.includes(value);
    if (isCyclic || place.length > MAX_DEPTH) return value;
    if (value instanceof Date) {
      dates.push(place);
      return value.getTime();
    }
    if (value instanceof Uint8Array) {
      if (areGone(value)) throw refused(`args[${place.join(".")}]`, "a view of a transferred or shrunk buffer", "pass a copy of its bytes");
      bytes.push(place);
      return base64Text(value);
    }
    const isList = Array.isArray(value);
    if (!isList && (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype)) return value;
    above.push(value);
    const copy = isList
      ? value.map((item, index) => copied(item, [...place, index]))
      : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copied(item, [...place, key])]));
    above.pop();
    return copy;
  };
  const value = copied(given, []);
  return { value, dates: dates.length > 0 ? dates : undefined, bytes: bytes.length > 0 ? bytes : undefined };
}

/** Puts dates and bytes where they were. @throws DOMException when bytes are no base64. */
function restore(values: unknown, from: { readonly dates?: unknown; readonly bytes?: unknown } | null): void {
  const each = (places: unknown, made: (value: unknown) => unknown): void => {
    for (const place of Array.isArray(places) ? (places as unknown[]) : []) if (Array.isArray(place)) replace(values, place as unknown[], made);
  };
  each(from?.dates, (time) => (typeof time === "number" ? new Date(time) : undefined));
  each(from?.bytes, (text) => (typeof text === "string" ? base64Bytes(text) : undefined));
}

function replace(values: unknown, place: readonly unknown[], made: (value: unknown) => unknown): void {
  let holder = values;
  for (const step of place.slice(0, -1)) holder = ownValue(holder, step);
  const last = place.at(-1);
  const value = made(ownValue(holder, last));
  if (value !== undefined && last !== "__proto__") (holder as Record<string, unknown>)[String(last)] = value;
}

const ownValue = (holder: unknown, step: unknown): unknown =>
  typeof holder === "object" && holder !== null && Object.hasOwn(holder, String(step))
    ? (holder as Record<string, unknown>)[String(step)]
    : undefined;
