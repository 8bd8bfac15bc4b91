/** The graph: who and what there is, to read and search; and one of them with all that is around it. */
import type { EntityItem } from "../../types.js";
import { Adder } from "../entries/adder.js";
import { partsEditor } from "../entries/parts-editor.js";
import { SearchBox } from "../entries/search-box.js";
import { element, fill } from "../page/element.js";
import { LongList } from "../page/long-list.js";
import { icon } from "../page/icon.js";
import type { Row } from "../page/list.js";
import type { Words } from "../texts/words.js";
import type { Tools } from "../tools.js";
import { EntityDetail } from "./entity.js";
import type { Section, Standing } from "./section.js";

const MOST = 1000;
const FOUND = 30;
const OBSERVATIONS_SHOWN = 3;

export class GraphSection implements Section {
  readonly element: HTMLElement;
  readonly #entities: LongList<EntityItem>;
  readonly #search: SearchBox;
  readonly #past = element("input", { type: "checkbox", "data-testid": "graph-past" });
  readonly #all: HTMLElement;
  readonly #detail = element("div", { class: "entity-detail", hidden: true, "data-testid": "entity-detail" });
  readonly #tools: Tools;
  #opened: EntityDetail | undefined;

  constructor(tools: Tools) {
    this.#tools = tools;
    const { words } = tools;
    this.#entities = new LongList(({ id }) => id, (entity) => new EntityRow(entity, words, (name) => this.#goTo(name)));
    this.#search = new SearchBox(tools, words.of("searchGraph"), "graph-search", () => this.update());
    this.#past.addEventListener("change", () => tools.update());
    const adder = new Adder(words.of("addEntity"), (close) => partsEditor(
      words, { name: { label: words.of("name"), value: "" }, entityType: { label: words.of("entityType"), value: "", mayBeEmpty: true } },
      ({ name, entityType }) => this.#add(name, entityType),
      close,
    ));
    this.#all = element("div", {},
      element("div", { class: "stacked" }, this.#search.element, adder.element), this.#search.status, this.#entities.element);
    this.element = element("section", { "data-testid": "graph" }, this.#all, this.#detail);
  }

  async update(): Promise<Standing> {
    const { user: { graph }, words } = this.#tools;
    const known = await graph.list({ limit: MOST });
    const shown = await this.#search.find((query, signal) => graph.search(query, { limit: FOUND, signal }), known, known.length === 0 ? words.of("noGraph") : "");
    if (shown) this.#entities.show(shown, false);
    const opened = this.#opened;
    if (opened && !(await opened.update(this.#past.checked)) && this.#opened === opened) this.#close();
    return { count: known.length, hasMore: known.length === MOST };
  }

  async #add(name: string, entityType: string): Promise<void> {
    const { changes, user, words } = this.#tools;
    await changes.together("added", async () => {
      const { skipped } = await user.graph.create_entities({ entities: [{ name, entityType, observations: [] }] });
      if (skipped) throw new Error(words.of("alreadyThere", { name }));
    });
  }

  #goTo(name: string): void {
    this.#tools.reading(this.#open(name));
  }

  /** Opens one entity and puts the focus on its name. */
  async #open(name: string): Promise<void> {
    const { words } = this.#tools;
    const detail = new EntityDetail(name, this.#tools, (other) => this.#goTo(other));
    this.#opened = detail;
    if (!(await detail.update(this.#past.checked))) return this.#close();
    const back = element("button", { type: "button", class: "button", "data-testid": "all-entities", onclick: () => this.#close() }, icon("back"), words.of("all"));
    fill(this.#detail,
      element("div", { class: "panel-tools" }, back, element("label", { class: "check" }, this.#past, words.of("includePast"))),
      detail.element);
    this.#all.hidden = true;
    this.#detail.hidden = false;
    this.element.scrollTop = 0;
    detail.element.querySelector<HTMLElement>("h3")?.focus();
  }

  #close(): void {
    const name = this.#opened?.name;
    this.#opened = undefined;
    const hadFocus = this.#detail.matches(":focus-within");
    fill(this.#detail);
    this.#detail.hidden = true;
    this.#all.hidden = false;
    if (!hadFocus) return;
    const button = [...this.#entities.list.querySelectorAll<HTMLElement>(".entity-name")].find(({ textContent }) => textContent === name);
    (button ?? this.element).focus();
  }
}

/** An entity in the list: its name opens it. */
class EntityRow implements Row<EntityItem> {
  readonly element = element("li", { class: "item", "data-testid": "entity" });
  readonly #words: Words;
  readonly #open: (name: string) => void;
  #shown = "";

  constructor(entity: EntityItem, words: Words, open: (name: string) => void) {
    this.#words = words;
    this.#open = open;
    this.update(entity);
  }

  update(entity: EntityItem): void {
    const { name, entityType, observations } = entity;
    const shown = JSON.stringify([name, entityType, observations]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const more = observations.length - OBSERVATIONS_SHOWN;
    fill(this.element,
      element("div", { class: "item-head" },
        element("h3", { class: "grows" }, element("button", { type: "button", class: "link-button entity-name", dir: "auto", onclick: () => this.#open(name) }, name)),
        entityType !== "" && element("span", { class: "chip", dir: "auto" }, entityType)),
      observations.length > 0 && element("ul", { class: "observations" }, ...observations.slice(0, OBSERVATIONS_SHOWN).map((text) => element("li", { dir: "auto" }, text))),
      more > 0 && element("p", { class: "hint" }, this.#words.of("andMore", { n: more })));
  }
}
