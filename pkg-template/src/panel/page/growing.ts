/** A list that grows as one comes near its end, a few rows at a time, so that no frame waits for all of them. */
import { List, type Row } from "./list.js";
import { element } from "./element.js";

/** So many rows are made at once. */
const STEP = 10;
/** How far from the end of what is there the next rows are made. */
const AHEAD_PX = 1500;

export class GrowingList<Item> {
  readonly element: HTMLElement;
  readonly #list: List<Item>;
  readonly #end: HTMLButtonElement;
  readonly #more: () => void;
  #observer: IntersectionObserver | undefined;
  #items: readonly Item[] = [];
  #shown = STEP;
  #hasMore = false;
  /** For how many rows, and of how many, their places were told last. */
  #told = { rows: 0, total: 0 };

  /** `label` names the button at the end, for those who have no scrolling; `more` is called when all items are shown and there are more. */
  constructor(key: (item: Item) => string, make: (item: Item) => Row<Item>, label: string, more: () => void) {
    this.#more = more;
    this.#list = new List(element("ul", { class: "plain-list items", role: "list" }), key, make);
    this.#end = element("button", { type: "button", class: "button", hidden: true, "data-testid": "show-more", onclick: () => this.#grow() }, label);
    this.element = element("div", {}, this.#list.element, this.#end);
  }

  /** The elements of items, as far as they are made. */
  get list(): HTMLElement { return this.#list.element; }

  show(items: readonly Item[], hasMore: boolean): void {
    this.#items = items;
    this.#hasMore = hasMore;
    this.#render();
    this.#watch();
  }

  /** Makes rows up to this one. */
  reach(index: number): void {
    if (index < this.#shown) return;
    this.#shown = index + 1;
    this.#render();
  }

  #grow(): void {
    if (this.#shown < this.#items.length) {
      this.#shown += STEP;
      this.#render(true);
      // Told anew when the end is still near.
      this.#watch();
    } else if (this.#hasMore) {
      this.#shown += STEP;
      this.#more();
    }
  }

  /** `hasGrown`: the rows that are there are those of before. */
  #render(hasGrown = false): void {
    this.#list.show(this.#items.slice(0, this.#shown));
    const total = this.#hasMore ? -1 : this.#items.length;
    const rows = [...this.#list.element.children];
    // Whoever hears the list hears how long it is, not how much of it is made.
    rows.forEach((row, index) => {
      if (hasGrown && total === this.#told.total && index < this.#told.rows) return;
      row.setAttribute("aria-posinset", String(index + 1));
      row.setAttribute("aria-setsize", String(total));
    });
    this.#told = { rows: rows.length, total };
    this.#end.hidden = this.#shown >= this.#items.length && !this.#hasMore;
  }

  #watch(): void {
    this.#observer?.disconnect();
    if (this.#end.hidden) return;
    const root = this.element.closest(".tab-panel");
    this.#observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) this.#grow();
    }, { root, rootMargin: `${AHEAD_PX}px 0px` });
    this.#observer.observe(this.#end);
  }
}
