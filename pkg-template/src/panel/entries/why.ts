/** Why something is remembered: who said so and when, and the messages it rests on with their words marked. */
import type { Explanation, Origin, Role } from "../../types.js";
import { element, fill } from "../page/element.js";
import type { Key } from "../texts/words.js";
import type { Tools } from "../tools.js";
import { isMessage, told } from "./sources.js";

export const ORIGINS: Record<Origin, Key> = { user: "originUser", model: "originModel", rules: "originRules" };
const SPEAKERS: Record<Role, Key> = { user: "saidByUser", assistant: "saidByAssistant", system: "saidBySystem", tool: "saidByTool" };

export class Why {
  readonly element: HTMLDetailsElement;
  readonly #content = element("div", { class: "why", "data-testid": "why-content" });
  readonly #load: () => Promise<Explanation | undefined>;
  readonly #tools: Tools;
  #shown = "";

  constructor(load: () => Promise<Explanation | undefined>, tools: Tools) {
    this.#load = load;
    this.#tools = tools;
    this.element = element("details", { "data-testid": "why", ontoggle: () => tools.reading(this.update()) }, element("summary", {}, tools.words.of("why")), this.#content);
  }

  /** Reads the explanation again if it is being looked at. */
  async update(): Promise<void> {
    if (!this.element.open) return;
    const explanation = await this.#load();
    const shown = JSON.stringify(explanation);
    if (!explanation || shown === this.#shown) return; // the focus stays where it is
    this.#shown = shown;
    const { words } = this.#tools;
    const { origin, at, context, source } = explanation;
    fill(
      this.#content,
      element("p", { class: "byline" }, element("span", {}, words.of(origin ? ORIGINS[origin] : source.length > 0 ? "causeExtract" : "originUser")), words.moment(at)),
      context && element("p", { dir: "auto" }, context),
      source.length === 0 && element("p", { class: "hint" }, words.of("noMessageBehind")),
      ...told(source).map((from) => this.#message(from)),
    );
  }

  #message(from: Explanation["source"][number]): HTMLElement {
    const { words, settings: { showSource } } = this.#tools;
    const { role, message, quote } = from;
    const gone: Key = isMessage(from) ? "messageDeleted" : "readInTopic";
    return element("figure", { class: "told" },
      element("figcaption", { class: "byline" }, element("span", {}, words.of(message === undefined ? gone : SPEAKERS[role ?? "user"]))),
      element("blockquote", { dir: "auto" }, ...marked(message ?? quote, quote)),
      message !== undefined && isMessage(from) && showSource && element("button", { type: "button", class: "link-button", onclick: () => showSource(from) }, words.of("showMessage")));
  }
}

/** A text with a quote marked in it, where it stands. */
function marked(text: string, quote: string): (Node | string)[] {
  const start = quote === "" ? -1 : text.indexOf(quote);
  if (start < 0) return [text];
  return [text.slice(0, start), element("mark", {}, quote), text.slice(start + quote.length)];
}
