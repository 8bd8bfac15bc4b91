/** All facts, newest first. */
import type { Fact } from "mnemic";
import { element } from "../page/element";
import { List } from "../page/list";
import { Adder } from "./adder";
import { EntryRow } from "./entry";
import { factView } from "./fact";
import type { Tools } from "./tools";
import { valueEditor } from "./value-editor";

const PAGE = 100;

export class FactsPanel {
  readonly element: HTMLElement;
  readonly #facts: List<Fact>;
  readonly #hint = element("p", { class: "hint" }, "No facts yet. They appear here with the words they came from.");
  readonly #past = element("input", { type: "checkbox", "data-testid": "include-past" });
  readonly #more = element("button", { type: "button", class: "button", hidden: true }, "Show more");
  #limit = PAGE;

  /** `changed` is called when other facts are asked for: see `limit` and `includeEnded`. */
  constructor(tools: Tools, changed: () => void) {
    const { session, changes } = tools;
    const view = factView(tools);
    this.#facts = new List(element("ul", { class: "plain-list items" }), ({ id }) => id, (fact) => new EntryRow(fact, view, tools));
    this.#past.addEventListener("change", changed);
    this.#more.addEventListener("click", () => {
      this.#limit += PAGE;
      changed();
    });
    const adder = new Adder("Add a fact", (close) => valueEditor(
      { label: "New fact", value: "", placeholder: "Something to remember" },
      async (value) => changes.done("Fact added.", await session.user.facts.add(String(value))),
      close,
    ));
    this.element = element("section", { "data-testid": "facts", tabindex: -1 },
      element("div", { class: "panel-tools" }, adder.element, element("label", { class: "check" }, this.#past, "Include what is no longer true")),
      this.#hint, this.#facts.element, this.#more);
  }

  get limit(): number { return this.#limit; }
  get includeEnded(): boolean { return this.#past.checked; }

  show(facts: readonly Fact[]): void {
    this.#hint.hidden = facts.length > 0;
    this.#more.hidden = facts.length < this.#limit;
    this.#facts.show([...facts].sort((one, other) => other.createdAt - one.createdAt));
  }
}
