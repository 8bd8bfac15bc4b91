/** The summary of the chat that is open, and the way to one where it would take many requests. */
import { element, reason } from "../page/shared";
import { counted } from "./moves";
import type { Tools } from "./tools";

/** As many messages as one request summarises. */
const PER_REQUEST = 40;
/** With fewer the summary keeps itself up to date. */
const MANY = 200;

export class ThreadSummary {
  readonly element: HTMLElement;
  readonly #tools: Tools;
  readonly #text = element("p", { class: "value", dir: "auto" });
  readonly #details = element("details", { "data-testid": "thread-summary" }, element("summary", {}, "The summary"), this.#text);
  readonly #cost = element("p", { class: "hint" });
  readonly #start = element("button", { type: "button", class: "button", "data-testid": "summarise", onclick: () => void this.#summarise() }, "Summarise earlier messages");
  readonly #note = element("p", { class: "hint", role: "status", "data-testid": "summarise-note" });
  readonly #offer: HTMLElement;

  constructor(tools: Tools) {
    this.#tools = tools;
    this.#offer = element("div", { hidden: true }, element("div", { class: "buttons" }, this.#start), this.#note, this.#cost);
    this.element = element("div", {}, this.#details, this.#offer);
  }

  /** Answers how many messages are in the summary. */
  async update(inSight: number): Promise<number> {
    const { session } = this.#tools;
    const threadId = this.#tools.currentThread();
    const [summary, waiting] = await Promise.all([session.user.threads.summary(threadId), session.unsummarised(threadId)]);
    this.#details.hidden = summary === null;
    this.#text.textContent = summary?.text ?? "";
    this.#offer.hidden = session.model === undefined || waiting <= MANY || waiting <= inSight;
    this.#cost.textContent = `This takes about ${counted(Math.ceil(waiting / PER_REQUEST), "request")} to the model.`;
    return summary?.messages ?? 0;
  }

  async #summarise(): Promise<void> {
    this.#start.disabled = true;
    this.#note.textContent = "Asking the model…";
    try {
      await this.#tools.session.user.threads.summarise(this.#tools.currentThread());
      this.#note.textContent = "";
    } catch (error) {
      this.#note.textContent = reason(error);
    }
    this.#start.disabled = false;
  }
}
