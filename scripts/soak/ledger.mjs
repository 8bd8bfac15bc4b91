/** What may be found of each thing, when calls that failed may have been carried out or not. */
export class Ledger {
  #allowed = new Map();

  /** What a call that was confirmed has left. */
  confirm(values) {
    for (const [name, value] of Object.entries(values)) this.#allowed.set(name, new Set([value]));
  }

  /** What a call that failed may have left. */
  allow(values) {
    for (const [name, value] of Object.entries(values)) this.#allowed.set(name, new Set([...(this.#allowed.get(name) ?? []), value]));
  }

  /** What is not as it may be, in words. */
  differences(found) {
    return [...this.#allowed].flatMap(([name, values]) =>
      values.has(found[name]) ? [] : [`${name} is ${found[name]} instead of ${[...values].join(" or ")}`],
    );
  }
}
