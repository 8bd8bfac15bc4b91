/** A box to search in as one types. Its label is seen, unless a placeholder says the same. */
import { element } from "../page/element.js";

const WAIT_MS = 150;

export class SearchBox {
  readonly element: HTMLElement;
  readonly #field: HTMLInputElement;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(label: string, testId: string, search: () => unknown, placeholder = label) {
    const id = `box-${testId}`;
    this.#field = element("input", {
      type: "search", class: "field", id, dir: "auto", autocomplete: "off", maxlength: 1000, placeholder, "data-testid": testId,
      oninput: () => {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(search, WAIT_MS);
      },
    });
    this.element = element("form", { role: "search", onsubmit: (event: SubmitEvent) => { event.preventDefault(); search(); } },
      element("label", { class: placeholder === label ? "for-screen-readers" : "label", for: id }, label), this.#field);
  }

  get text(): string { return this.#field.value.trim(); }
}
