/** Every revision of an item, newest first: what it was, since when, why, and from which words; and what lies between two. */
import type { Difference, Revision } from "mnemic";
import { element, fill } from "../page/element";
import { describeMoment, moment } from "../page/moment";
import { Comparison } from "./comparison";
import { type ShowSource, sources } from "./sources";
import { valueText } from "./value-text";

const CAUSES: Record<string, string> = {
  user: "You changed it", extract: "Learned from a message", undo: "Undone", remember: "From a message", expire: "Expired", embed: "Indexed",
};

export interface HistorySource {
  load(): Promise<Revision[]>;
  showSource: ShowSource;
  /** Brings an earlier revision back, where that is possible. */
  readonly restore?: ((revision: number) => Promise<void>) | undefined;
  /** A revision in words, where its own text does not say all. */
  readonly words?: ((revision: Revision) => string | undefined) | undefined;
  readonly compare?: ((from: number, to: number) => Promise<Difference>) | undefined;
}

export class History {
  readonly element: HTMLDetailsElement;
  readonly #list = element("ol", { class: "plain-list revisions", "data-testid": "revisions" });
  readonly #comparison: Comparison | undefined;
  readonly #source: HistorySource;
  #shown = "";

  constructor(source: HistorySource) {
    this.#source = source;
    this.#comparison = source.compare && new Comparison(source.compare);
    this.element = element("details", { class: "history", "data-testid": "history", ontoggle: () => void this.update() },
      element("summary", {}, "History"), this.#list, this.#comparison?.element);
  }

  /** Reads the revisions again if they are being looked at. */
  async update(): Promise<void> {
    if (!this.element.open) return;
    const revisions = (await this.#source.load()).sort((one, other) => other.revision - one.revision);
    const shown = JSON.stringify(revisions);
    if (shown === this.#shown) return; // the focus stays where it is
    this.#shown = shown;
    fill(this.#list, ...revisions.map((revision, index) => this.#item(revision, index === 0)));
    await this.#comparison?.offer(revisions.filter(({ deleted }) => !deleted).map(({ revision }) => revision));
  }

  #item(revision: Revision, isCurrent: boolean): HTMLElement {
    const { restore, showSource, words } = this.#source;
    const { deleted, cause, at, context, pinned, validTo, source } = revision;
    return element(
      "li",
      { class: "revision" },
      element("p", { class: "revision-value", dir: "auto" }, deleted ? element("em", {}, "Deleted") : (words?.(revision) ?? revisionText(revision))),
      element("p", { class: "byline" },
        element("span", {}, isCurrent ? `Now (revision ${revision.revision})` : `Revision ${revision.revision}`),
        element("span", {}, CAUSES[cause] ?? cause), moment(at),
        pinned && element("span", {}, "pinned"),
        validTo !== undefined && element("span", {}, `true until ${describeMoment(validTo)}`)),
      context && element("p", { class: "hint", dir: "auto" }, context),
      sources(source, showSource),
      restore && !isCurrent && !deleted && element("button", { type: "button", class: "link-button", onclick: () => void restore(revision.revision) }, "Restore this"),
    );
  }
}

function revisionText({ value, text }: Revision): string {
  if (typeof value === "string" || Array.isArray(value)) return valueText(value);
  return text ?? valueText(value);
}
