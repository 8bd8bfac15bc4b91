/** A list that keeps the elements of items it already shows, so that focus and open details survive an update. */

export interface Row<Item> {
  readonly element: HTMLElement;
  update(item: Item): void;
}

export class List<Item> {
  readonly element: HTMLElement;
  readonly #rows = new Map<string, Row<Item>>();
  readonly #key: (item: Item) => string;
  readonly #make: (item: Item) => Row<Item>;

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
      this.#rows.delete(key);
    }
    let next = this.element.firstElementChild;
    for (const item of items) {
      const row = this.#row(this.#key(item), item);
      if (row.element === next) next = next.nextElementSibling;
      else this.element.insertBefore(row.element, next);
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
