/** The profile: what is known first, then what could be. */
import { element } from "../page/element";
import { List } from "../page/list";
import { FIELD_NAMES } from "../profile-schema";
import type { Field } from "../types";
import { EntryRow } from "./entry";
import { fieldView, type ShownField } from "./field";
import type { Tools } from "./tools";

export class ProfilePanel {
  readonly element: HTMLElement;
  readonly #fields: List<ShownField>;
  readonly #hint = element("p", { class: "hint" }, "Nothing is known about you yet. Say something about yourself, or add it here.");

  constructor(tools: Tools) {
    const view = fieldView(tools);
    this.#fields = new List(element("ul", { class: "plain-list items" }), ({ name }) => name, (shown) => new EntryRow(shown, view, tools));
    this.element = element("section", { "data-testid": "profile", tabindex: -1 }, this.#hint, this.#fields.element);
  }

  show(fields: readonly Field[]): void {
    const shown = FIELD_NAMES.map((name) => ({ name, field: fields.find((field) => field.name === name) }));
    this.#hint.hidden = fields.length > 0;
    this.#fields.show([...shown.filter(({ field }) => field), ...shown.filter(({ field }) => !field)]);
  }
}
