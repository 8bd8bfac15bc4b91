/** What lies between two revisions that are chosen: what went, and what came. */
import type { Difference } from "mnemic";
import { element, fill } from "../page/element";
import { valueText } from "./value-text";

export class Comparison {
  readonly element: HTMLElement;
  readonly #from: HTMLSelectElement;
  readonly #to: HTMLSelectElement;
  readonly #result = element("div", { class: "difference", role: "status", "data-testid": "difference" });
  readonly #compare: (from: number, to: number) => Promise<Difference>;

  constructor(compare: (from: number, to: number) => Promise<Difference>) {
    this.#compare = compare;
    this.#from = this.#choice("Compare revision");
    this.#to = this.#choice("with revision");
    this.element = element("div", { class: "comparison", hidden: true, "data-testid": "comparison" },
      element("p", { class: "comparison-line" }, "Compare", this.#from, "with", this.#to), this.#result);
  }

  /** Offers these revisions, the newest first, and compares the two newest. */
  async offer(revisions: readonly number[]): Promise<void> {
    const [latest, former] = revisions;
    this.element.hidden = former === undefined;
    if (latest === undefined || former === undefined) return;
    for (const select of [this.#from, this.#to]) {
      fill(select, ...revisions.map((revision) => element("option", { value: revision }, String(revision))));
    }
    this.#from.value = String(former);
    this.#to.value = String(latest);
    await this.#show();
  }

  #choice(label: string): HTMLSelectElement {
    return element("select", { class: "field", "aria-label": label, onchange: () => void this.#show() });
  }

  async #show(): Promise<void> {
    const { changes } = await this.#compare(Number(this.#from.value), Number(this.#to.value));
    if (changes.length === 0) return fill(this.#result, element("p", { class: "hint" }, "The value is the same."));
    fill(this.#result, element("ul", { class: "plain-list" }, ...changes.map(({ before, after }) =>
      element("li", { dir: "auto" },
        before !== undefined && element("del", {}, element("span", { class: "for-screen-readers" }, "Gone: "), valueText(before)),
        before !== undefined && after !== undefined && " ",
        after !== undefined && element("ins", {}, element("span", { class: "for-screen-readers" }, "New: "), valueText(after))))));
  }
}
