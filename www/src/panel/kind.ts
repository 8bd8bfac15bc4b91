/** The small label that says what sort of memory an item is. */
import type { RecallItem } from "mnemic";
import { element } from "../page/element";

const NAMES: Record<RecallItem["kind"], string> = { field: "Profile", fact: "Fact", message: "Message" };

export function kindChip(kind: RecallItem["kind"]): HTMLElement {
  return element("span", { class: `chip chip-${kind}` }, NAMES[kind] ?? kind);
}
