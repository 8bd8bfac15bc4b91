/** One field of the profile: its value and where it came from. */
import { element } from "../page/element";
import { choices, FIELD_LABELS, type FieldName, isList, PROFILE_ID } from "../profile-schema";
import type { Field, FieldValue } from "../types";
import type { EntryView } from "./entry";
import { sources, told } from "./sources";
import type { Tools } from "./tools";
import { valueEditor } from "./value-editor";

/** A field by name; without `field` it is not known yet. */
export interface ShownField {
  readonly name: FieldName;
  readonly field: Field | undefined;
}

export function fieldView({ session, changes, showSource }: Tools): EntryView<ShownField> {
  return {
    testId: ({ name }) => `field-${name}`,
    entry: ({ name, field }) => ({ id: field?.id, noun: FIELD_LABELS[name], name: FIELD_LABELS[name], pinned: field?.pinned }),
    head: ({ name, field }) => [element("h3", {}, FIELD_LABELS[name]), !field && element("span", { class: "hint" }, "Not known yet")],
    body: ({ field }) => (field ? [
      valueShown(field.value),
      field.stale?.[0] && element("p", { class: "problem" }, `This no longer fits: ${field.stale[0].message}`),
      field.context && !field.source.at(-1)?.quote && element("p", { class: "hint", dir: "auto" }, field.context),
      sources(told(field.source).slice(-1), showSource),
    ] : []),
    editor: ({ name, field }, close) => valueEditor(
      { label: FIELD_LABELS[name], value: field?.value ?? (isList(name) ? [] : ""), choices: choices(name) },
      async (value) => changes.done(`${FIELD_LABELS[name]} ${field ? "changed" : "added"}.`, await session.setField(name, value)),
      close,
    ),
    restore: async ({ name }, revision) => {
      await changes.make(`${FIELD_LABELS[name]} restored.`, "Could not restore this.", () => session.restoreField(name, revision));
    },
    compare: ({ name }, from, to) => session.user.profiles.diff(PROFILE_ID, name, from, to),
  };
}

function valueShown(value: FieldValue): HTMLElement {
  if (typeof value === "string") return element("p", { class: "value", dir: "auto", "data-testid": "value" }, value);
  return element("ul", { class: "value value-list", "data-testid": "value" }, ...value.map((entry) => element("li", { dir: "auto" }, entry)));
}
