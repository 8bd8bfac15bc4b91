/** Something that needs a model, with or without words for it: where there is no model it says so and cannot be used. */
import { element } from "../page/element";
import type { Session } from "../session";
import { reason } from "../page/reason";

const NO_MODEL = "This needs a model. Connect one in the settings.";

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
  readonly #words: HTMLTextAreaElement | undefined;
  readonly #note: HTMLElement;
  readonly #session: Session;
  readonly #task: ModelTask;
  #isRunning = false;

  constructor(session: Session, task: ModelTask) {
    this.#session = session;
    this.#task = task;
    const { testId, label, placeholder, action } = task;
    this.#note = element("p", { class: "hint", id: `${testId}-note`, role: "status", "data-testid": `${testId}-note` });
    this.#button = element("button", { type: "submit", class: "button", "aria-describedby": this.#note.id, "data-testid": testId }, action);
    this.#words = label === undefined ? undefined : element("textarea", { class: "field", id: `${testId}-words`, rows: 2, dir: "auto", maxlength: 4000, placeholder, "data-testid": `${testId}-words` });
    this.element = element("form", { class: "model-form", onsubmit: (event: SubmitEvent) => void this.#submit(event) },
      this.#words && element("label", { class: "label", for: this.#words.id }, label ?? ""), this.#words,
      element("div", { class: "buttons" }, this.#button), this.#note);
    this.update();
  }

  update(): void {
    const isPossible = this.#session.model !== undefined;
    this.#button.disabled = !isPossible || this.#isRunning;
    if (this.#words) this.#words.disabled = !isPossible;
    if (!isPossible) this.#note.textContent = NO_MODEL;
    else if (this.#note.textContent === NO_MODEL) this.#note.textContent = "";
  }

  async #submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const words = this.#words?.value.trim() ?? "";
    if (this.#isRunning) return;
    if (this.#words && words === "") {
      this.#note.textContent = "Write something first.";
      return this.#words.focus();
    }
    this.#isRunning = true;
    this.#note.textContent = "Asking the model…";
    this.update();
    try {
      await this.#task.run(words);
      if (this.#words) this.#words.value = "";
      this.#note.textContent = "";
    } catch (error) {
      this.#note.textContent = reason(error);
    }
    this.#isRunning = false;
    this.update();
  }
}
