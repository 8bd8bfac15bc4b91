/** Speaks short sentences to screen readers without moving the focus. */
import { element } from "./element.js";

export class Announcer {
  readonly element = element("p", { class: "for-screen-readers", role: "status", "data-testid": "announcer" });

  say(sentence: string): void {
    // Nothing is said by nothing.
    if (sentence === "") return void (this.element.textContent = "");
    // The same sentence twice in a row would not be a change, and so would not be spoken.
    this.element.textContent = this.element.textContent === sentence ? `${sentence}\u00a0` : sentence;
  }
}
