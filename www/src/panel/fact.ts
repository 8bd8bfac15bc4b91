/** One fact: its text, how much it matters, the words it came from, and the ways to change it. */
import type { Fact } from "mnemic";
import { element, fill } from "../page/element";
import { icon } from "../page/icon";
import type { Row } from "../page/list";
import { describeMoment, moment } from "../page/moment";
import type { Session } from "../session";
import type { Changes } from "./changes";
import { History } from "./history";
import { type ShowSource, sources } from "./sources";
import { valueEditor } from "./value-editor";

const ORIGINS: Record<Fact["origin"], string> = { user: "Added by you", model: "Read by the model", rules: "Read by rules" };

export class FactRow implements Row<Fact> {
  readonly element: HTMLElement;
  readonly #body = element("div", { class: "item-body" });
  readonly #history: History;
  readonly #session: Session;
  readonly #changes: Changes;
  readonly #showSource: ShowSource;
  #fact: Fact;
  #editing = false;

  constructor(fact: Fact, session: Session, changes: Changes, showSource: ShowSource) {
    this.#fact = fact;
    this.#session = session;
    this.#changes = changes;
    this.#showSource = showSource;
    this.#history = new History({ load: () => session.user.facts.history(this.#fact.id), showSource });
    this.element = element("li", { class: "item", id: `item-${fact.id}`, tabindex: -1, "data-testid": "fact" }, this.#body, this.#history.element);
    this.#render();
  }

  update(fact: Fact): void {
    const isSame = JSON.stringify(fact) === JSON.stringify(this.#fact);
    this.#fact = fact;
    if (this.#editing || isSame) return;
    this.#render();
    void this.#history.update();
  }

  #render(): void {
    const { text, category, significance, origin, createdAt, validTo, source } = this.#fact;
    this.element.classList.toggle("item-past", validTo !== undefined);
    const edit = element("button", { type: "button", class: "icon-button", "aria-label": `Edit: ${text}`, onclick: () => this.#edit() }, icon("edit"));
    const bin = element("button", { type: "button", class: "icon-button", "aria-label": `Delete: ${text}`, "data-testid": "delete-fact", onclick: () => void this.#delete() }, icon("bin"));
    fill(
      this.#body,
      element("div", { class: "item-head" },
        element("span", { class: "chip" }, category),
        element("span", { class: "significance", title: "How much this matters, from 1 to 10" }, `Weight ${significance} of 10`),
        edit, bin),
      element("p", { class: "value", dir: "auto", "data-testid": "value" }, text),
      validTo !== undefined && element("p", { class: "hint" }, `No longer true since ${describeMoment(validTo)}`),
      sources(source, this.#showSource),
      element("p", { class: "byline" }, element("span", {}, ORIGINS[origin]), moment(createdAt)),
    );
  }

  #edit(): void {
    const { id, text } = this.#fact;
    this.#editing = true;
    const editor = valueEditor(
      { label: "Fact", value: text },
      async (value) => this.#changes.done("Fact changed.", await this.#session.user.facts.update(id, { text: String(value) })),
      () => {
        this.#editing = false;
        this.#render();
        this.#body.querySelector("button")?.focus();
      },
    );
    fill(this.#body, editor);
    editor.querySelector<HTMLElement>(".field")?.focus();
  }

  async #delete(): Promise<void> {
    const list = this.element.closest<HTMLElement>("[role=tabpanel]") ?? undefined;
    try {
      this.#changes.done("Fact deleted.", await this.#session.user.facts.delete(this.#fact.id), list);
    } catch (error) {
      this.#changes.failed("Could not delete this.", error);
    }
  }
}
