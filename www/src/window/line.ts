/** A slim line over the chat that shows how full the window is, and leads to all there is to know about it. */
import { element } from "../page/element";
import { WindowBar } from "./bar";
import type { ModelWindow } from "./model-window";
import { taken, tokensInShort, tokensInWords } from "./parts";

/** From this share on there is little room left. */
const NEARLY_FULL = 0.9;

export class WindowLine {
  readonly element: HTMLButtonElement;
  readonly #bar = new WindowBar();
  readonly #words = element("span", { class: "window-words" });

  constructor(window: ModelWindow, open: () => void) {
    this.element = element("button", { type: "button", class: "window-line", "data-testid": "window-line", "aria-label": "Window", onclick: open },
      element("span", {}, "Window"), this.#bar.element, this.#words);
    window.onChange(() => this.#show(window));
  }

  #show({ report }: ModelWindow): void {
    if (!report) return;
    const { size } = report;
    const filled = taken(report);
    const isFull = filled > size * NEARLY_FULL;
    this.#bar.show(report);
    this.#words.textContent = `${tokensInShort(filled)} of ${tokensInShort(size)}${isFull ? ", nearly full" : ""}`;
    this.element.setAttribute("aria-label", `Window: ${tokensInWords(filled)} of ${tokensInWords(size)} tokens taken${isFull ? ", nearly full" : ""}`);
  }
}
