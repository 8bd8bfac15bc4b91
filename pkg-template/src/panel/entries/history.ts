/** Every revision of an item, newest first: what it was, since when, why, and from which words; and what lies between two. */
import type { Cause, Difference, Revision } from "../../types.js";
import { element, fill } from "../page/element.js";
import type { Key } from "../texts/words.js";
import type { Tools } from "../tools.js";
import { Comparison } from "./comparison.js";
import { sources } from "./sources.js";
import { valueText } from "./value-text.js";

const CAUSES: Record<Cause, Key> = {
  user: "causeUser", extract: "causeExtract", undo: "causeUndo", remember: "causeRemember", expire: "causeExpire", embed: "causeEngine", access: "causeEngine",
  tool: "causeTool", forget: "causeForget",
};

export interface HistorySource {
  load(): Promise<Revision[]>;
  /** Brings an earlier revision back, where that is possible. */
  readonly restore?: ((revision: number) => Promise<void>) | undefined;
  /** A revision in words, where its own text does not say all. */
  readonly words?: ((revision: Revision) => string | undefined) | undefined;
  readonly compare?: ((from: number, to: number) => Promise<Difference>) | undefined;
}

export class History {
  readonly element: HTMLDetailsElement;
  readonly #list = element("ol", { class: "plain-list revisions", "data-testid": "revisions" });
  readonly #source: HistorySource;
  readonly #tools: Tools;
  #comparison: Comparison | undefined;
  #shown = "";

  constructor(source: HistorySource, tools: Tools) {
    this.#source = source;
    this.#tools = tools;
    this.element = element("details", { "data-testid": "history", ontoggle: () => tools.reading(this.update()) },
      element("summary", {}, tools.words.of("history")), this.#list);
  }

  /** Reads the revisions again if they are being looked at. */
  async update(): Promise<void> {
    if (!this.element.open) return;
    const revisions = (await this.#source.load()).sort((one, other) => other.revision - one.revision);
    const shown = JSON.stringify(revisions);
    if (shown === this.#shown) return; // the focus stays where it is
    this.#shown = shown;
    fill(this.#list, ...revisions.map((revision, index) => this.#item(revision, index === 0)));
    if (this.#source.compare && !this.#comparison) {
      this.#comparison = new Comparison(this.#tools, this.#source.compare);
      this.element.append(this.#comparison.element);
    }
    await this.#comparison?.offer(revisions.filter(({ deleted }) => !deleted).map(({ revision }) => revision));
  }

  #item(revision: Revision, isCurrent: boolean): HTMLElement {
    const { restore, words: inWords } = this.#source;
    const { words } = this.#tools;
    const { deleted, cause, at, context, pinned, validTo, source } = revision;
    return element(
      "li",
      { class: "revision" },
      element("p", { class: "revision-value", dir: "auto" }, deleted ? element("em", {}, words.of("deletedValue")) : (inWords?.(revision) ?? revisionText(revision))),
      element("p", { class: "byline" },
        element("span", {}, words.of(isCurrent ? "revisionNow" : "revision", { revision: revision.revision })),
        element("span", {}, words.of(CAUSES[cause])), words.moment(at),
        pinned && element("span", {}, words.of("isPinned")),
        validTo !== undefined && element("span", {}, words.of("trueUntil", { time: words.time(validTo) }))),
      context && element("p", { class: "hint", dir: "auto" }, context),
      sources(source, this.#tools),
      restore && !isCurrent && !deleted && element("button", { type: "button", class: "link-button", "data-testid": "restore", onclick: () => void restore(revision.revision) }, words.of("restoreThis")),
    );
  }
}

function revisionText({ value, text }: Revision): string {
  if (typeof value === "string" || Array.isArray(value)) return valueText(value);
  return text ?? valueText(value);
}
