/** Edits several short texts that belong together. Escape gives up. */
import { element } from "../page/element";
import { editorForm } from "./value-editor";

export function partsEditor<Name extends string>(
  labels: Record<Name, string>,
  values: Record<Name, string>,
  save: (values: Record<Name, string>) => Promise<void>,
  close: () => void,
): HTMLFormElement {
  const names = Object.keys(labels) as Name[];
  const fields = names.map((name) => {
    const field = element("textarea", { class: "field", rows: 2, dir: "auto", maxlength: 4000, "aria-label": labels[name], placeholder: labels[name], "data-testid": `part-${name}` });
    field.value = values[name];
    return { name, field };
  });
  return editorForm(fields.map(({ field }) => field), async () => {
    const missing = fields.find(({ field }) => field.value.trim() === "");
    missing?.field.focus();
    if (missing) throw new Error(`${labels[missing.name]} Write something, or choose Cancel.`);
    await save(Object.fromEntries(fields.map(({ name, field }) => [name, field.value.trim()])) as Record<Name, string>);
  }, close);
}
