/** Edits one value in place: a line, a long text, a choice, or a list with one entry per line. Escape gives up. */
import { element } from "../page/element";
import type { FieldValue } from "../types";

export interface EditedValue {
  readonly label: string;
  readonly value: FieldValue;
  readonly choices?: readonly string[] | undefined;
  /** Whether a text has several lines. */
  readonly isLong?: boolean;
  /** Whether a list may end up empty. */
  readonly mayBeEmpty?: boolean;
}

/** `save` rejects with the reason when the value cannot be kept; the reason is shown and nothing is lost. */
export function valueEditor(edited: EditedValue, save: (value: FieldValue) => Promise<void>, close: () => void): HTMLFormElement {
  const control = controlFor(edited);
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

/** A form with Save and Cancel; `save` rejects with the reason when it cannot be done. */
export function editorForm(content: readonly (HTMLElement | false)[], save: () => Promise<void>, close: () => void): HTMLFormElement {
  const problem = element("p", { class: "problem", role: "alert" });
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    try {
      await save();
      close();
    } catch (error) {
      problem.textContent = error instanceof Error ? error.message : String(error);
    }
  };
  return element(
    "form",
    {
      class: "value-editor", onsubmit: submit,
      onkeydown: (event: KeyboardEvent) => {
        if (event.key !== "Escape" || event.isComposing) return;
        event.preventDefault(); // an open sheet stays open
        event.stopPropagation();
        close();
      },
    },
    ...content,
    problem,
    element("div", { class: "buttons" },
      element("button", { type: "submit", class: "button button-main" }, "Save"),
      element("button", { type: "button", class: "button", onclick: close }, "Cancel")),
  );
}

function controlFor({ label, value, choices, isLong }: EditedValue): HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement {
  const attributes = { "aria-label": label, dir: "auto", class: "field", "data-testid": "value-control" };
  if (choices) {
    return element("select", attributes, ...choices.map((choice) => element("option", { selected: choice === value }, choice)));
  }
  if (Array.isArray(value) || isLong) {
    const area = element("textarea", { ...attributes, rows: Array.isArray(value) ? Math.max(2, value.length + 1) : 5 });
    area.value = [value].flat().join("\n");
    return area;
  }
  return element("input", { ...attributes, type: "text", autocomplete: "off", value });
}
