/** Working memory: named blocks that stand in every request. The user writes them, and so may the model. */
import type { Block, Revision } from "mnemic";
import { element } from "../page/element";
import { List } from "../page/list";
import { Adder } from "./adder";
import { blockEditor } from "./block-editor";
import { EntryRow, type EntryView } from "./entry";
import { counted } from "./moves";
import type { Tools } from "./tools";
import { inDigits } from "../page/number";

export class BlocksSection {
  readonly element: HTMLElement;
  readonly #list: List<Block>;
  readonly #count = element("span", { class: "quiet" });
  readonly #tools: Tools;

  constructor(tools: Tools) {
    this.#tools = tools;
    const { session, changes } = tools;
    const view = blockView(tools);
    this.#list = new List(element("ul", { class: "plain-list items" }), ({ label }) => label, (block) => new EntryRow(block, view, tools));
    const adder = new Adder("Add a block", (close) => blockEditor(undefined, async (block) => {
      const taken = await session.user.context.blocks.get(block.label);
      if (taken) throw new Error(`A block called ${block.label} already exists.`);
      changes.done("Block added.", await session.user.context.blocks.set(block));
    }, close));
    this.element = element("details", { class: "panel-part", "data-testid": "blocks" },
      element("summary", {}, element("h3", {}, "Working memory"), this.#count),
      element("p", { class: "hint" }, "Blocks are part of every request, word for word. You can write them, and so can the model."),
      this.#list.element, adder.element);
  }

  async update(): Promise<void> {
    const blocks = await this.#tools.session.user.context.blocks.list();
    this.#count.textContent = counted(blocks.length, "block");
    this.#list.show(blocks);
  }
}

/** A block counts what a reader would call characters, not what a program does. */
export function lengthOf(value: string): number {
  return [...value].length;
}

export function fillInWords(length: number, limit: number): string {
  return `${inDigits(length)} of ${inDigits(limit)} characters`;
}

function blockView({ session, changes }: Tools): EntryView<Block> {
  return {
    testId: () => "block",
    entry: ({ id, label }) => ({ id, noun: "Block", name: label }),
    head: ({ label, readOnly }) => [element("h3", { class: "block-label", dir: "auto" }, label), readOnly && element("span", { class: "chip" }, "Read only")],
    body: ({ value, description, limit }) => [
      description !== "" && element("p", { class: "hint", dir: "auto" }, description),
      value !== "" && element("p", { class: "value", dir: "auto", "data-testid": "value" }, value),
      element("p", { class: "byline", "data-testid": "block-length" }, value === "" ? `Empty, ${fillInWords(0, limit)}` : fillInWords(lengthOf(value), limit)),
    ],
    editor: (block, close) => blockEditor(block, async (changed) => {
      changes.done("Block changed.", await session.user.context.blocks.set(changed));
    }, close),
    restore: async ({ id, label }, revision) => {
      await changes.make("Block restored.", "Could not restore this.", async () => {
        const former = id === undefined ? undefined : (await session.user.history(id)).find((one) => one.revision === revision);
        return session.user.context.blocks.set({ label, value: valueOf(former) ?? "" });
      });
    },
    words: valueOf,
  };
}

/** What a block said in a revision. */
function valueOf(revision: Revision | undefined): string | undefined {
  const value = (revision?.value as { value?: unknown } | undefined)?.value;
  return typeof value === "string" ? value : undefined;
}
