/** What lies between two revisions that are chosen: what went, and what came. */
import type { Difference } from "../../types.js";
import { element, fill } from "../page/element.js";
import type { Key, Words } from "../texts/words.js";
import type { Tools } from "../tools.js";
import { valueText } from "./value-text.js";

export class Comparison {
  readonly element: HTMLElement;
  readonly #words: Words;
  readonly #from: HTMLSelectElement;
  readonly #to: HTMLSelectElement;
  readonly #result = element("div", { class: "difference", role: "status", "data-testid": "difference" });
  readonly #compare: (from: number, to: number) => Promise<Difference>;

  constructor({ words, reading }: Tools, compare: (from: number, to: number) => Promise<Difference>) {
    this.#words = words;
    this.#compare = compare;
    this.#from = this.#choice("compareRevision", reading);
    this.#to = this.#choice("withRevision", reading);
    this.element = element("div", { class: "comparison", hidden: true, "data-testid": "comparison" },
      element("p", { class: "comparison-line" }, this.#from, "→", this.#to), this.#result);
  }

  /** Offers these revisions, the newest first, and compares the two newest. */
  async offer(revisions: readonly number[]): Promise<void> {
    const [latest, former] = revisions;
    this.element.hidden = former === undefined;
    if (latest === undefined || former === undefined) return;
    for (const select of [this.#from, this.#to]) {
      fill(select, ...revisions.map((revision) => element("option", { value: revision }, this.#words.of("revision", { revision }))));
    }
    this.#from.value = String(former);
    this.#to.value = String(latest);
    await this.#show();
  }

  #choice(label: Key, reading: Tools["reading"]): HTMLSelectElement {
    return element("select", { class: "field", "aria-label": this.#words.of(label), onchange: () => reading(this.#show()) });
  }

  async #show(): Promise<void> {
    const { changes } = await this.#compare(Number(this.#from.value), Number(this.#to.value));
    if (changes.length === 0) return fill(this.#result, element("p", { class: "hint" }, this.#words.of("sameValue")));
    const gone = (): HTMLElement => element("span", { class: "for-screen-readers" }, this.#words.of("goneValue"), " ");
    const come = (): HTMLElement => element("span", { class: "for-screen-readers" }, this.#words.of("newValue"), " ");
    fill(this.#result, element("ul", { class: "plain-list" }, ...changes.map(({ before, after }) =>
      element("li", { dir: "auto" },
        before !== undefined && element("del", {}, gone(), valueText(before)),
        before !== undefined && after !== undefined && " ",
        after !== undefined && element("ins", {}, come(), valueText(after))))));
  }
}
