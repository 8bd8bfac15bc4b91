/** Edits several texts that belong together, each under its label. */
import { element } from "../page/element.js";
import type { Words } from "../texts/words.js";
import { editorForm } from "./editor-form.js";
import { type EditedValue, valueControl } from "./value-control.js";

/** `save` rejects with the reason when they cannot be kept; the reason is shown and nothing is lost. */
export function partsEditor<Name extends string>(
  words: Words,
  parts: Record<Name, EditedValue & { readonly value: string }>,
  save: (values: Record<Name, string>) => Promise<void>,
  close: () => void,
): HTMLFormElement {
  const fields = Object.entries<EditedValue>(parts).map(([name, part]) => ({ name, part, control: valueControl(part, `part-${name}`) }));
  const labelled = fields.map(({ part: { label }, control }) => element("label", { class: "labelled" }, label, control));
  return editorForm(words, labelled, async () => {
    const missing = fields.find(({ part, control }) => !part.mayBeEmpty && control.value.trim() === "");
    missing?.control.focus();
    if (missing) throw new Error(words.of("fillIn", { label: missing.part.label }));
    await save(Object.fromEntries(fields.map(({ name, control }) => [name, control.value.trim()])) as Record<Name, string>);
  }, close);
}
