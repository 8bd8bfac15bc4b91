/** A line across the top of the page that stays until it is dealt with. */
import { element, fill } from "./shared";

export interface BannerAction {
  readonly label: string;
  readonly testId: string;
  run(): void | Promise<void>;
}

export class Banner {
  readonly element = element("div", { class: "banner", role: "alert", hidden: true });
  #shown = "";

  constructor(testId: string) {
    this.element.dataset["testid"] = testId;
  }

  /** The first action is the one that helps. */
  show(text: string, actions: readonly BannerAction[]): void {
    const shown = JSON.stringify([text, actions.map(({ label }) => label)]);
    if (shown === this.#shown) return; // the focus stays where it is
    this.#shown = shown;
    this.element.hidden = false;
    fill(this.element, element("p", {}, text), element("div", { class: "buttons" }, ...actions.map(({ label, testId, run }, place) =>
      element("button", { type: "button", class: place === 0 ? "button button-main" : "button", "data-testid": testId, onclick: () => void run() }, label))));
  }

  hide(): void {
    this.#shown = "";
    this.element.hidden = true;
    fill(this.element);
  }
}
