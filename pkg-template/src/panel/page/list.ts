/** A list that keeps the elements of items it already shows, so that focus and open details survive an update. */

/** What a row that is out of the page keeps: what was opened in it, or is being written. */
const IN_USE = "details[open], form";

export interface Row<Item> {
  readonly element: HTMLElement;
  update(item: Item): void;
  /** Called when its item is gone; answers whether it stays, for something in it would be lost. */
  gone?(): boolean;
}

export class List<Item> {
  readonly element: HTMLElement;
  readonly #rows = new Map<string, Row<Item>>();
  readonly #key: (item: Item) => string;
  readonly #make: (item: Item) => Row<Item>;
  #items: readonly Item[] = [];
  /** Undefined where all items are shown. */
  #kept: ReadonlySet<string> | undefined;

  constructor(element: HTMLElement, key: (item: Item) => string, make: (item: Item) => Row<Item>) {
    this.element = element;
    this.#key = key;
    this.#make = make;
  }

  /** Shows exactly these items, in this order, and those that stay though they are gone. */
  show(given: readonly Item[]): void {
    const items = this.#kept ? given : this.#withStaying(given);
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

  /** Says which items there are, where only some of them are shown; answers them with those that stay though they are gone. */
  keepOnly(given: readonly Item[]): readonly Item[] {
    const items = this.#withStaying(given);
    const keys = (this.#kept = new Set(items.map(this.#key)));
    for (const [key, row] of this.#rows) {
      if (keys.has(key)) continue;
      row.element.remove();
      this.#rows.delete(key);
    }
    return items;
  }

  /** What stays stands behind what it stood behind: it would lose the focus if it moved. */
  #withStaying(given: readonly Item[]): readonly Item[] {
    const items = [...given];
    const keys = new Set(items.map(this.#key));
    let behind: string | undefined;
    for (const item of this.#items) {
      const key = this.#key(item);
      if (!keys.has(key)) {
        if (!this.#rows.get(key)?.gone?.()) continue;
        keys.add(key);
        items.splice(items.findIndex((other) => this.#key(other) === behind) + 1, 0, item);
      }
      behind = key;
    }
    return (this.#items = items);
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
