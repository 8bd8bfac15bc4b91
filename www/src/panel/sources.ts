/** The words a memory was made from, each with the way to the message they stand in. */
import type { Source } from "mnemic";
import { element } from "../page/element";

export type ShowSource = (source: Source) => void;

export function sources(list: readonly Source[], show: ShowSource): HTMLElement | undefined {
  if (list.length === 0) return undefined;
  return element("ul", { class: "plain-list sources" }, ...list.map((source) =>
    element("li", {},
      source.quote !== "" && element("blockquote", { dir: "auto" }, element("mark", {}, source.quote)),
      element("button", { type: "button", class: "link-button", "data-testid": "show-source", onclick: () => show(source) }, "Show message"))));
}
