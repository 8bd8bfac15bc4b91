/** Edits one value in place. */
import { element } from "../page/element";
import type { FieldValue } from "../types";
import { editorForm } from "./editor-form";
import { type EditedValue, valueControl } from "./value-control";

/** `save` rejects with the reason when the value cannot be kept; the reason is shown and nothing is lost. */
export function valueEditor(edited: EditedValue, save: (value: FieldValue) => Promise<void>, close: () => void): HTMLFormElement {
  const control = valueControl(edited, "value-control");
  const isList = Array.isArray(edited.value);
  return editorForm([control, isList && element("p", { class: "hint" }, "One per line.")], async () => {
    const text = control.value.trim();
    const lines = text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
    try {
      if (lines.length === 0 && !edited.mayBeEmpty) throw new Error("Write something, or choose Cancel.");
      await save(isList ? lines : text);
    } catch (error) {
      control.focus();
      throw error;
    }
  }, close);
}
