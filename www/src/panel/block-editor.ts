/** Edits a block, and counts as one writes. */
import type { Block, NewBlock } from "mnemic";
import { element } from "../page/element";
import { fillInWords, lengthOf } from "./blocks";
import { editorForm } from "./editor-form";

const DEFAULT_LIMIT = 2000;
/** What a block may be called. */
const LABEL = /^[\w./-]{1,64}$/;

/** Without a block it makes one. `save` rejects with the reason when it cannot be kept. */
export function blockEditor(block: Block | undefined, save: (block: NewBlock) => Promise<void>, close: () => void): HTMLFormElement {
  const limit = block?.limit ?? DEFAULT_LIMIT;
  const label = element("input", { class: "field", type: "text", autocomplete: "off", spellcheck: "false", "data-testid": "block-name" });
  const count = element("p", { class: "hint", id: `block-count-${block?.label ?? ""}`, "data-testid": "block-count" });
  const value = element("textarea", {
    class: "field", rows: 4, dir: "auto", "aria-describedby": count.id, "data-testid": "block-value", oninput: () => show(),
    "aria-label": block ? block.label : undefined,
  });
  value.value = block?.value ?? "";
  const readOnly = element("input", { type: "checkbox", "data-testid": "block-read-only" });
  readOnly.checked = block?.readOnly ?? false;
  const show = (): void => {
    const length = lengthOf(value.value);
    count.textContent = fillInWords(length, limit);
    count.classList.toggle("problem", length > limit);
    value.setAttribute("aria-invalid", String(length > limit));
  };
  show();
  const content = block
    ? [value, count]
    : [element("label", { class: "part" }, "Name", label), element("label", { class: "part" }, "What the model should know", value), count];
  return editorForm([...content, element("label", { class: "check" }, readOnly, "The model can read it but not change it")], async () => {
    const name = block?.label ?? label.value.trim();
    if (!LABEL.test(name)) {
      label.focus();
      throw new Error("A name has 1 to 64 letters, digits and _ - . / without spaces.");
    }
    if (lengthOf(value.value) > limit) {
      value.focus();
      throw new Error(`This has ${fillInWords(lengthOf(value.value), limit)}. Shorten it.`);
    }
    await save({ label: name, value: value.value.trim(), readOnly: readOnly.checked });
  }, close);
}
