/** One statement usually fills a profile field and makes a fact; where both would be told, the fact is an echo. */
import type { Source } from "mnemic";
import type { Recollection } from "./session";

/** Leaves out the facts that rest on the same words as a field. */
export function withoutEchoes({ fields, facts }: Recollection): Recollection {
  const told = new Set(fields.flatMap(({ source }) => source.map(words)));
  return { fields, facts: facts.filter(({ source }) => source.length === 0 || !source.every((from) => told.has(words(from)))) };
}

function words({ messageId, quote }: Source): string {
  return `${messageId} ${quote}`;
}
