/** The latest exchanges: a queue with a slot for each. When the queue is full, the oldest move into topics. */
import type { Page } from "mnemic";
import { element, fill } from "../page/shared";
import { icon } from "../page/icon";
import { counted } from "./moves";
import { exchange } from "./exchange";
import type { Tools } from "./tools";

/** As the memory is opened: the default of the engine. */
const CAPACITY = 7;

export class Queue {
  readonly element: HTMLElement;
  readonly #tools: Tools;
  readonly #count = element("p", { class: "hint", "data-testid": "queue-count" });
  readonly #slots = element("ol", { class: "plain-list slots", "data-testid": "slots" });
  readonly #opened = element("div", { class: "opened-page", "data-testid": "opened-page" });
  #pages: readonly Page[] = [];
  #chosen: string | undefined;
  #shown = "";

  constructor(tools: Tools) {
    this.#tools = tools;
    this.element = element("section", { class: "panel-part" }, element("h3", {}, "Latest exchanges"), this.#count, this.#slots, this.#opened);
  }

  /** The elements of some pages, as far as they are in the queue. */
  slotsOf(pages: readonly string[]): Element[] {
    const wanted = new Set(pages);
    return [...this.#slots.querySelectorAll<HTMLElement>("[data-page]")].filter(({ dataset }) => wanted.has(dataset["page"] ?? ""));
  }

  show(pages: readonly Page[]): void {
    const shown = JSON.stringify([pages, this.#chosen]);
    if (shown === this.#shown) return; // the focus stays where it is
    this.#shown = shown;
    this.#pages = pages;
    const waiting = pages.length - CAPACITY;
    this.#count.textContent = waiting > 0
      ? `${CAPACITY} of ${CAPACITY}, and ${counted(waiting, "exchange")} more: the oldest are about to move.`
      : `${pages.length} of ${CAPACITY}, from all chats. When the queue is full, the oldest move into topics.`;
    const focused = this.#slots.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset["page"] : undefined;
    const free = Array.from({ length: Math.max(0, -waiting) }, () => element("li", { class: "slot slot-free", "aria-hidden": "true" }));
    fill(this.#slots, ...pages.map((page, index) => this.#slot(page, index)), ...free);
    if (focused) this.#slots.querySelector<HTMLElement>(`[data-page="${focused}"]`)?.focus();
    const page = pages.find(({ id }) => id === this.#chosen);
    fill(this.#opened, page && exchange(page, this.#tools.showSource));
  }

  #slot(page: Page, index: number): HTMLElement {
    const isOpen = page.id === this.#chosen;
    return element("li", { class: "slot" }, element("button", {
      type: "button", class: "slot-button", "data-page": page.id, "data-testid": "slot", title: page.query.slice(0, 200),
      "aria-label": `Exchange ${index + 1} of ${this.#pages.length}: ${page.query.slice(0, 200)}`, "aria-expanded": String(isOpen),
      onclick: () => this.#choose(isOpen ? undefined : page.id),
    }, icon("page")));
  }

  #choose(id: string | undefined): void {
    this.#chosen = id;
    this.show(this.#pages);
  }
}
