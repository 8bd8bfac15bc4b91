/** How much is forgotten, by kind. */
import type { ForgottenKind } from "../../forget.js";
import { KINDS } from "../entries/kind.js";
import type { Words } from "../texts/words.js";

export type Counts = Partial<Record<ForgottenKind, number>>;

const ALL = Object.keys(KINDS) as ForgottenKind[];

/** Such as "2 messages, 1 fact"; empty when there are none. */
export function countsInWords(counts: Counts, words: Words): string {
  return words.list(ALL.flatMap((kind) => {
    const n = counts[kind] ?? 0;
    return n > 0 ? [words.of(KINDS[kind][1], { n })] : [];
  }));
}

export function total(counts: Counts): number {
  return ALL.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0);
}

export function sumOf(one: Counts, other: Counts): Counts {
  return Object.fromEntries(ALL.map((kind) => [kind, (one[kind] ?? 0) + (other[kind] ?? 0)]));
}
