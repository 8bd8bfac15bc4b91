/** Why something is remembered: who said so and when, and the messages it rests on with their words marked. */
import type { Explanation, Origin, Role } from "mnemic";
import { markQuotes } from "../chat/marks";
import { element, fill } from "../page/element";
import { moment } from "../page/moment";
import { isMessage, type ShowSource, told } from "./sources";

export const ORIGINS: Record<Origin, string> = { user: "Added by you", model: "Learned by the model", rules: "Learned by rules" };
const SPEAKERS: Record<Role, string> = { user: "You said", assistant: "The reply said", system: "The app said", tool: "A tool said" };

export class Why {
  readonly element: HTMLDetailsElement;
  readonly #content = element("div", { class: "why", "data-testid": "why-content" });
  readonly #load: () => Promise<Explanation | undefined>;
  readonly #showSource: ShowSource;
  #shown = "";

  constructor(load: () => Promise<Explanation | undefined>, showSource: ShowSource) {
    this.#load = load;
    this.#showSource = showSource;
    this.element = element("details", { "data-testid": "why", ontoggle: () => void this.update() }, element("summary", {}, "Why?"), this.#content);
  }

  /** Reads the explanation again if it is being looked at. */
  async update(): Promise<void> {
    if (!this.element.open) return;
    const explanation = await this.#load();
    const shown = JSON.stringify(explanation);
    if (!explanation || shown === this.#shown) return; // the focus stays where it is
    this.#shown = shown;
    const { origin, at, context, source } = explanation;
    fill(
      this.#content,
      element("p", { class: "byline" }, element("span", {}, origin ? ORIGINS[origin] : source.length > 0 ? "Learned from a message" : "Added by you"), moment(at)),
      context && element("p", { dir: "auto" }, context),
      source.length === 0 && element("p", { class: "hint" }, "No message stands behind it."),
      ...told(source).map((from) => this.#message(from)),
    );
  }

  #message(from: Explanation["source"][number]): HTMLElement {
    const { role, message, quote } = from;
    const gone = isMessage(from) ? "That message has been deleted" : "Read in a topic";
    const speaker = message === undefined ? gone : SPEAKERS[role ?? "user"];
    return element("figure", { class: "told" },
      element("figcaption", { class: "byline" }, element("span", {}, speaker)),
      element("blockquote", { dir: "auto" }, ...markQuotes(message ?? quote, [quote]).map(({ text, marked }) => (marked ? element("mark", {}, text) : text))),
      message !== undefined && isMessage(from) && element("button", { type: "button", class: "link-button", onclick: () => this.#showSource(from) }, "Go to the message"));
  }
}
