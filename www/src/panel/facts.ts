/** All facts, newest first. */
import type { Fact } from "mnemic";
import { element } from "../page/element";
import { List } from "../page/list";
import type { Session } from "../session";
import type { Changes } from "./changes";
import { FactRow } from "./fact";
import type { ShowSource } from "./sources";

const PAGE = 100;

export class FactsPanel {
  readonly element: HTMLElement;
  readonly #facts: List<Fact>;
  readonly #hint = element("p", { class: "hint" }, "No facts yet. Each one will stand here with the words it came from.");
  readonly #past = element("input", { type: "checkbox" });
  readonly #more = element("button", { type: "button", class: "button", hidden: true }, "Show more");
  #limit = PAGE;

  /** `changed` is called when other facts are asked for: see `limit` and `includeSuperseded`. */
  constructor(session: Session, changes: Changes, showSource: ShowSource, changed: () => void) {
    this.#facts = new List(
      element("ul", { class: "plain-list items" }),
      ({ id }) => id,
      (fact) => new FactRow(fact, session, changes, showSource),
    );
    this.#past.addEventListener("change", changed);
    this.#more.addEventListener("click", () => {
      this.#limit += PAGE;
      changed();
    });
    this.element = element("section", { "data-testid": "facts", tabindex: -1 },
      element("label", { class: "check" }, this.#past, "Show what is no longer true"),
      this.#hint, this.#facts.element, this.#more);
  }

  get limit(): number { return this.#limit; }
  get includeSuperseded(): boolean { return this.#past.checked; }

  show(facts: readonly Fact[]): void {
    this.#hint.hidden = facts.length > 0;
    this.#more.hidden = facts.length < this.#limit;
    this.#facts.show([...facts].sort((one, other) => other.createdAt - one.createdAt));
  }
}
