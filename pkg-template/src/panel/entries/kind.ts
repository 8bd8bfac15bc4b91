/** The small label that says what sort of memory an item is. */
import type { ForgottenKind } from "../../forget.js";
import { element } from "../page/element.js";
import type { Key, Words } from "../texts/words.js";

/** The kinds in the order in which they are told, with their names and how so many of them are counted. */
export const KINDS: Readonly<Record<ForgottenKind, readonly [name: Key, count: Key]>> = {
  message: ["kindMessage", "countMessage"],
  field: ["sectionProfile", "countField"],
  fact: ["kindFact", "countFact"],
  entity: ["kindEntity", "countEntity"],
  relation: ["kindRelation", "countRelation"],
  document: ["kindDocument", "countDocument"],
  instruction: ["kindInstruction", "countInstruction"],
  episode: ["kindEpisode", "countEpisode"],
  block: ["kindBlock", "countBlock"],
  passage: ["kindPassage", "countPassage"],
  trait: ["kindTrait", "countTrait"],
  summary: ["kindSummary", "countSummary"],
  page: ["kindPage", "countPage"],
  segment: ["kindSegment", "countSegment"],
  proposal: ["sectionProposals", "countProposal"],
  task: ["kindTask", "countTask"],
};

export function kindChip(kind: ForgottenKind, words: Words): HTMLElement {
  return element("span", { class: `chip chip-${kind}` }, words.of(KINDS[kind][0]));
}
