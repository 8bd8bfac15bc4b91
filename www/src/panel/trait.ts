/** What the user is like in one respect, and what showed it. */
import type { Trait } from "mnemic";
import { element, fill, type Row } from "../page/shared";

const PERCENT = new Intl.NumberFormat(undefined, { style: "percent" });

export class TraitRow implements Row<Trait> {
  readonly element = element("li", { class: "item", "data-testid": "trait" });

  constructor(trait: Trait) {
    this.update(trait);
  }

  update({ name, group, level, confidence, evidence }: Trait): void {
    fill(this.element,
      element("div", { class: "item-head" }, element("h4", { class: "value grows", dir: "auto" }, name), element("span", { class: "chip" }, group)),
      element("p", { class: "byline" }, element("span", {}, `${level}, ${PERCENT.format(confidence)} sure`)),
      element("ul", { class: "observations" }, ...evidence.map((words) => element("li", { dir: "auto" }, words))));
  }
}
