/** Documents: what an app or an import keeps under namespaces and keys, to read, search and delete. */
import type { Document, DocumentEntry } from "../../documents.js";
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
  readonly #list: LongList<Shown>;
  readonly #search: SearchBox;
  readonly #namespace: HTMLSelectElement;
  readonly #controls: HTMLElement;
  readonly #tools: Tools;
  #namespaces: readonly (readonly string[])[] = [];

  constructor(tools: Tools) {
    this.#tools = tools;
    const { words } = tools;
    const view = documentView(tools);
    this.#list = new LongList(({ id }) => id, (document) => new EntryRow(document, view, tools));
    this.#search = new SearchBox(tools, words.of("searchDocuments"), "document-search", () => this.update());
    this.#namespace = element("select", { class: "field", "aria-label": words.of("namespace"), "data-testid": "namespace", onchange: () => tools.update() });
    this.#controls = element("div", { class: "stacked" }, this.#search.element, this.#namespace);
    this.element = element("section", { "data-testid": "documents" }, this.#controls, this.#search.status, this.#list.element);
  }

  async update(): Promise<Standing> {
    const { user: { documents }, words } = this.#tools;
    this.#offer(await documents.listNamespaces({ limit: MOST }));
    const prefix = this.#namespaces[Number(this.#namespace.value) - 1] ?? [];
    const all = await documents.list([], { limit: MOST });
    const here = prefix.length === 0 ? all : await documents.list(prefix, { limit: MOST });
    const found = await this.#search.find<Shown>(
      (query, signal) => documents.search(prefix, { query, limit: FOUND, refreshTtl: false, signal }), here, all.length === 0 ? words.of("noDocuments") : "");
    if (found) this.#list.show(found, false);
    this.#controls.hidden = all.length === 0;
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

/** What was found is there with its content, and of others it is read when they come into view. */
type Shown = DocumentEntry & Partial<Document>;

function documentView({ reading, user, words }: Tools): EntryView<Shown> {
  const read = async ({ namespace, key }: Shown, place: Element): Promise<void> => {
    const document = await user.documents.get(namespace, key, { refreshTtl: false });
    if (document) fill(place, content(document));
  };
  const content = ({ value, data, bytes }: Shown): HTMLElement => (data
    ? element("p", { class: "hint", "data-testid": "bytes" }, words.bytes(bytes))
    : element("pre", { class: "json", tabindex: 0, dir: "ltr", role: "group", "aria-label": words.of("content") }, inJson(value)));
  return {
    testId: () => "document",
    entry: ({ id, key }) => ({ id, kind: "document", name: key }),
    head: ({ key }) => [element("h3", { class: "value", dir: "auto" }, key)],
    body: (shown) => {
      const { namespace, updatedAt, expiresAt, value } = shown;
      const place = element("div", {}, value && content(shown));
      if (!value) reading(read(shown, place));
      return [element("p", { class: "byline" }, element("bdi", {}, namespace.join(" / ")), words.moment(updatedAt), expiresAt !== undefined && element("span", {}, words.of("keptUntil", { time: words.time(expiresAt) }))), place];
    },
    words: ({ value }) => (value === undefined ? undefined : inJson(value)),
  };
}

/** As much of a value as anybody reads: a page of megabytes would stand still. */
function inJson(value: unknown): string {
  return clipped(JSON.stringify(value, null, 2), MOST_CHARACTERS);
}
