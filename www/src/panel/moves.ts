/** What moved between the tiers from one look at them to the next. */
import type { TierState } from "mnemic";

export interface Moves {
  /** The pages that left the queue for a segment. */
  readonly pages: readonly string[];
  /** The segments they went to. */
  readonly segments: readonly string[];
  /** The segments that were distilled. */
  readonly distilled: readonly string[];
}

export function movesBetween(before: TierState, after: TierState): Moves {
  const pagesIn = new Map(before.segments.map(({ id, pages }) => [id, pages]));
  const freshIn = new Map(before.segments.map(({ id, heat }) => [id, heat.pages]));
  const waiting = new Set(after.recent.map(({ id }) => id));
  const grown = after.segments.filter(({ id, pages }) => pages > (pagesIn.get(id) ?? 0));
  return {
    // What was unpinned is not in a segment.
    pages: grown.length === 0 ? [] : before.recent.filter(({ id }) => !waiting.has(id)).map(({ id }) => id),
    segments: grown.map(({ id }) => id),
    distilled: after.segments.filter(({ id, pages, heat }) => pages === pagesIn.get(id) && heat.pages < (freshIn.get(id) ?? 0)).map(({ id }) => id),
  };
}

/** In a sentence or two; empty when nothing moved. */
export function movesInWords({ pages, segments, distilled }: Moves): string {
  const moved = pages.length > 0 && `${counted(pages.length, "exchange")} moved from the queue into ${counted(segments.length, "topic")}.`;
  const learned = distilled.length > 0 && `${counted(distilled.length, "topic")} ${distilled.length === 1 ? "was" : "were"} read again for lasting facts.`;
  return [moved, learned].filter((sentence) => sentence !== false).join(" ");
}

export function counted(number: number, noun: string): string {
  return number === 1 ? `1 ${noun}` : `${number} ${noun}s`;
}
