/** Tabs after the WAI-ARIA pattern: arrows move, the chosen tab is the only one in the tab order. */
import { element } from "./element.js";

export interface Tab {
  readonly id: string;
  readonly label: string;
  readonly content: HTMLElement;
  /** Called each time the tab comes to the front. */
  readonly shown?: () => void;
}

export class Tabs {
  readonly element: HTMLElement;
  readonly #tabs: readonly Tab[];
  readonly #buttons = new Map<string, HTMLButtonElement>();
  readonly #counts = new Map<string, HTMLElement>();
  #chosen: string | undefined;

  /** One tab needs no bar to choose it in. */
  constructor(label: string, tabs: readonly Tab[]) {
    this.#tabs = tabs;
    const isAlone = tabs.length < 2;
    const bar = element("div", { class: "tab-bar", role: "tablist", "aria-label": label, hidden: isAlone });
    this.element = element("div", { class: "tabs" }, bar);
    for (const tab of tabs) {
      const count = element("span", { class: "tab-count" });
      const button = element(
        "button",
        {
          type: "button", class: "tab", role: "tab", id: `tab-${tab.id}`, "aria-controls": `tab-panel-${tab.id}`,
          "data-testid": `tab-${tab.id}`,
          onclick: () => this.choose(tab.id),
          onkeydown: (event: KeyboardEvent) => this.#move(event, tab),
        },
        tab.label, count,
      );
      this.#buttons.set(tab.id, button);
      this.#counts.set(tab.id, count);
      bar.append(button);
      tab.content.id = `tab-panel-${tab.id}`;
      tab.content.setAttribute("role", isAlone ? "group" : "tabpanel");
      if (isAlone) tab.content.setAttribute("aria-label", tab.label);
      else tab.content.setAttribute("aria-labelledby", button.id);
      tab.content.classList.add("tab-panel");
      tab.content.part.add("section");
      // What holds nothing to step into can be scrolled by keys all the same.
      tab.content.tabIndex = tab.content.tabIndex === 0 ? 0 : -1;
      this.element.append(tab.content);
    }
    if (tabs[0]) this.choose(tabs[0].id);
  }

  get chosen(): string | undefined { return this.#chosen; }

  choose(id: string): void {
    this.#chosen = id;
    for (const tab of this.#tabs) {
      const chosen = tab.id === id;
      const button = this.#buttons.get(tab.id);
      button?.setAttribute("aria-selected", String(chosen));
      if (button) button.tabIndex = chosen ? 0 : -1;
      tab.content.hidden = !chosen;
      if (chosen) tab.shown?.();
    }
  }

  /** A small number beside the label; none at nothing. */
  count(id: string, count: string): void {
    const shown = this.#counts.get(id);
    if (shown) shown.textContent = count === "" ? "" : ` ${count}`;
  }

  #move(event: KeyboardEvent, from: Tab): void {
    const last = this.#tabs.length - 1;
    const at = this.#tabs.indexOf(from);
    const isRightToLeft = getComputedStyle(this.element).direction === "rtl";
    const [forward, backward] = isRightToLeft ? ["ArrowLeft", "ArrowRight"] : ["ArrowRight", "ArrowLeft"];
    const places: Record<string, number> = { [forward as string]: at === last ? 0 : at + 1, [backward as string]: at === 0 ? last : at - 1, Home: 0, End: last };
    const to = this.#tabs[places[event.key] ?? -1];
    if (!to) return;
    event.preventDefault();
    this.choose(to.id);
    this.#buttons.get(to.id)?.focus();
  }
}
