/** A section of the page's own: a child of the panel, shown where its slot stands. */
import { element } from "../page/element.js";
import type { Section, Standing } from "./section.js";

export class OwnSection implements Section {
  readonly element: HTMLElement;
  readonly #shown: () => void;

  constructor(name: string, shown: () => void) {
    this.element = element("section", { "data-testid": `own-${name}` }, element("slot", { name }));
    this.#shown = shown;
  }

  async update(): Promise<Standing> {
    return {};
  }

  shown(): void {
    this.#shown();
  }
}
