/** What was recalled for a reply: the items with their scores, folded away. */
import { element } from "../page/shared";
import type { Recalled } from "../replies/reply";
import { kindChip } from "./kind";
import { scores } from "./scores";

export function recalledDetails(recalled: readonly Recalled[]): HTMLElement {
  return element(
    "details",
    { class: "recalled", "data-testid": "recalled" },
    element("summary", {}, `Recalled (${recalled.length})`),
    element("ul", { class: "plain-list" }, ...recalled.map((item) =>
      element("li", { class: "recalled-item" }, kindChip(item.kind), element("p", { dir: "auto" }, item.text), why(item)))),
  );
}

const ALWAYS = new Set<Recalled["kind"]>(["field", "summary"]);

/** The profile is told with every message, and the facts that matter most where there is room: these have no score. */
function why(item: Recalled): HTMLElement {
  if (ALWAYS.has(item.kind)) return element("p", { class: "hint" }, "Always included");
  return item.score > 0 ? scores(item) : element("p", { class: "hint" }, "Added for its weight, not for this message");
}

/** The recalled items kept with a stored reply; none when the metadata holds nothing of the kind. */
export function readRecalled(metadata: unknown): Recalled[] {
  const recalled = (metadata as { recalled?: unknown } | undefined)?.recalled;
  return Array.isArray(recalled) ? recalled.filter(isRecalled) : [];
}

function isRecalled(item: unknown): item is Recalled {
  const { kind, id, text, score, relevance } = (item ?? {}) as Record<string, unknown>;
  return typeof kind === "string" && typeof id === "string" && typeof text === "string" && typeof score === "number" && ["number", "undefined"].includes(typeof relevance);
}
