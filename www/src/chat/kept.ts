/** What the memory made of each message: the quotes to mark in it and the items to name under it. */
import type { Source } from "mnemic";
import { FIELD_LABELS } from "../profile-schema";
import { toldBy, withoutEchoes } from "../echoes";
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
  const add = (keepsake: (messageId: string) => Keepsake, sources: readonly Source[]): void => {
    for (const { messageId, quote } of sources) {
      const item = keepsake(messageId);
      const entry = kept.get(messageId) ?? { items: [], quotes: [] };
      if (!entry.items.some(({ id }) => id === item.id)) entry.items.push(item);
      if (quote) entry.quotes.push(quote);
      kept.set(messageId, entry);
    }
  };
  for (const field of fields) {
    const { id, name, source } = field;
    add((messageId) => ({ id, kind: "field", label: `${FIELD_LABELS[name]}: ${[toldBy(messageId, field)].flat().join(", ")}` }), source);
  }
  for (const { id, text, source } of facts) add(() => ({ id, kind: "fact", label: text }), source);
  return kept;
}
