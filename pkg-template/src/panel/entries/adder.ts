/** A button that turns into a form to add something, and back. */
import { element, fill } from "../page/element.js";
import { icon } from "../page/icon.js";

export class Adder {
  readonly element = element("div", { class: "adder" });
  readonly #button: HTMLButtonElement;

  constructor(label: string, form: (close: () => void) => HTMLElement) {
    this.#button = element("button", {
      type: "button", class: "button", "data-testid": "add",
      onclick: () => {
        const made = form(() => {
          fill(this.element, this.#button);
          this.#button.focus();
        });
        fill(this.element, made);
        made.querySelector<HTMLElement>(".field")?.focus();
      },
    }, icon("plus"), label);
    fill(this.element, this.#button);
  }
}
