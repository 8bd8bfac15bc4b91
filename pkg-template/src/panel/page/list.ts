/** A list that keeps the elements of items it already shows, so that focus and open details survive an update. */

/** What a row that is out of the page keeps: what was opened in it, or is being written. */
const IN_USE = "details[open], form";

export interface Row<Item> {
  readonly element: HTMLElement;
  update(item: Item): void;
}

export class List<Item> {
  readonly element: HTMLElement;
  readonly #rows = new Map<string, Row<Item>>();
  readonly #key: (item: Item) => string;
  readonly #make: (item: Item) => Row<Item>;
  /** Undefined where all items are shown. */
  #kept: Pick<ReadonlySet<string>, "has"> | undefined;

  constructor(element: HTMLElement, key: (item: Item) => string, make: (item: Item) => Row<Item>) {
    this.element = element;
    this.#key = key;
    this.#make = make;
  }

  /** Shows exactly these items, in this order. */
  show(items: readonly Item[]): void {
    const shown = new Set(items.map(this.#key));
    // First, for an element that is moved loses the focus: what stays must not move for what goes.
    for (const [key, row] of this.#rows) {
      if (shown.has(key)) continue;
      row.element.remove();
      if (this.#kept === undefined || !row.element.querySelector(IN_USE)) this.#rows.delete(key);
    }
    let next = this.element.firstElementChild;
    for (const item of items) {
      const row = this.#row(this.#key(item), item);
      if (row.element === next) next = next.nextElementSibling;
      else this.element.insertBefore(row.element, next);
    }
  }

  /** Says which items there are, where only some of them are shown: rows of others are in use no longer. */
  keepOnly(keys: Pick<ReadonlySet<string>, "has">): void {
    this.#kept = keys;
    for (const [key, row] of this.#rows) {
      if (keys.has(key)) continue;
      row.element.remove();
      this.#rows.delete(key);
    }
  }

  #row(key: string, item: Item): Row<Item> {
    const known = this.#rows.get(key);
    if (known) {
      known.update(item);
      return known;
    }
    const row = this.#make(item);
    this.#rows.set(key, row);
    return row;
  }
}
