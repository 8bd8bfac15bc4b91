/** What the memory made of each message: the quotes to mark in it and the items to name under it. */
import type { Source } from "mnemic";
import { FIELD_LABELS } from "../profile-schema";
import { withoutEchoes } from "../echoes";
import type { Recollection } from "../session";

export interface Keepsake {
  readonly id: string;
  readonly kind: "field" | "fact";
  readonly label: string;
}

export interface Kept {
  readonly items: readonly Keepsake[];
  readonly quotes: readonly string[];
}

/** By the id of the message they came from. */
export function keptByMessage(recollection: Recollection): Map<string, Kept> {
  const { fields, facts } = withoutEchoes(recollection);
  const kept = new Map<string, { items: Keepsake[]; quotes: string[] }>();
  const add = (item: Keepsake, sources: readonly Source[]): void => {
    for (const { messageId, quote } of sources) {
      const entry = kept.get(messageId) ?? { items: [], quotes: [] };
      if (!entry.items.some(({ id }) => id === item.id)) entry.items.push(item);
      if (quote) entry.quotes.push(quote);
      kept.set(messageId, entry);
    }
  };
  for (const { id, name, value, source } of fields) {
    const shown = typeof value === "string" ? value : value.join(", ");
    add({ id, kind: "field", label: `${FIELD_LABELS[name]}: ${shown}` }, source);
  }
  for (const { id, text, source } of facts) add({ id, kind: "fact", label: text }, source);
  return kept;
}
