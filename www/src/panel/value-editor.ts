/** Edits one value in place: a line, a choice, or a list with one entry per line. Escape gives up. */
import { element } from "../page/element";
import type { FieldValue } from "../types";

export interface EditedValue {
  readonly label: string;
  readonly value: FieldValue;
  readonly choices?: readonly string[] | undefined;
}

/** `save` rejects with the reason when the value cannot be kept; the reason is shown and nothing is lost. */
export function valueEditor(edited: EditedValue, save: (value: FieldValue) => Promise<void>, close: () => void): HTMLFormElement {
  const control = controlFor(edited);
  const problem = element("p", { class: "problem", role: "alert" });
  const isList = Array.isArray(edited.value);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const text = control.value.trim();
    const lines = text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
    if (lines.length === 0) return say("Write something, or choose Cancel.");
    try {
      await save(isList ? lines : text);
      close();
    } catch (error) {
      say(error instanceof Error ? error.message : String(error));
    }
  };
  const say = (text: string): void => {
    problem.textContent = text;
    control.focus();
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
    control,
    isList && element("p", { class: "hint" }, "One per line."),
    problem,
    element("div", { class: "buttons" },
      element("button", { type: "submit", class: "button button-main" }, "Save"),
      element("button", { type: "button", class: "button", onclick: close }, "Cancel")),
  );
}

function controlFor({ label, value, choices }: EditedValue): HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement {
  const attributes = { "aria-label": label, dir: "auto", class: "field", "data-testid": "value-control" };
  if (choices) {
    return element("select", attributes, ...choices.map((choice) => element("option", { selected: choice === value }, choice)));
  }
  if (Array.isArray(value)) {
    const area = element("textarea", { ...attributes, rows: Math.max(2, value.length + 1) });
    area.value = value.join("\n");
    return area;
  }
  return element("input", { ...attributes, type: "text", autocomplete: "off", value });
}
