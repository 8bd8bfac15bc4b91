/** What is shown when the memory cannot be opened: why, and two ways on. */
import { element, reason } from "./page/shared";

export function openingFailure(error: unknown, goOn: () => void): HTMLElement {
  return element("main", { class: "no-memory", role: "alert" },
    element("h1", {}, "The memory could not be opened"),
    element("p", {}, "This browser may not let the page keep anything, as in some private windows. You can try again, or chat without keeping: all is forgotten when this tab is closed or reloaded."),
    element("div", { class: "buttons" },
      element("button", { type: "button", class: "button button-main", onclick: () => location.reload() }, "Try again"),
      element("button", { type: "button", class: "button", "data-testid": "unkept", onclick: goOn }, "Chat without keeping")),
    element("details", {}, element("summary", {}, "The reason"), element("p", { class: "hint" }, reason(error))));
}
