/** One message of the transcript: its words, and under them what they led to. */
import { element, fill, type Row } from "../page/shared";
import { moment } from "../page/moment";
import { clipped } from "../replies/fitting";
import type { Recalled } from "../replies/reply";
import type { MadeCall } from "../replies/tool-calls";
import { sentDetails } from "../window/bar";
import type { WindowReport } from "../window/parts";
import { Calls } from "./calls";
import type { Keepsake, Kept } from "./kept";
import { markQuotes } from "./marks";
import { recalledDetails } from "./recalled";

/** Enough of a message to tell its controls from those of others. */
const NAME_CHARACTERS = 60;

export interface ShownMessage {
  /** The message's id, or a name of its own while it has none. */
  readonly key: string;
  readonly role: "user" | "assistant";
  readonly text: string;
  /** The message in the memory, where it can be forgotten. */
  readonly id?: string | undefined;
  /** The sentences that the assistant is no longer told. */
  readonly withheld?: readonly string[] | undefined;
  readonly at?: number | undefined;
  /** Who signs an assistant's reply. */
  readonly by?: string | undefined;
  readonly kept?: Kept | undefined;
  readonly recalled?: readonly Recalled[] | undefined;
  /** What the model called before it answered. */
  readonly calls?: readonly MadeCall[] | undefined;
  /** How the request filled the window. */
  readonly window?: WindowReport | undefined;
  /** Set while a reply is being written. */
  readonly writing?: boolean | undefined;
}

export interface MessageActions {
  /** Goes to what came of a message. */
  choose(item: Keepsake): void;
  /** Asks before a message is forgotten. */
  forget(messageId: string): void;
}

export class Message implements Row<ShownMessage> {
  readonly element: HTMLElement;
  readonly #words = element("p", { class: "words", dir: "auto" });
  #calls: Calls | undefined;
  readonly #foot = element("div", { class: "message-foot" });
  readonly #actions: MessageActions;
  #shown = "";

  constructor(message: ShownMessage, actions: MessageActions) {
    this.#actions = actions;
    this.element = element("li", {
      class: `message message-${message.role}`, id: `message-${message.key}`, tabindex: -1, "data-testid": `message-${message.role}`,
    }, element("h2", { class: "for-screen-readers" }, message.role === "user" ? "You said" : "Reply"), this.#words, this.#foot);
    this.update(message);
  }

  update(message: ShownMessage): void {
    const shown = JSON.stringify(message);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.element.setAttribute("aria-busy", String(message.writing ?? false));
    this.#showCalls(message.calls ?? []);
    const waiting = message.writing && message.text === "";
    this.#words.hidden = message.text === "" && !waiting;
    if (waiting) fill(this.#words, element("span", { class: "dots", role: "img", "aria-label": "Writing" }, element("i"), element("i"), element("i")));
    else fill(this.#words, ...shownWords(message));
    const { id, withheld = [] } = message;
    fill(
      this.#foot,
      withheld.length > 0 && element("p", { class: "hint", "data-testid": "withheld" }, "What is struck out is withheld: you deleted or corrected what was learned from it, so the assistant is no longer told it."),
      message.kept && this.#keepsakes(message.kept.items),
      element("p", { class: "byline" }, message.by && element("span", {}, message.by), message.at !== undefined && moment(message.at),
        id !== undefined && element("button", { type: "button", class: "quiet-button", "aria-label": `Forget the message “${clipped(message.text, NAME_CHARACTERS)}”`, "data-testid": "forget-message", onclick: () => this.#actions.forget(id) }, "Forget…")),
      element("div", { class: "item-more" },
        message.recalled && message.recalled.length > 0 && recalledDetails(message.recalled),
        message.window && sentDetails(message.window)),
    );
  }

  #showCalls(calls: readonly MadeCall[]): void {
    if (calls.length === 0) return;
    if (!this.#calls) {
      this.#calls = new Calls();
      this.#words.before(this.#calls.element);
    }
    this.#calls.show(calls);
  }

  #keepsakes(items: readonly Keepsake[]): HTMLElement {
    return element("ul", { class: "keepsakes", "aria-label": "Remembered from this message" }, ...items.map((item) =>
      element("li", {}, element("button", {
        type: "button", class: "keepsake", dir: "auto", "data-testid": "keepsake", title: item.label, onclick: () => this.#actions.choose(item),
      }, item.label))));
  }
}

function shownWords({ text, kept, withheld }: ShownMessage): (Node | string)[] {
  return markQuotes(text, kept?.quotes ?? [], withheld).map((stretch) => {
    if (stretch.withheld) return element("s", { class: "withheld" }, element("span", { class: "for-screen-readers" }, "Withheld: "), stretch.text);
    return stretch.marked ? element("mark", {}, stretch.text) : stretch.text;
  });
}
