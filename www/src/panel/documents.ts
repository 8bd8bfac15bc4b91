/** Documents: what an app or an import keeps under namespaces and keys, to read, search and delete. */
import type { FoundDocument } from "mnemic";
import { element, fill } from "../page/element";
import { List } from "../page/list";
import { moment } from "../page/moment";
import { EntryRow, type EntryView } from "./entry";
import { SearchBox } from "./search-box";
import type { Tools } from "./tools";

const PAGE = 100;
const FOUND = 20;

export class DocumentsPanel {
  readonly element: HTMLElement;
  readonly #list: List<FoundDocument>;
  readonly #search: SearchBox;
  readonly #namespace = element("select", { class: "field", "aria-label": "Namespace", "data-testid": "namespace" });
  readonly #controls: HTMLElement;
  readonly #hint = element("p", { class: "hint", role: "status" });
  readonly #more = element("button", { type: "button", class: "button", hidden: true }, "Show more");
  readonly #tools: Tools;
  #namespaces: readonly (readonly string[])[] = [];
  #limit = PAGE;

  constructor(tools: Tools) {
    this.#tools = tools;
    const view = documentView();
    this.#list = new List(element("ul", { class: "plain-list items" }), ({ id }) => id, (document) => new EntryRow(document, view, tools));
    this.#search = new SearchBox("Search documents", "document-search", () => this.update());
    this.#namespace.addEventListener("change", () => void this.update());
    this.#more.addEventListener("click", () => {
      this.#limit += PAGE;
      void this.update();
    });
    this.#controls = element("div", { class: "stacked" }, this.#search.element, this.#namespace);
    this.element = element("section", { "data-testid": "documents", tabindex: -1 }, this.#controls, this.#hint, this.#list.element, this.#more);
  }

  /** Shows what there is now; answers how many documents, as far as they are listed. */
  async update(): Promise<number> {
    const { documents } = this.#tools.session.user;
    this.#offer(await documents.listNamespaces({ limit: 1000 }));
    const prefix = this.#namespaces[Number(this.#namespace.value) - 1] ?? [];
    const query = this.#search.text;
    const limit = Math.min(this.#limit, 1000);
    const all = await documents.search([], { limit, refreshTtl: false });
    const isAll = query === "" && prefix.length === 0;
    const found = isAll ? all : await documents.search(prefix, { limit: query === "" ? limit : FOUND, refreshTtl: false, ...(query !== "" && { query }) });
    this.#list.show(found);
    this.#more.hidden = !isAll || all.length < limit || limit === 1000;
    this.#controls.hidden = all.length === 0;
    this.#hint.textContent = all.length === 0
      ? "No documents. Apps store their own JSON data here. You can import an export of a LangGraph store."
      : found.length === 0 ? "Nothing found." : "";
    return all.length;
  }

  #offer(namespaces: readonly (readonly string[])[]): void {
    if (JSON.stringify(namespaces) === JSON.stringify(this.#namespaces) && this.#namespace.options.length > 0) return;
    const chosen = JSON.stringify(this.#namespaces[Number(this.#namespace.value) - 1]);
    this.#namespaces = namespaces;
    fill(this.#namespace, element("option", { value: 0 }, "All namespaces"),
      ...namespaces.map((labels, index) => element("option", { value: index + 1, selected: JSON.stringify(labels) === chosen }, labels.join(" / "))));
  }
}

function documentView(): EntryView<FoundDocument> {
  return {
    testId: () => "document",
    entry: ({ id, key }) => ({ id, noun: "Document", name: key }),
    head: ({ key }) => [element("h3", { class: "value", dir: "auto" }, key)],
    body: ({ namespace, value, updatedAt, expiresAt }) => [
      element("p", { class: "byline" }, element("bdi", {}, namespace.join(" / ")), moment(updatedAt), expiresAt !== undefined && element("span", {}, "kept until ", moment(expiresAt))),
      element("pre", { class: "json", tabindex: 0, dir: "ltr", role: "group", "aria-label": "Content" }, JSON.stringify(value, null, 2)),
    ],
    words: ({ value }) => (value === undefined ? undefined : JSON.stringify(value, null, 2)),
  };
}
