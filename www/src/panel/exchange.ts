/** One exchange in full: what was said, what was answered, and the way to the message. */
import type { Page } from "mnemic";
import { element } from "../page/shared";
import { moment } from "../page/moment";
import { MEMORY_ALONE } from "../signature";
import type { ShowSource } from "./tools";

export function exchange({ query, response, createdAt, metadata }: Page, showSource: ShowSource): HTMLElement {
  const { messageId, threadId, by } = metadata;
  const isKnown = typeof messageId === "string" && typeof threadId === "string";
  return element("div", { class: "exchange", "data-testid": "exchange" },
    element("p", { class: "exchange-said", dir: "auto" }, query),
    by === MEMORY_ALONE ? element("p", { class: "hint" }, "Answered by the memory alone") : element("p", { class: "exchange-answered", dir: "auto" }, response),
    element("p", { class: "byline" }, moment(createdAt),
      isKnown && element("button", { type: "button", class: "link-button", onclick: () => showSource({ messageId, threadId, quote: "" }) }, "Show message")));
}
