/** The small label that says what sort of memory an item is. */
import type { Kind } from "mnemic";
import { element } from "../page/shared";

/** The kinds that this app has. */
const NAMES: Partial<Record<Kind, string>> = {
  field: "Profile", fact: "Fact", message: "Message", entity: "Graph", relation: "Connection", document: "Document",
  instruction: "Instruction", episode: "Example", proposal: "To review", summary: "Summary",
};

export function kindChip(kind: Kind): HTMLElement {
  return element("span", { class: `chip chip-${kind}` }, NAMES[kind] ?? kind);
}
