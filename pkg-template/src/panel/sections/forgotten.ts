/** "Forget": everything about some words, all there is, and what was forgotten. */
import type { Commit } from "../../commits.js";
import { type Counts, countsInWords } from "../forgetting/counts.js";
import { element } from "../page/element.js";
import { List, type Row } from "../page/list.js";
import type { Words } from "../texts/words.js";
import type { Tools } from "../tools.js";
import type { Section, Standing } from "./section.js";

const PAGE = 100;

const HIDDEN: ReadonlySet<string> = new Set(["task"]);

export class ForgottenSection implements Section {
  readonly element: HTMLElement;
  readonly #tools: Tools;
  readonly #about: HTMLInputElement;
  readonly #receipts: List<Commit>;
  readonly #none: HTMLElement;

  constructor(tools: Tools) {
    this.#tools = tools;
    const { words } = tools;
    this.#about = element("input", { type: "text", class: "field", id: "forget-words", dir: "auto", autocomplete: "off", maxlength: 500, placeholder: words.of("forgetExample"), "data-testid": "forget-words" });
    this.#none = element("p", { class: "hint" }, words.of("nothingForgotten"));
    this.#receipts = new List(element("ol", { class: "plain-list items", "data-testid": "receipts" }), ({ commitId }) => commitId, (commit) => new Receipt(commit, words));
    const all = element("button", { type: "button", class: "button button-danger", "data-testid": "forget-everything", onclick: () => tools.forget({ everything: true }) }, words.of("forgetEverything"));
    this.element = element("section", { "data-testid": "forget-panel", tabindex: -1 },
      element("p", { class: "hint" }, words.of("forgetDifference")),
      element("form", { class: "panel-part", onsubmit: (event: SubmitEvent) => this.#submit(event) },
        element("label", { class: "label", for: this.#about.id }, words.of("forgetAbout")), this.#about,
        element("div", { class: "buttons" }, element("button", { type: "submit", class: "button button-main", "data-testid": "forget-about" }, words.of("lookForIt")))),
      element("p", { class: "hint" }, words.of("forgetHint")),
      element("div", { class: "buttons" }, all),
      element("section", { class: "panel-part" }, element("h3", {}, words.of("whatWasForgotten")), this.#none, this.#receipts.element));
  }

  async update(): Promise<Standing> {
    const commits = await this.#tools.user.commits.list({ causes: ["forget"], limit: PAGE });
    this.#receipts.show(commits);
    this.#none.hidden = commits.length > 0;
    return { about: this.#tools.words.of(commits.length === 0 ? "forgetAboutMenu" : "forgetAboutMenuReceipts") };
  }

  #submit(event: SubmitEvent): void {
    event.preventDefault();
    const words = this.#about.value.trim();
    if (words === "") return this.#about.focus();
    this.#tools.forget({ words }, (forgotten) => {
      if (forgotten) this.#about.value = ""; // the page keeps nothing of it either
    });
  }
}

/** What went, and never what it said. */
class Receipt implements Row<Commit> {
  readonly element: HTMLElement;

  constructor({ at, changes }: Commit, words: Words) {
    const counts: Counts = {};
    // Waiting work is nothing that anybody was shown.
    for (const { action, kind, count } of changes) if (action === "deleted" && !HIDDEN.has(kind)) counts[kind] = (counts[kind] ?? 0) + count;
    this.element = element("li", { class: "item", "data-testid": "receipt-row" },
      element("p", { class: "value" }, countsInWords(counts, words) || words.of("waitingWork")),
      element("p", { class: "byline" }, words.moment(at), element("span", {}, words.of("noUndo"))));
  }

  update(): void {}
}
