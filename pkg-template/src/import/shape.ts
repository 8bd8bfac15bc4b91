/** Looking into data that somebody else wrote. */
import { isRecord } from "../plain.js";
import type { FailedItem } from "./format.js";

/** The list itself, or the one under one of the names; undefined when there is none. Own properties only. */
export function listIn(data: unknown, ...names: readonly string[]): readonly unknown[] | undefined {
  if (Array.isArray(data)) return data;
  return names.map((name) => own(data, name)).find((list) => Array.isArray(list));
}

/** Whether the first item that is an object meets a condition: a list is told by it. */
export function begins(list: readonly unknown[] | undefined, meets: (item: Record<string, unknown>) => boolean): boolean {
  const first = list?.find(isRecord);
  return first !== undefined && meets(first);
}

/** A property of an object, never of its prototype; undefined when there is none. */
export function own(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** A text that is not empty; else undefined. */
export function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Milliseconds since 1970 UTC of a date in words; undefined for anything else. */
export function time(value: unknown): number | undefined {
  const at = typeof value === "string" ? Date.parse(value) : NaN;
  return at >= 0 ? at : undefined;
}

/** Milliseconds of seconds since 1970 UTC; undefined for anything else. */
export function seconds(value: unknown): number | undefined {
  return typeof value === "number" && value > 0 && Number.isFinite(value) ? Math.round(value * 1000) : undefined;
}

/** What is left of an object without the properties that are undefined. */
export function defined<Value extends object>(value: Value): { [Name in keyof Value]: Exclude<Value[Name], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as never;
}

/** The JSON of a value; undefined when it has none. */
export function json(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    // A cycle, or deeper than the runtime can follow: whoever stores it says what is wrong.
    return undefined;
  }
}

/** That something is not what stands at such a place. */
export function malformed(place: string, expected: string): FailedItem {
  return { place, reason: `it is malformed: ${expected}` };
}
