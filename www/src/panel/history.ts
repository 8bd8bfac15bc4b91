/** Every revision of an item, newest first: what it was, since when, why, and from which words. */
import type { Revision } from "mnemic";
import { element, fill } from "../page/element";
import { moment } from "../page/moment";
import { type ShowSource, sources } from "./sources";

const CAUSES: Record<string, string> = {
  user: "You changed it", extract: "Read from a message", undo: "Undone", remember: "From a message", expire: "Ran out", embed: "Indexed",
};

export interface HistorySource {
  load(): Promise<Revision[]>;
  showSource: ShowSource;
  /** Brings an earlier revision back, where that is possible. */
  readonly restore?: (revision: number) => Promise<void>;
}

export class History {
  readonly element: HTMLDetailsElement;
  readonly #list = element("ol", { class: "plain-list revisions", "data-testid": "revisions" });
  readonly #source: HistorySource;
  #shown = "";

  constructor(source: HistorySource) {
    this.#source = source;
    this.element = element("details", { class: "history", "data-testid": "history", ontoggle: () => void this.update() },
      element("summary", {}, "History"), this.#list);
  }

  /** Reads the revisions again if they are being looked at. */
  async update(): Promise<void> {
    if (!this.element.open) return;
    const revisions = (await this.#source.load()).sort((one, other) => other.revision - one.revision);
    const shown = JSON.stringify(revisions);
    if (shown === this.#shown) return; // the focus stays where it is
    this.#shown = shown;
    fill(this.#list, ...revisions.map((revision, index) => this.#item(revision, index === 0)));
  }

  #item(revision: Revision, isCurrent: boolean): HTMLElement {
    const { restore, showSource } = this.#source;
    return element(
      "li",
      { class: "revision" },
      element("p", { class: "revision-value", dir: "auto" }, revision.deleted ? element("em", {}, "Deleted") : revisionText(revision)),
      element("p", { class: "byline" }, element("span", {}, isCurrent ? "Now" : `Revision ${revision.revision}`), element("span", {}, CAUSES[revision.cause] ?? revision.cause), moment(revision.at)),
      sources(revision.source, showSource),
      restore && !isCurrent && !revision.deleted && element("button", { type: "button", class: "link-button", onclick: () => void restore(revision.revision) }, "Restore this"),
    );
  }
}

function revisionText({ value, text }: Revision): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.join(", ");
  const inner = (value as { text?: unknown } | null)?.text;
  return typeof inner === "string" ? inner : (text ?? JSON.stringify(value));
}
