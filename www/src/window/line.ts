/** A slim line over the chat that shows how full the window is, and leads to all there is to know about it. */
import { element, fill } from "../page/shared";
import { WindowBar } from "./bar";
import type { ModelWindow } from "./model-window";
import { taken, tokensInShort } from "./parts";

/** From this share on there is little room left. */
const NEARLY_FULL = 0.9;

export class WindowLine {
  readonly element: HTMLButtonElement;
  readonly #bar = new WindowBar();
  readonly #words = element("span", { class: "window-words" });

  constructor(window: ModelWindow, open: () => void) {
    this.element = element("button", { type: "button", class: "window-line", "data-testid": "window-line", onclick: open },
      element("span", {}, "Window"), this.#bar.element, this.#words);
    window.onChange(() => this.#show(window));
  }

  #show({ report }: ModelWindow): void {
    if (!report) return;
    const { size } = report;
    const filled = taken(report);
    const isFull = filled > size * NEARLY_FULL;
    this.#bar.show(report);
    fill(this.#words, `${tokensInShort(filled)} of ${tokensInShort(size)}`, element("span", { class: "for-screen-readers" }, " tokens taken"), isFull && ", nearly full");
  }
}
