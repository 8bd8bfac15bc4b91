/** "Window": what the model is given, its working memory, and how the conversation is sorted into tiers. */
import { type Announcer, element, fill } from "../page/shared";
import { WINDOWS } from "../settings";
import { WindowChart } from "../window/bar";
import type { ModelWindow } from "../window/model-window";
import { tokensInShort, tokensInWords } from "../window/parts";
import { ModelTools } from "./model-tools";
import { ThreadSummary } from "./thread-summary";
import { TiersSection } from "./tiers";
import type { Tools } from "./tools";

export interface WindowActions {
  openSettings(): void;
  /** Brings another tab to the front. */
  choose(tab: "profile" | "facts"): void;
}

export class WindowPanel {
  readonly element: HTMLElement;
  readonly #tools: Tools;
  readonly #window: ModelWindow;
  readonly #heading = element("h3", {});
  readonly #chart = new WindowChart();
  readonly #size: HTMLSelectElement;
  readonly #sight = element("p", { class: "hint", "data-testid": "in-sight" });
  readonly #unsent = element("p", { class: "hint", "data-testid": "unsent" });
  readonly #summary: ThreadSummary;
  readonly #modelTools: ModelTools;
  readonly #tiers: TiersSection;

  constructor(tools: Tools, window: ModelWindow, announcer: Announcer, actions: WindowActions) {
    this.#tools = tools;
    this.#window = window;
    this.#size = element("select", { class: "field", id: "window-size", "data-testid": "window-size", onchange: () => this.#resize() },
      ...WINDOWS.map((size) => element("option", { value: size }, `${tokensInShort(size)} tokens`)));
    this.#modelTools = new ModelTools(tools.session, actions);
    this.#tiers = new TiersSection(tools, announcer, actions);
    this.#summary = new ThreadSummary(tools);
    fill(this.#unsent, "No model is connected, so nothing is sent. This is what a model would be given. ",
      element("button", { type: "button", class: "link-button", onclick: () => actions.openSettings() }, "Connect a model"));
    this.element = element("section", { "data-testid": "window", tabindex: -1 },
      element("section", { class: "panel-part" },
        element("div", { class: "part-head" }, this.#heading,
          element("label", { class: "for-screen-readers", for: "window-size" }, "Size of the window"), this.#size),
        this.#chart.element, this.#sight, this.#unsent, this.#summary.element),
      this.#modelTools.element, this.#tiers.element);
    window.onChange(() => this.#draw());
    this.#draw();
  }

  /** Comes to the front. */
  async shown(): Promise<void> {
    this.#tiers.rank();
    await this.update();
  }

  async update(): Promise<void> {
    const { session } = this.#tools;
    const threadId = this.#tools.currentThread();
    this.#size.value = String(session.settings.window);
    this.#unsent.hidden = session.model !== undefined;
    const inSight = this.#window.report?.inSight ?? 0;
    const [messages, summarised] = await Promise.all([
      session.chat(threadId).count(), this.#summary.update(inSight), this.#modelTools.update(), this.#tiers.update(),
    ]);
    this.#sight.textContent = inSightInWords(messages, inSight, summarised);
  }

  #draw(): void {
    const { report, isSent } = this.#window;
    this.#heading.textContent = isSent ? "What the model sees now" : this.#tools.session.model ? "What the model will see" : "What a model would see";
    if (report) this.#chart.show(report);
  }

  #resize(): void {
    const kept = this.#tools.session.resize(Number(this.#size.value));
    if (!kept) this.#tools.changes.said("In use now, but this browser does not let pages store settings: it will be gone after a reload.");
  }
}

function inSightInWords(messages: number, inSight: number, summarised: number): string {
  if (messages === 0) return "This chat is still empty.";
  const number = tokensInWords;
  if (inSight >= messages) return messages === 1 ? "The one message of this chat fits in the window." : `All ${number(messages)} messages of this chat fit in the window.`;
  const rest = summarised > 0 ? `, and ${number(summarised)} in the summary` : "";
  return `Of ${number(messages)} messages the last ${number(inSight)} fit in the window word for word${rest}. All are kept, and found by search.`;
}
