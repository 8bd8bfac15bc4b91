/** The words a memory was made from, each with the way to the message they stand in. */
import type { Source } from "../../types.js";
import { element } from "../page/element.js";
import type { Tools } from "../tools.js";

export function sources(list: readonly Source[], { words, settings }: Tools): HTMLElement | undefined {
  if (list.length === 0) return undefined;
  const { showSource } = settings;
  return element("ul", { class: "plain-list sources" }, ...list.map((source) =>
    element("li", {},
      source.quote !== "" && element("blockquote", { dir: "auto" }, element("mark", {}, source.quote)),
      isMessage(source)
        ? showSource && element("button", { type: "button", class: "link-button", "data-testid": "show-source", onclick: () => showSource(source) }, words.of("showMessage"))
        : element("span", { class: "hint" }, words.of("fromTopic")))));
}

/** Those that lead to a message, and of the others those whose words no message has. */
export function told<From extends Source>(list: readonly From[]): From[] {
  const messages = list.filter(isMessage);
  const others = list.filter((source) => !isMessage(source) && !messages.some(({ quote }) => quote === source.quote));
  return [...others, ...messages];
}

/** What was distilled of a topic rests on an exchange as the tiers keep it, which is of no chat. */
export function isMessage({ threadId }: Source): boolean {
  return threadId !== "";
}
