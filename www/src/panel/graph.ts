/** The graph: who and what there is, to read and search; and one of them with all that is around it. */
import type { EntityItem } from "mnemic";
import { element, fill } from "../page/element";
import { icon } from "../page/icon";
import { List, type Row } from "../page/list";
import { Adder } from "./adder";
import { EntityDetail } from "./entity";
import { partsEditor } from "./parts-editor";
import { SearchBox } from "./search-box";
import type { Tools } from "./tools";

const PAGE = 100;
const FOUND = 30;
const OBSERVATIONS_SHOWN = 3;

export class GraphPanel {
  readonly element: HTMLElement;
  readonly #entities: List<EntityItem>;
  readonly #search: SearchBox;
  readonly #past = element("input", { type: "checkbox", "data-testid": "graph-past" });
  readonly #hint = element("p", { class: "hint", role: "status" });
  readonly #more = element("button", { type: "button", class: "button", hidden: true }, "Show more");
  readonly #all: HTMLElement;
  readonly #detail = element("div", { class: "entity-detail", hidden: true, "data-testid": "entity-detail" });
  readonly #tools: Tools;
  #opened: EntityDetail | undefined;
  #limit = PAGE;

  constructor(tools: Tools) {
    this.#tools = tools;
    this.#entities = new List(element("ul", { class: "plain-list items" }), ({ id }) => id, (entity) => new EntityRow(entity, (name) => void this.open(name)));
    this.#search = new SearchBox("Search people, places and things", "graph-search", () => this.update());
    this.#past.addEventListener("change", () => void this.update());
    this.#more.addEventListener("click", () => {
      this.#limit += PAGE;
      void this.update();
    });
    const adder = new Adder("Add someone or something", (close) => partsEditor(
      { name: { label: "Name", value: "" }, entityType: { label: "What it is, such as person or place", value: "", mayBeEmpty: true } },
      ({ name, entityType }) => this.#add(name, entityType),
      close,
    ));
    this.#all = element("div", {},
      element("div", { class: "stacked" }, this.#search.element, adder.element), this.#hint, this.#entities.element, this.#more);
    this.element = element("section", { "data-testid": "graph", tabindex: -1 }, this.#all, this.#detail);
  }

  /** Shows what there is now; answers how many entities. */
  async update(): Promise<number> {
    const { graph } = this.#tools.session.user;
    const query = this.#search.text;
    const limit = Math.min(this.#limit, 1000);
    const known = await graph.list({ limit });
    const shown = query === "" ? known : await graph.search(query, { limit: FOUND });
    this.#entities.show(shown);
    this.#more.hidden = query !== "" || known.length < limit || limit === 1000;
    this.#hint.textContent = query !== ""
      ? shown.length === 0 ? "Nothing found." : `${shown.length} found`
      : shown.length === 0 ? "No people, places or things yet. A connected model finds them in what you say; you can also import a memory.jsonl under More." : "";
    const opened = this.#opened;
    if (opened && !(await opened.update(this.#past.checked)) && this.#opened === opened) this.#close();
    return known.length;
  }

  async #add(name: string, entityType: string): Promise<void> {
    const { changes, session } = this.#tools;
    await changes.together("Entry added.", async () => {
      const { skipped } = await session.user.graph.create_entities({ entities: [{ name, entityType, observations: [] }] });
      if (skipped) throw new Error(`${name} is already there.`);
    });
  }

  /** Opens one entity and puts the focus on its name. */
  async open(name: string): Promise<void> {
    const detail = new EntityDetail(name, this.#tools, (other) => void this.open(other));
    this.#opened = detail;
    if (!(await detail.update(this.#past.checked))) return this.#close();
    const back = element("button", { type: "button", class: "button", "data-testid": "all-entities", onclick: () => this.#close() }, icon("back"), "All");
    fill(this.#detail,
      element("div", { class: "panel-tools" }, back, element("label", { class: "check" }, this.#past, "Include what is no longer true")),
      detail.element);
    this.#all.hidden = true;
    this.#detail.hidden = false;
    this.element.scrollTop = 0;
    detail.element.querySelector<HTMLElement>("h3")?.focus();
  }

  #close(): void {
    const name = this.#opened?.name;
    this.#opened = undefined;
    const hadFocus = this.#detail.contains(document.activeElement) || document.activeElement === document.body;
    fill(this.#detail);
    this.#detail.hidden = true;
    this.#all.hidden = false;
    if (!hadFocus) return;
    const button = [...this.#entities.element.querySelectorAll<HTMLElement>(".entity-name")].find(({ textContent }) => textContent === name);
    (button ?? this.element).focus();
  }
}

/** An entity in the list: its name opens it. */
class EntityRow implements Row<EntityItem> {
  readonly element = element("li", { class: "item", "data-testid": "entity" });
  readonly #open: (name: string) => void;
  #shown = "";

  constructor(entity: EntityItem, open: (name: string) => void) {
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
      more > 0 && element("p", { class: "hint" }, `and ${more} more`));
  }
}
