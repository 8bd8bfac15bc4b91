/** The kinds of what can be forgotten, in words. */
import type { ForgottenKind } from "mnemic";
import { inDigits } from "../page/number";

/** In the order in which they are told. */
const NOUNS: Record<ForgottenKind, readonly [one: string, many: string]> = {
  message: ["message", "messages"],
  field: ["profile field", "profile fields"],
  fact: ["fact", "facts"],
  entity: ["person or thing", "people and things"],
  relation: ["connection", "connections"],
  document: ["document", "documents"],
  instruction: ["instruction", "instructions"],
  episode: ["example", "examples"],
  block: ["block", "blocks"],
  passage: ["passage", "passages"],
  trait: ["trait", "traits"],
  summary: ["summary", "summaries"],
  page: ["exchange kept by topic", "exchanges kept by topic"],
  segment: ["topic", "topics"],
  proposal: ["proposal", "proposals"],
  task: ["piece of waiting work", "pieces of waiting work"],
};

export type Counts = Partial<Record<ForgottenKind, number>>;

export const KINDS = Object.keys(NOUNS) as ForgottenKind[];

/** Such as "2 messages, 1 fact"; empty when there are none. */
export function countsInWords(counts: Counts): string {
  return KINDS.flatMap((kind) => {
    const count = counts[kind] ?? 0;
    return count > 0 ? [`${inDigits(count)} ${nounOf(kind, count)}`] : [];
  }).join(", ");
}

export function nounOf(kind: ForgottenKind, count = 1): string {
  return NOUNS[kind][count === 1 ? 0 : 1];
}

export function total(counts: Counts): number {
  return KINDS.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0);
}

export function sumOf(one: Counts, other: Counts): Counts {
  return Object.fromEntries(KINDS.map((kind) => [kind, (one[kind] ?? 0) + (other[kind] ?? 0)]));
}
