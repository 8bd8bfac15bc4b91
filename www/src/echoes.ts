/** One statement usually fills a profile field and makes a fact; where both would be told, the fact is an echo. */
import type { Fact, Source } from "mnemic";
import type { Recollection } from "./session";
import type { Field, FieldValue } from "./types";

/** Leaves out the facts that rest on the same words as a field. */
export function withoutEchoes({ fields, facts }: Recollection): Recollection {
  return { fields, facts: facts.filter((fact) => !fieldTelling(fact, fields)) };
}

/** The field that tells what a fact tells: it rests on the same words, or on more of them. */
export function fieldTelling({ source }: Pick<Fact, "source">, fields: readonly Field[]): Field | undefined {
  if (source.length === 0) return undefined;
  return fields.find((field) => source.every((from) => field.source.some((told) => covers(told, from))));
}

/** What one message told about a field: of a list, the entries that it names. */
export function toldBy(messageId: string, { value, source }: Field): FieldValue {
  if (typeof value === "string") return value;
  const quotes = source.filter((from) => from.messageId === messageId).map(({ quote }) => quote);
  const named = value.filter((entry) => quotes.some((quote) => quote.includes(entry)));
  return named.length > 0 ? named : value;
}

/** Whether one quote holds another, or is held by it. */
export function covers(one: Source, other: Source): boolean {
  return one.messageId === other.messageId && (one.quote.includes(other.quote) || other.quote.includes(one.quote));
}
