/** Something that a model does, with or without words for it. */
import { element, reason } from "../page/element.js";
import type { Words } from "../texts/words.js";

export interface ModelTask {
  readonly testId: string;
  readonly action: string;
  /** What is asked for; without it there is only the button. */
  readonly label?: string;
  readonly placeholder?: string;
  /** Rejects with the reason when it cannot be done. */
  run(words: string): Promise<void>;
}

export class ModelForm {
  readonly element: HTMLFormElement;
  readonly #button: HTMLButtonElement;
  readonly #field: HTMLTextAreaElement | undefined;
  readonly #note: HTMLElement;
  readonly #words: Words;
  readonly #task: ModelTask;

  constructor(words: Words, task: ModelTask) {
    this.#words = words;
    this.#task = task;
    const { testId, label, placeholder, action } = task;
    this.#note = element("p", { class: "hint", id: `${testId}-note`, role: "status", "data-testid": `${testId}-note` });
    this.#button = element("button", { type: "submit", class: "button", "aria-describedby": this.#note.id, "data-testid": testId }, action);
    this.#field = label === undefined ? undefined : element("textarea", { class: "field", id: `${testId}-words`, rows: 2, dir: "auto", maxlength: 4000, placeholder, "data-testid": `${testId}-words` });
    this.element = element("form", { class: "model-form", onsubmit: (event: SubmitEvent) => void this.#submit(event) },
      this.#field && element("label", { class: "label", for: this.#field.id }, label ?? ""), this.#field,
      element("div", { class: "buttons" }, this.#button), this.#note);
  }

  async #submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const written = this.#field?.value.trim() ?? "";
    if (this.#button.disabled) return;
    if (this.#field && written === "") {
      this.#note.textContent = this.#words.of("writeFirst");
      return this.#field.focus();
    }
    this.#note.textContent = this.#words.of("askingModel");
    this.#button.disabled = true;
    try {
      await this.#task.run(written);
      if (this.#field) this.#field.value = "";
      this.#note.textContent = "";
    } catch (error) {
      this.#note.textContent = reason(error);
    }
    this.#button.disabled = false;
  }
}
