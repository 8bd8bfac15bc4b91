/** One field of the profile: its value, where it came from, its history, and the ways to change it. */
import { element, fill } from "../page/element";
import { icon } from "../page/icon";
import type { Row } from "../page/list";
import { choices, FIELD_LABELS, type FieldName, isList } from "../profile-schema";
import type { Session } from "../session";
import type { Field, FieldValue } from "../types";
import type { Changes } from "./changes";
import { History } from "./history";
import { type ShowSource, sources } from "./sources";
import { valueEditor } from "./value-editor";

/** A field by name; without `field` it is not known yet. */
export interface ShownField {
  readonly name: FieldName;
  readonly field: Field | undefined;
}

export class FieldRow implements Row<ShownField> {
  readonly element: HTMLElement;
  readonly #body = element("div", { class: "item-body" });
  readonly #history: History;
  readonly #session: Session;
  readonly #changes: Changes;
  readonly #showSource: ShowSource;
  #shown: ShownField;
  #editing = false;

  constructor(shown: ShownField, session: Session, changes: Changes, showSource: ShowSource) {
    this.#shown = shown;
    this.#session = session;
    this.#changes = changes;
    this.#showSource = showSource;
    this.#history = new History({
      load: async () => (this.#shown.field ? session.user.history(this.#shown.field.id) : []),
      restore: (revision) => this.#restore(revision),
      showSource,
    });
    this.element = element("li", { class: "item", tabindex: -1, "data-testid": `field-${shown.name}` }, this.#body, this.#history.element);
    this.#render();
  }

  update(shown: ShownField): void {
    const isSame = JSON.stringify(shown) === JSON.stringify(this.#shown);
    this.#shown = shown;
    if (this.#editing || isSame) return;
    this.#render();
    void this.#history.update();
  }

  #render(): void {
    const { name, field } = this.#shown;
    const label = FIELD_LABELS[name];
    this.element.id = `item-${field?.id ?? name}`;
    this.element.classList.toggle("item-unknown", !field);
    this.#history.element.hidden = !field;
    const edit = element("button", { type: "button", class: "icon-button", "aria-label": field ? `Edit ${label}` : `Add ${label}`, onclick: () => this.#edit() }, icon(field ? "edit" : "plus"));
    const bin = element("button", { type: "button", class: "icon-button", "aria-label": `Delete ${label}`, onclick: () => void this.#delete() }, icon("bin"));
    fill(
      this.#body,
      element("div", { class: "item-head" }, element("h3", {}, label), !field && element("span", { class: "hint" }, "Not known yet"), edit, field && bin),
      field && valueShown(field.value),
      field?.stale?.[0] && element("p", { class: "problem" }, `This no longer fits: ${field.stale[0].message}`),
      field?.context && !field.source.at(-1)?.quote && element("p", { class: "hint", dir: "auto" }, field.context),
      field && sources(field.source.slice(-1), this.#showSource),
    );
  }

  #edit(): void {
    const { name, field } = this.#shown;
    const label = FIELD_LABELS[name];
    this.#editing = true;
    const editor = valueEditor(
      { label, value: field?.value ?? (isList(name) ? [] : ""), choices: choices(name) },
      async (value: FieldValue) => this.#changes.done(`${label} ${field ? "changed" : "added"}.`, await this.#session.setField(name, value)),
      () => {
        this.#editing = false;
        this.#render();
        this.#body.querySelector("button")?.focus();
      },
    );
    fill(this.#body, element("div", { class: "item-head" }, element("h3", {}, label)), editor);
    editor.querySelector<HTMLElement>(".field")?.focus();
  }

  async #delete(): Promise<void> {
    const { name } = this.#shown;
    try {
      const [action] = await this.#session.deleteField(name);
      this.#changes.done(`${FIELD_LABELS[name]} deleted.`, action, this.element);
    } catch (error) {
      this.#changes.failed("Could not delete this.", error);
    }
  }

  async #restore(revision: number): Promise<void> {
    const { name } = this.#shown;
    try {
      this.#changes.done(`${FIELD_LABELS[name]} restored.`, await this.#session.restoreField(name, revision));
    } catch (error) {
      this.#changes.failed("Could not restore this.", error);
    }
  }
}

function valueShown(value: FieldValue): HTMLElement {
  if (typeof value === "string") return element("p", { class: "value", dir: "auto", "data-testid": "value" }, value);
  return element("ul", { class: "value value-list", "data-testid": "value" }, ...value.map((entry) => element("li", { dir: "auto" }, entry)));
}
