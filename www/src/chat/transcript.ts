/** The messages of one chat on the page, kept scrolled to the end as long as the reader is there. */
import { element, fill, List } from "../page/shared";
import { Message, type MessageActions, type ShownMessage } from "./message";

const NEAR_END_PX = 80;

/** Something that went wrong, or is missing, after the last message, and what to do about it. */
export interface Trouble {
  readonly text: string;
  readonly action: string;
  run(): void;
}

export class Transcript {
  readonly element: HTMLElement;
  readonly #earlier: HTMLButtonElement;
  readonly #list: List<ShownMessage>;
  readonly #trouble = element("div", { class: "trouble", "data-testid": "trouble", hidden: true });

  constructor(welcome: HTMLElement, actions: MessageActions, loadEarlier: () => void) {
    this.#list = new List(
      element("ol", { class: "plain-list messages", "data-testid": "messages" }),
      ({ key }) => key,
      (message) => new Message(message, actions),
    );
    this.#earlier = element("button", { type: "button", class: "button", hidden: true, onclick: loadEarlier }, "Show earlier messages");
    this.element = element("div", { class: "transcript", tabindex: 0, role: "region", "aria-label": "Messages" },
      welcome, this.#earlier, this.#list.element, this.#trouble);
  }

  show(messages: readonly ShownMessage[], trouble: Trouble | undefined, hasEarlier: boolean): void {
    const atEnd = this.#isAtEnd();
    this.#earlier.hidden = !hasEarlier;
    this.#list.show(messages);
    this.#showTrouble(trouble);
    if (atEnd) this.scrollToEnd();
  }

  scrollToEnd(): void {
    this.element.scrollTop = this.element.scrollHeight;
  }

  /** Brings a message into view and points at it; false when it is not among the shown. */
  pointAt(messageId: string): boolean {
    const message = document.getElementById(`message-${messageId}`);
    if (!message || !this.element.contains(message)) return false;
    message.scrollIntoView({ block: "center" });
    message.focus({ preventScroll: true });
    message.classList.remove("pointed-at");
    void message.offsetWidth; // starts the animation again when it is the same message
    message.classList.add("pointed-at");
    return true;
  }

  #showTrouble(trouble: Trouble | undefined): void {
    this.#trouble.hidden = !trouble;
    if (!trouble) return fill(this.#trouble);
    fill(this.#trouble, element("p", { dir: "auto" }, trouble.text),
      element("button", { type: "button", class: "button", "data-testid": "retry", onclick: () => trouble.run() }, trouble.action));
  }

  #isAtEnd(): boolean {
    const { scrollHeight, scrollTop, clientHeight } = this.element;
    return scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
  }
}
