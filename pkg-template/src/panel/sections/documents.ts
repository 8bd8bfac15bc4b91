/** Documents: what an app or an import keeps under namespaces and keys, to read, search and delete. */
import type { FoundDocument } from "../../documents.js";
import { EntryRow, type EntryView } from "../entries/entry.js";
import { SearchBox } from "../entries/search-box.js";
import { clipped, element, fill } from "../page/element.js";
import { LongList } from "../page/long-list.js";
import type { Tools } from "../tools.js";
import type { Section, Standing } from "./section.js";

const MOST = 1000;
const FOUND = 20;
const MOST_CHARACTERS = 20_000;

export class DocumentsSection implements Section {
  readonly element: HTMLElement;
  readonly #list: LongList<FoundDocument>;
  readonly #search: SearchBox;
  readonly #namespace: HTMLSelectElement;
  readonly #controls: HTMLElement;
  readonly #hint = element("p", { class: "hint", role: "status" });
  readonly #tools: Tools;
  #namespaces: readonly (readonly string[])[] = [];

  constructor(tools: Tools) {
    this.#tools = tools;
    const { words } = tools;
    const view = documentView(tools);
    this.#list = new LongList(({ id }) => id, (document) => new EntryRow(document, view, tools));
    this.#search = new SearchBox(words.of("searchDocuments"), "document-search", () => this.update());
    this.#namespace = element("select", { class: "field", "aria-label": words.of("namespace"), "data-testid": "namespace", onchange: () => void this.update() });
    this.#controls = element("div", { class: "stacked" }, this.#search.element, this.#namespace);
    this.element = element("section", { "data-testid": "documents" }, this.#controls, this.#hint, this.#list.element);
  }

  async update(): Promise<Standing> {
    const { user: { documents }, words } = this.#tools;
    this.#offer(await documents.listNamespaces({ limit: MOST }));
    const prefix = this.#namespaces[Number(this.#namespace.value) - 1] ?? [];
    const query = this.#search.text;
    const all = await documents.search([], { limit: MOST, refreshTtl: false });
    const isAll = query === "" && prefix.length === 0;
    const found = isAll ? all : await documents.search(prefix, { limit: query === "" ? MOST : FOUND, refreshTtl: false, ...(query !== "" && { query }) });
    this.#list.show(found, false);
    this.#controls.hidden = all.length === 0;
    this.#hint.textContent = all.length === 0 ? words.of("noDocuments") : found.length === 0 ? words.of("nothingFound") : "";
    return { count: all.length, hasMore: all.length === MOST };
  }

  #offer(namespaces: readonly (readonly string[])[]): void {
    if (JSON.stringify(namespaces) === JSON.stringify(this.#namespaces) && this.#namespace.options.length > 0) return;
    const chosen = JSON.stringify(this.#namespaces[Number(this.#namespace.value) - 1]);
    this.#namespaces = namespaces;
    fill(this.#namespace, element("option", { value: 0 }, this.#tools.words.of("allNamespaces")),
      ...namespaces.map((labels, index) => element("option", { value: index + 1, selected: JSON.stringify(labels) === chosen }, labels.join(" / "))));
  }
}

function documentView({ words }: Tools): EntryView<FoundDocument> {
  return {
    testId: () => "document",
    entry: ({ id, key }) => ({ id, kind: "document", name: key }),
    head: ({ key }) => [element("h3", { class: "value", dir: "auto" }, key)],
    body: ({ namespace, value, data, bytes, updatedAt, expiresAt }) => [
      element("p", { class: "byline" }, element("bdi", {}, namespace.join(" / ")), words.moment(updatedAt), expiresAt !== undefined && element("span", {}, words.of("keptUntil", { time: words.time(expiresAt) }))),
      data
        ? element("p", { class: "hint", "data-testid": "bytes" }, words.bytes(bytes))
        : element("pre", { class: "json", tabindex: 0, dir: "ltr", role: "group", "aria-label": words.of("content") }, inJson(value)),
    ],
    words: ({ value }) => (value === undefined ? undefined : inJson(value)),
  };
}

/** As much of a value as anybody reads: a page of megabytes would stand still. */
function inJson(value: unknown): string {
  return clipped(JSON.stringify(value, null, 2), MOST_CHARACTERS);
}
