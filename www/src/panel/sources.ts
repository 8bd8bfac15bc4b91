/** The words a memory was made from, each with the way to the message they stand in. */
import type { Source } from "mnemic";
import { element } from "../page/element";

export type ShowSource = (source: Source) => void;

export function sources(list: readonly Source[], show: ShowSource): HTMLElement | undefined {
  if (list.length === 0) return undefined;
  return element("ul", { class: "plain-list sources" }, ...list.map((source) =>
    element("li", {},
      source.quote !== "" && element("blockquote", { dir: "auto" }, element("mark", {}, source.quote)),
      isMessage(source)
        ? element("button", { type: "button", class: "link-button", "data-testid": "show-source", onclick: () => show(source) }, "Show message")
        : element("span", { class: "hint" }, "From a topic"))));
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
