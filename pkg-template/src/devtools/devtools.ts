/** `<mnemic-devtools>`: the element and its properties. */
import type { Span } from "../spans.js";
import type { Inspection } from "../types.js";
import { Base, upgrade } from "../panel/page/custom-element.js";
import { element, fill, reason } from "../panel/page/element.js";
import { Tabs } from "../panel/page/tabs.js";
import type { Prices } from "./cost.js";
import { IndexesSection } from "./sections/indexes.js";
import { LogSection } from "./sections/log.js";
import { QueueSection } from "./sections/queue.js";
import { RequestsSection } from "./sections/requests.js";
import type { Section } from "./sections/section.js";
import { SpansSection } from "./sections/spans.js";
import { styleSheet } from "./styles.js";

/** What is looked into: an open memory or, without events, one that is elsewhere, such as that of `memoryClient()`. */
export interface InspectedMemory {
  inspect(): Promise<Inspection>;
  on?(event: "span", listener: (span: Span) => void): () => void;
  on?(event: "change" | "extraction" | "error", listener: () => void): () => void;
}

/** What happens at once is looked at once. */
const PAUSE_MS = 200;

/** What may have been set before the element was known to the page. */
const PROPERTIES = ["memory", "prices"] as const;

/**
 * What a memory consists of, what it asks models, and how long everything takes. Shown live as long as the element is in the page.
 *
 * `"mnemic-error"` tells what could not be read.
 */
export class MnemicDevtools extends Base {
  readonly #spans = new SpansSection();
  readonly #sections: ReadonlyArray<readonly [id: string, label: string, section: Section]> = [
    ["log", "Log", new LogSection()],
    ["indexes", "Indexes", new IndexesSection()],
    ["queue", "Queue", new QueueSection()],
    ["requests", "Requests", new RequestsSection(() => this.#prices)],
    ["spans", "Spans", this.#spans],
  ];
  #tabs: Tabs | undefined;
  #memory: InspectedMemory | undefined;
  #prices: Prices | undefined;
  #stops: Array<() => void> = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #problem: HTMLElement | undefined;

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [styleSheet()];
    this.#tabs = new Tabs("Inside the memory", this.#sections.map(([id, label, { element: content }]) => ({ id, label, content })));
    const problem = element("p", { class: "problem", role: "alert", dir: "auto" });
    this.#problem = problem;
    const again = element("button", { type: "button", class: "link-button", "data-testid": "refresh", onclick: () => void this.refresh() }, "Read again");
    root.append(element("div", { class: "panel", lang: "en" },
      element("div", { class: "head" }, element("h2", { class: "title" }, "Inside the memory"), again, problem), this.#tabs.element));
  }

  /** The memory that is looked into; nothing is shown without one. */
  get memory(): InspectedMemory | undefined { return this.#memory; }
  set memory(memory: InspectedMemory | undefined) {
    if (memory === this.#memory) return;
    this.#stop();
    this.#memory = memory;
    if (this.isConnected) this.#start();
  }

  /** What tokens cost. Default: nothing is said of costs. */
  get prices(): Prices | undefined { return this.#prices; }
  set prices(prices: Prices | undefined) {
    this.#prices = prices;
    this.#soon();
  }

  /** Reads everything again. Only needed for a memory that is elsewhere: an open one tells of its changes. */
  async refresh(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const memory = this.#memory;
    if (memory === undefined) return;
    try {
      const inspection = await memory.inspect();
      if (memory !== this.#memory) return;
      if (this.#problem) fill(this.#problem);
      for (const [id, , section] of this.#sections) this.#tabs?.count(id, String(section.update(inspection) || ""));
    } catch (error) {
      if (memory !== this.#memory) return;
      if (this.#problem) fill(this.#problem, reason(error));
      this.dispatchEvent(new CustomEvent("mnemic-error", { detail: { error, message: reason(error) } }));
    }
  }

  /** @internal */
  connectedCallback(): void {
    upgrade<(typeof PROPERTIES)[number]>(this, PROPERTIES);
    this.#start();
  }

  /** @internal */
  disconnectedCallback(): void {
    this.#stop();
  }

  #start(): void {
    const memory = this.#memory;
    if (memory === undefined || this.#stops.length > 0) return void this.refresh();
    const soon = (): void => this.#soon();
    if (memory.on !== undefined) {
      this.#stops = [
        memory.on("span", (span) => (this.#spans.heard(span), soon())),
        ...(["change", "extraction", "error"] as const).flatMap((name) => memory.on?.(name, soon) ?? []),
      ];
    }
    void this.refresh();
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const stop of this.#stops.splice(0)) stop();
  }

  #soon(): void {
    if (this.#memory !== undefined && this.isConnected) this.#timer ??= setTimeout(() => void this.refresh(), PAUSE_MS);
  }
}
