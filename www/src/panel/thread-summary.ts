/** The summary of the chat that is open, and the way to one where it would take many requests. */
import { element } from "../page/element";
import { counted } from "./moves";
import { ModelForm } from "./model-form";
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
  readonly #form: ModelForm;
  readonly #offer: HTMLElement;

  constructor(tools: Tools) {
    this.#tools = tools;
    this.#form = new ModelForm(tools.session, {
      testId: "summarise", action: "Summarise earlier messages",
      run: async () => void (await tools.session.user.threads.summarise(tools.currentThread())),
    });
    this.#offer = element("div", { hidden: true }, this.#form.element, this.#cost);
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
    this.#form.update();
    return summary?.messages ?? 0;
  }
}
