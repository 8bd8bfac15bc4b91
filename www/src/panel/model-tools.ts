/** Which tools the model may call, or why it may call none. */
import { element, fill } from "../page/shared";
import type { Session } from "../session";
import type { Toolbox } from "../window/toolbox";

export class ModelTools {
  readonly element: HTMLElement;
  readonly #session: Session;
  readonly #note = element("p", { class: "hint", "data-testid": "tools-offered" });
  readonly #list = element("dl", { class: "tool-list" });
  readonly #count = element("span", { class: "quiet" });
  readonly #connect: HTMLElement;
  #shown = "";

  constructor(session: Session, { openSettings }: { openSettings(): void }) {
    this.#session = session;
    this.#connect = element("button", { type: "button", class: "link-button", onclick: () => openSettings() }, "Settings");
    this.element = element("details", { class: "panel-part", "data-testid": "model-tools" },
      element("summary", {}, element("h3", {}, "Tools"), this.#count), this.#note, this.#list);
  }

  async update(): Promise<void> {
    const toolbox = await this.#session.toolbox();
    const words = this.#words(toolbox);
    const shown = JSON.stringify([words, toolbox.tools.map(({ function: { name } }) => name)]);
    if (shown === this.#shown) return; // the focus stays where it is
    this.#shown = shown;
    const isOff = this.#session.model?.takesTools === true && !this.#session.settings.tools;
    fill(this.#note, words, isOff && " ", isOff && this.#connect);
    this.#count.textContent = toolbox.tools.length === 0 ? "none" : `${toolbox.tools.length} offered`;
    fill(this.#list, ...toolbox.tools.map(({ function: { name, description } }) =>
      element("div", {}, element("dt", {}, element("code", {}, name)), element("dd", {}, description))));
  }

  #words({ tools, leftOut }: Toolbox): string {
    const { model, settings } = this.#session;
    if (!model) return "No model is connected, so no tools are called. A model can search and change this memory by itself; each call is shown above the reply.";
    if (!model.takesTools) return "This model cannot use tools: it only knows what it is sent.";
    if (!settings.tools) return "Tools are switched off: the model only knows what it is sent.";
    const offered = leftOut === 0 ? `The model can call ${tools.length} tools.` : `The model can call ${tools.length} tools; ${leftOut} more do not fit in this window.`;
    return `${offered} Its calls are shown above each reply.`;
  }
}
