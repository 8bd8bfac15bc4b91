/** "Forget": everything about some words, all there is, and what was forgotten. */
import type { Commit } from "mnemic";
import { DIFFERENCE } from "../forgetting/dialog";
import { type Counts, countsInWords } from "../forgetting/kinds";
import { element } from "../page/element";
import { List, type Row } from "../page/list";
import { moment } from "../page/moment";
import type { Tools } from "../panel/tools";

const PAGE = 100;

const HIDDEN: ReadonlySet<string> = new Set(["task"]);

export class ForgottenPanel {
  readonly element: HTMLElement;
  readonly #tools: Tools;
  readonly #words = element("input", { type: "text", class: "field", id: "forget-words", dir: "auto", autocomplete: "off", maxlength: 500, placeholder: "A name, a place, an illness…", "data-testid": "forget-words" });
  readonly #receipts: List<Commit>;
  readonly #none = element("p", { class: "hint" }, "Nothing was forgotten yet.");

  constructor(tools: Tools) {
    this.#tools = tools;
    this.#receipts = new List(element("ol", { class: "plain-list items", "data-testid": "receipts" }), ({ commitId }) => commitId, (commit) => new Receipt(commit));
    const all = element("button", { type: "button", class: "button button-danger", "data-testid": "forget-everything", onclick: () => tools.forget({ everything: true }) }, "Forget everything…");
    this.element = element("section", { "data-testid": "forget-panel", tabindex: -1 },
      element("p", { class: "hint" }, DIFFERENCE),
      element("form", { class: "panel-part", onsubmit: (event: SubmitEvent) => this.#submit(event) },
        element("label", { class: "label", for: this.#words.id }, "Forget everything about"), this.#words,
        element("div", { class: "buttons" }, element("button", { type: "submit", class: "button button-main", "data-testid": "forget-about" }, "Look for it…"))),
      element("p", { class: "hint" }, "One thing, message or chat is forgotten where it stands, by the Forget beside it. You are shown what would go first."),
      element("div", { class: "buttons" }, all),
      element("section", { class: "panel-part" }, element("h3", {}, "What was forgotten"), this.#none, this.#receipts.element));
  }

  /** Shows the receipts; answers how many. */
  async update(): Promise<number> {
    const commits = await this.#tools.session.user.commits.list({ causes: ["forget"], limit: PAGE });
    this.#receipts.show(commits);
    this.#none.hidden = commits.length > 0;
    return commits.length;
  }

  #submit(event: SubmitEvent): void {
    event.preventDefault();
    const words = this.#words.value.trim();
    if (words === "") return this.#words.focus();
    this.#tools.forget({ words }, (forgotten) => {
      if (forgotten) this.#words.value = ""; // the page keeps nothing of it either
    });
  }
}

/** What went, and never what it said. */
class Receipt implements Row<Commit> {
  readonly element: HTMLElement;

  constructor({ at, changes }: Commit) {
    const counts: Counts = {};
    // Waiting work is nothing that anybody was shown.
    for (const { action, kind, count } of changes) if (action === "deleted" && !HIDDEN.has(kind)) counts[kind] = (counts[kind] ?? 0) + count;
    this.element = element("li", { class: "item", "data-testid": "receipt-row" },
      element("p", { class: "value" }, countsInWords(counts) || "What waited to be learned"),
      element("p", { class: "byline" }, moment(at), element("span", {}, "Undo cannot bring it back")));
  }

  update(): void {}
}
