/** A short notice at the foot of the panel, with one thing to do about it. It waits while it is looked at. */
import { element, fill } from "./element.js";
import { icon } from "./icon.js";

const SHOWN_FOR_MS = 12_000;

export interface Remedy {
  readonly label: string;
  run(): void | Promise<void>;
}

export class Toast {
  readonly element = element("div", { class: "notice", role: "status", "data-testid": "toast", hidden: true });
  #timer: ReturnType<typeof setTimeout> | undefined;
  #returnTo: HTMLElement | undefined;
  readonly #place: HTMLElement;
  readonly #dismiss: string;

  /** `place` is where it stands, unless a modal dialog of the panel covers that; `dismiss` names the button that closes it. */
  constructor(place: HTMLElement, dismiss: string) {
    this.#place = place;
    this.#dismiss = dismiss;
    place.append(this.element);
    for (const looking of ["pointerenter", "focusin"]) this.element.addEventListener(looking, () => this.#wait());
    for (const leaving of ["pointerleave", "focusout"]) this.element.addEventListener(leaving, () => this.#start());
    this.element.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.hide();
    });
  }

  /**
   * Shows a notice in place of the one before. With `focusFrom` the remedy takes the focus (the control that
   * was used has gone), and hands it back to that element afterwards.
   */
  show(text: string, remedy?: Remedy, focusFrom?: HTMLElement): void {
    const button = remedy && element("button", { type: "button", class: "toast-remedy", onclick: () => this.#use(remedy) }, remedy.label);
    const close = element("button", { type: "button", class: "icon-button", "aria-label": this.#dismiss, onclick: () => this.hide() }, icon("close"));
    fill(this.element, element("p", { dir: "auto" }, text), button, close);
    // A modal dialog covers everything outside it, so the notice goes where it can be reached, and stays when that closes.
    const modal = (this.#place.getRootNode() as ShadowRoot).querySelector("dialog:modal");
    modal?.addEventListener("close", () => this.#place.append(this.element), { once: true });
    const place = modal ?? this.#place;
    if (this.element.parentElement !== place) place.append(this.element);
    this.element.hidden = false;
    this.#returnTo = focusFrom;
    this.#start();
    if (focusFrom) button?.focus();
  }

  hide(): void {
    this.#wait();
    const hadFocus = this.element.matches(":focus-within");
    this.element.hidden = true;
    fill(this.element);
    if (hadFocus) this.#returnTo?.focus();
  }

  async #use(remedy: Remedy): Promise<void> {
    this.hide();
    await remedy.run();
  }

  #wait(): void {
    clearTimeout(this.#timer);
  }

  #start(): void {
    this.#wait();
    this.#timer = setTimeout(() => this.hide(), SHOWN_FOR_MS);
  }
}
