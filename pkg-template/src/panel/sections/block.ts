/** One block of the working memory, and the form that counts as one writes. */
import type { Block, NewBlock } from "../../blocks.js";
import type { Revision } from "../../types.js";
import { editorForm } from "../entries/editor-form.js";
import type { EntryView } from "../entries/entry.js";
import { element } from "../page/element.js";
import type { Tools } from "../tools.js";

const DEFAULT_LIMIT = 2000;
/** What a block may be called. */
const LABEL = /^[\w./-]{1,64}$/;

/** Without a block it makes one. `save` rejects with the reason when it cannot be kept. */
export function blockEditor({ words }: Tools, block: Block | undefined, save: (block: NewBlock) => Promise<void>, close: () => void): HTMLFormElement {
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
  const filled = (): string => words.of("charactersOf", { n: limit, count: lengthOf(value.value) });
  const show = (): void => {
    const isOver = lengthOf(value.value) > limit;
    count.textContent = filled();
    count.classList.toggle("problem", isOver);
    value.setAttribute("aria-invalid", String(isOver));
  };
  show();
  const content = block
    ? [value, count]
    : [element("label", { class: "labelled" }, words.of("name"), label), element("label", { class: "labelled" }, words.of("blockValue"), value), count];
  return editorForm(words, [...content, element("label", { class: "check" }, readOnly, words.of("blockReadOnly"))], async () => {
    const name = block?.label ?? label.value.trim();
    if (!LABEL.test(name)) {
      label.focus();
      throw new Error(words.of("blockName"));
    }
    if (lengthOf(value.value) > limit) {
      value.focus();
      throw new Error(`${filled()}. ${words.of("shortenIt")}`);
    }
    await save({ label: name, value: value.value.trim(), readOnly: readOnly.checked });
  }, close);
}

export function blockView(tools: Tools): EntryView<Block> {
  const { changes, user, words } = tools;
  return {
    testId: () => "block",
    entry: ({ id, label }) => ({ id, kind: "block", name: label }),
    head: ({ label, readOnly }) => [element("h3", { class: "block-label", dir: "auto" }, label), readOnly && element("span", { class: "chip" }, words.of("readOnly"))],
    body: ({ value, description, limit }) => [
      description !== "" && element("p", { class: "hint", dir: "auto" }, description),
      value !== "" && element("p", { class: "value", dir: "auto", "data-testid": "value" }, value),
      element("p", { class: "byline", "data-testid": "block-length" }, words.of("charactersOf", { n: limit, count: lengthOf(value) })),
    ],
    editor: (block, close) => blockEditor(tools, block, async (changed) => changes.done("changed", await user.context.blocks.set(changed)), close),
    restore: async ({ id, label }, revision) => {
      await changes.make("restored", async () => {
        const former = id === undefined ? undefined : (await user.history(id)).find((one) => one.revision === revision);
        return user.context.blocks.set({ label, value: valueOf(former) ?? "" });
      });
    },
    words: valueOf,
  };
}

/** A block counts what a reader would call characters, not what a program does. */
function lengthOf(value: string): number {
  return [...value].length;
}

/** What a block said in a revision. */
function valueOf(revision: Revision | undefined): string | undefined {
  const value = (revision?.value as { value?: unknown } | undefined)?.value;
  return typeof value === "string" ? value : undefined;
}
