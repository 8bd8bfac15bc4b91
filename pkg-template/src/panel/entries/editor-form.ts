/** A form with Save and Cancel in place of what it edits. Escape gives up. */
import { type Child, element, reason } from "../page/element.js";
import type { Words } from "../texts/words.js";

/** `save` rejects with the reason when it cannot be done; the reason is shown and nothing is lost. */
export function editorForm(words: Words, content: readonly Child[], save: () => Promise<void>, close: () => void): HTMLFormElement {
  const problem = element("p", { class: "problem", role: "alert" });
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    try {
      await save();
      close();
    } catch (error) {
      problem.textContent = reason(error);
    }
  };
  return element(
    "form",
    {
      class: "value-editor", onsubmit: submit,
      onkeydown: (event: KeyboardEvent) => {
        if (event.key !== "Escape" || event.isComposing) return;
        event.preventDefault(); // a dialog around it stays open
        event.stopPropagation();
        close();
      },
    },
    ...content,
    problem,
    element("div", { class: "buttons" },
      element("button", { type: "submit", class: "button button-main" }, words.of("save")),
      element("button", { type: "button", class: "button", onclick: close }, words.of("cancel"))),
  );
}
