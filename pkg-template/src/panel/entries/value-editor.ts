/** Edits one value in place. */
import { element } from "../page/element.js";
import type { Words } from "../texts/words.js";
import { editorForm } from "./editor-form.js";
import { type EditedValue, valueControl } from "./value-control.js";

/** `save` is given what was written, of a list its lines, and rejects with the reason when that cannot be kept; nothing is lost. */
export function valueEditor(words: Words, edited: EditedValue, save: (value: string, lines: string[]) => Promise<void>, close: () => void): HTMLFormElement {
  const control = valueControl(edited, "value-control");
  const isList = typeof edited.value !== "string";
  return editorForm(words, [control, isList && element("p", { class: "hint" }, words.of("onePerLine"))], async () => {
    const text = control.value.trim();
    const lines = text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
    try {
      if (lines.length === 0 && !edited.mayBeEmpty) throw new Error(words.of("writeSomething"));
      await save(text, lines);
    } catch (error) {
      control.focus();
      throw error;
    }
  }, close);
}
