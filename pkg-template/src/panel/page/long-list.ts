/** A list of any length, of which only the rows in view and some around them stand in the page. The others are room of their height. */
import { element, focusedIn } from "./element.js";
import { Heights } from "./heights.js";
import { List, type Row } from "./list.js";

/** How far out of view rows are there, for whoever scrolls or steps on by keys. */
const AROUND_PX = 800;
/** So near the end of what is known, more is asked for. */
const NEAR_PX = 4000;

export class LongList<Item> {
  readonly element: HTMLElement;
  readonly #before = element("div");
  readonly #after = element("div");
  readonly #list: List<Item>;
  readonly #key: (item: Item) => string;
  readonly #more: () => void;
  readonly #heights = new Heights();
  readonly #look = (): void => this.#looked();
  /** Rows change their height when they are opened, and all of them with the width. */
  readonly #sizes = new ResizeObserver(() => requestAnimationFrame(this.#look));
  readonly #sized = new Set<Element>();
  #items: readonly Item[] = [];
  /** Where each item stands. */
  #indexes: ReadonlyMap<string, number> = new Map();
  #hasMore = false;
  #width = 0;
  /** The keys of the rows in the page. */
  #shown: readonly string[] = [];
  /** A row that is gone to. */
  #wanted: number | undefined;

  /** `more` is called near the end of what is known when there is more. */
  constructor(key: (item: Item) => string, make: (item: Item) => Row<Item>, more: () => void = () => {}) {
    this.#key = key;
    this.#more = more;
    this.#list = new List(element("ul", { class: "plain-list items", role: "list" }), key, make);
    this.element = element("div", { class: "long-list" }, this.#before, this.#list.element, this.#after);
    this.#sizes.observe(this.element);
  }

  /** The rows that stand in the page. */
  get list(): HTMLElement { return this.#list.element; }

  show(given: readonly Item[], hasMore: boolean): void {
    const items = (this.#items = this.#list.keepOnly(given));
    this.#hasMore = hasMore;
    this.#indexes = new Map(items.map((item, index) => [this.#key(item), index]));
    this.#heights.keys = [...this.#indexes.keys()];
    this.#listen();
    if (this.#isInView()) this.#render();
    // What is gone must go, and what changed be changed, though nobody looks.
    else this.#place(this.#shown.flatMap((key) => this.#indexes.get(key) ?? []).sort(ascending));
  }

  /** The row of an item, to be scrolled to. */
  reach(key: string): HTMLElement | undefined {
    const index = (this.#wanted = this.#indexes.get(key));
    this.#render();
    this.#wanted = undefined;
    return [...this.list.children].find((_, at) => this.#indexes.get(this.#shown[at] ?? "") === index) as HTMLElement | undefined;
  }

  /** Whatever scrolls, here or around: no scrolling is told beyond the root of its tree. What left the page listens no longer. */
  #listen(): void {
    for (let root = this.element.getRootNode(); ; root = (root as ShadowRoot).host.getRootNode()) {
      root.addEventListener("scroll", this.#look, { capture: true, passive: true });
      if (!(root instanceof ShadowRoot)) return;
    }
  }

  #looked(): void {
    if (this.#isInView()) this.#render();
  }

  #isInView(): boolean {
    return this.element.isConnected && this.element.getClientRects().length > 0;
  }

  #render(): void {
    const { width } = this.element.getBoundingClientRect();
    if (width !== this.#width) this.#heights.forget();
    this.#width = width;
    // The heights of new rows are only known when they are there, and then fewer or more may be needed.
    for (let tries = 0; tries < 4; tries += 1) {
      this.#place(this.#wantedRows());
      const rows = [...this.list.children].map((row, at) => [this.#shown[at] ?? "", row.getBoundingClientRect().height] as const);
      if (!this.#heights.see(rows)) break;
    }
    if (this.#hasMore && this.#heights.top(this.#items.length) - this.#view().bottom < NEAR_PX) this.#more();
  }

  /** What is seen of the list, from its beginning. */
  #view() {
    const { top } = this.element.getBoundingClientRect();
    const around = this.element.closest(".tab-panel")?.getBoundingClientRect() ?? { top: 0, bottom: innerHeight };
    return { top: Math.max(0, around.top) - top, bottom: Math.min(innerHeight, around.bottom) - top };
  }

  #wantedRows(): number[] {
    if (this.#items.length === 0) return [];
    const { top, bottom } = this.#view();
    const [first, last] = [this.#heights.at(top - AROUND_PX), this.#heights.at(bottom + AROUND_PX)];
    const rows = new Set(Array.from({ length: last - first + 1 }, (_, place) => first + place));
    // What has the focus keeps it, wherever the page is scrolled to.
    const focused = focusedIn(this.list);
    const at = focused ? [...this.list.children].findIndex((row) => row.contains(focused)) : -1;
    for (const index of [this.#indexes.get(this.#shown[at] ?? ""), this.#wanted]) if (index !== undefined && index < this.#items.length) rows.add(index);
    return [...rows].sort(ascending);
  }

  /** Puts these rows into the page, each where it belongs: those in one go below each other, one that is apart on its own. */
  #place(rows: readonly number[]): void {
    const items = rows.flatMap((index) => this.#items.slice(index, index + 1));
    this.#list.show(items);
    this.#shown = items.map(this.#key);
    const run = longestRun(rows);
    const total = this.#hasMore ? -1 : this.#items.length;
    const shown = [...this.list.children] as HTMLElement[];
    shown.forEach((row, at) => {
      const index = rows[at] ?? 0;
      // Whoever hears the list hears how long it is, not how much of it is there.
      row.ariaPosInSet = String(index + 1);
      row.ariaSetSize = String(total);
      const isApart = index < run.first || index > run.last;
      row.classList.toggle("apart", isApart);
      row.style.insetBlockStart = isApart ? `${this.#heights.top(index)}px` : "";
    });
    this.#observe(new Set(shown));
    this.#before.style.blockSize = `${this.#heights.top(run.first)}px`;
    this.#after.style.blockSize = `${this.#heights.top(this.#items.length) - this.#heights.top(run.last + 1)}px`;
  }

  #observe(rows: ReadonlySet<Element>): void {
    for (const row of this.#sized) {
      if (rows.has(row)) continue;
      this.#sizes.unobserve(row);
      this.#sized.delete(row);
    }
    for (const row of rows) {
      if (this.#sized.has(row)) continue;
      this.#sizes.observe(row);
      this.#sized.add(row);
    }
  }
}

const ascending = (one: number, other: number): number => one - other;

/** The longest run of numbers that follow each other. */
function longestRun(numbers: readonly number[]): { readonly first: number; readonly last: number } {
  let best = { first: 0, last: -1 };
  let first = 0;
  numbers.forEach((number, at) => {
    if (number !== (numbers[at - 1] ?? NaN) + 1) first = number;
    if (number - first > best.last - best.first) best = { first, last: number };
  });
  return best;
}
