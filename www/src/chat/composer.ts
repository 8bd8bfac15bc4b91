/** Where the user writes: Enter sends, Shift+Enter starts a new line, a composition in progress is left alone. */
import type { Model } from "../models/model";
import { element, fill } from "../page/shared";
import { icon } from "../page/icon";

const MAX_HEIGHT_PX = 200;

export interface ComposerActions {
  send(text: string): void;
  stop(): void;
  openSettings(): void;
}

export class Composer {
  readonly element: HTMLElement;
  readonly #field: HTMLTextAreaElement;
  readonly #button = element("button", { type: "submit", class: "send-button", "data-testid": "send" });
  readonly #note = element("p", { class: "composer-note", "data-testid": "model-note" });
  readonly #actions: ComposerActions;
  #busy = false;
  #label: string | undefined;

  constructor(actions: ComposerActions) {
    this.#actions = actions;
    this.#field = element("textarea", {
      id: "composer", rows: 1, dir: "auto", placeholder: "Say or ask something",
      "aria-label": "Message", "aria-describedby": "composer-note", enterkeyhint: "send", "data-testid": "composer",
      oninput: () => this.#resize(),
      onkeydown: (event: KeyboardEvent) => this.#key(event),
    });
    this.#note.id = "composer-note";
    const form = element("form", { class: "composer", onsubmit: (event: SubmitEvent) => this.#submit(event) }, this.#field, this.#button);
    this.element = element("div", { class: "composer-area" }, form, this.#note);
    this.busy = false;
  }

  /** While a reply is on its way the button stops it. */
  set busy(busy: boolean) {
    this.#busy = busy;
    this.#button.setAttribute("aria-label", busy ? "Stop" : "Send");
    fill(this.#button, icon(busy ? "stop" : "send"));
  }

  /** Says which model answers, or honestly that none does, and when the chat is not kept. */
  showModel(model: Model | undefined, isKept: boolean): void {
    if (this.#note.hasChildNodes() && model?.label === this.#label) return;
    this.#label = model?.label;
    const settings = (text: string): HTMLElement =>
      element("button", { type: "button", class: "link-button", onclick: () => this.#actions.openSettings() }, text);
    const privacy = model?.isOnDevice ? ". Nothing leaves this device. " : ", which is sent your messages and what is recalled for each. ";
    const warning = !isKept && "This chat is gone after a reload. ";
    if (model) fill(this.#note, warning, "Replies by ", element("bdi", {}, model.label), privacy, settings("Change"));
    else fill(this.#note, warning, "No model connected: I can remember and look up, but I am not a language model. ", settings("Connect a model"));
  }

  focus(): void {
    this.#field.focus();
  }

  #key(event: KeyboardEvent): void {
    // Safari ends a composition before it reports the key; 229 is what is left to tell.
    const composing = event.isComposing || event.keyCode === 229;
    if (event.key !== "Enter" || event.shiftKey || composing) return;
    event.preventDefault();
    this.#send();
  }

  #submit(event: SubmitEvent): void {
    event.preventDefault();
    if (this.#busy) this.#actions.stop();
    else this.#send();
    this.focus();
  }

  #send(): void {
    const text = this.#field.value.trim();
    if (text === "" || this.#busy) return;
    this.#field.value = "";
    this.#resize();
    this.#actions.send(text);
  }

  #resize(): void {
    this.#field.style.height = "auto";
    this.#field.style.height = `${Math.min(this.#field.scrollHeight, MAX_HEIGHT_PX)}px`;
  }
}
