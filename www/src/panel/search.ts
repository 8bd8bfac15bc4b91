/** Searches facts and messages, and shows how each hit scored. */
import { type Finding, findings } from "../findings";
import { element, fill } from "../page/element";
import { moment } from "../page/moment";
import type { Session } from "../session";
import type { Tools } from "./tools";
import { kindChip } from "./kind";
import { scores } from "./scores";
import { SearchBox } from "./search-box";
import { type ShowSource, sources } from "./sources";
import { reason } from "../page/reason";

const LIMIT = 20;
const HINT = "Each result shows how relevant it is and where it comes from: shared words and similar meaning. The profile is not searched, since every reply sees all of it.";

export class SearchPanel {
  readonly element: HTMLElement;
  readonly #box: SearchBox;
  readonly #status = element("p", { class: "hint", role: "status", "data-testid": "search-status" });
  readonly #results = element("ol", { class: "plain-list items", "data-testid": "results" });
  readonly #session: Session;
  readonly #showSource: ShowSource;
  #running = new AbortController();
  #shown = "";

  readonly #forget: HTMLButtonElement;

  constructor(tools: Tools) {
    this.#session = tools.session;
    this.#showSource = tools.showSource;
    this.#forget = element("button", {
      type: "button", class: "link-button", hidden: true, "data-testid": "forget-found", onclick: () => tools.forget({ words: this.#box.text }),
    }, "Forget everything about this…");
    this.#box = new SearchBox("Search facts and messages", "search", () => this.update(), "By words or meaning");
    this.element = element("section", { "data-testid": "search-panel" }, this.#box.element, this.#status, this.#forget, this.#results);
    this.#say(HINT);
  }

  /** Searches again for what stands in the box. */
  async update(): Promise<void> {
    const query = this.#box.text;
    this.#running.abort();
    const running = (this.#running = new AbortController());
    if (query === "") {
      this.#clear();
      return this.#say(HINT);
    }
    try {
      const found = await findings(this.#session.user, query, LIMIT, running.signal);
      if (running.signal.aborted) return;
      this.#show(found);
    } catch (error) {
      if (running.signal.aborted) return;
      this.#clear();
      this.#say(`The search failed. ${reason(error)}`);
    }
  }

  #show(items: readonly Finding[]): void {
    const shown = JSON.stringify(items);
    if (shown === this.#shown) return; // the focus stays where it is
    this.#shown = shown;
    this.#forget.hidden = items.length === 0;
    this.#say(items.length === 0 ? "Nothing found." : items.length === 1 ? "1 result" : `${items.length} results`);
    fill(this.#results, ...items.map((item) =>
      element("li", { class: "item", "data-testid": "result" },
        element("div", { class: "item-head" }, kindChip(item.kind), moment(item.createdAt)),
        element("p", { class: "value", dir: "auto" }, item.text),
        scores(item),
        sources(item.source.slice(-1), this.#showSource))));
  }

  #clear(): void {
    this.#shown = "";
    this.#forget.hidden = true;
    fill(this.#results);
  }

  #say(text: string): void {
    this.#status.textContent = text;
  }
}
