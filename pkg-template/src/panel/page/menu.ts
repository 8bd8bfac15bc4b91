/** A list of places to go to. The one that is chosen stands in place of the list, with the way back above it. */
import { element, fill } from "./element.js";
import { icon } from "./icon.js";

export interface Place {
  readonly id: string;
  readonly label: string;
  /** What is there, in a few words. */
  readonly about: string;
  readonly content: HTMLElement;
  /** Called each time it is gone to. */
  readonly shown?: () => void;
}

export class Menu {
  readonly element: HTMLElement;
  readonly #wayBack: string;
  readonly #places: readonly Place[];
  readonly #buttons = new Map<string, HTMLButtonElement>();
  readonly #counts = new Map<string, HTMLElement>();
  readonly #abouts = new Map<string, HTMLElement>();
  readonly #list = element("ul", { class: "plain-list menu" });
  readonly #head = element("div", { class: "menu-head", hidden: true });
  #chosen: string | undefined;

  /** `wayBack` names the button that shows the list again. */
  constructor(wayBack: string, places: readonly Place[]) {
    this.#wayBack = wayBack;
    this.#places = places;
    for (const { id, label, about, content } of places) {
      const count = element("span", { class: "tab-count" });
      const told = element("span", { class: "hint" }, about);
      const button = element("button", { type: "button", class: "menu-place", "data-testid": `menu-${id}`, onclick: () => this.choose(id) },
        element("span", { class: "menu-label" }, label, count), told);
      this.#buttons.set(id, button);
      this.#counts.set(id, count);
      this.#abouts.set(id, told);
      this.#list.append(element("li", {}, button));
      content.hidden = true;
    }
    this.element = element("section", { tabindex: -1 }, this.#list, this.#head, ...places.map(({ content }) => content));
  }

  get chosen(): string | undefined { return this.#chosen; }

  /** Goes to a place, and puts the focus on its heading. */
  choose(id: string): void {
    const chosen = this.#places.find((place) => place.id === id);
    if (!chosen) return;
    const heading = element("h3", { class: "menu-title", tabindex: -1 }, chosen.label);
    const back = element("button", { type: "button", class: "icon-button", "aria-label": this.#wayBack, title: this.#wayBack, "data-testid": "menu-back", onclick: () => this.#goBack(id) }, icon("back"));
    fill(this.#head, back, heading);
    this.#show(chosen);
    heading.focus();
    chosen.shown?.();
  }

  /** Shows the list. */
  close(): void {
    this.#show(undefined);
  }

  /** A small number beside a label; none at nothing. */
  count(id: string, count: string): void {
    const shown = this.#counts.get(id);
    if (shown) shown.textContent = count === "" ? "" : ` ${count}`;
  }

  /** Says anew what is there. */
  tell(id: string, about: string): void {
    const told = this.#abouts.get(id);
    if (told) told.textContent = about;
  }

  #goBack(id: string): void {
    this.close();
    this.#buttons.get(id)?.focus();
  }

  #show(chosen: Place | undefined): void {
    this.#chosen = chosen?.id;
    this.#list.hidden = chosen !== undefined;
    this.#head.hidden = chosen === undefined;
    for (const place of this.#places) place.content.hidden = place !== chosen;
    this.element.scrollTop = 0;
  }
}
