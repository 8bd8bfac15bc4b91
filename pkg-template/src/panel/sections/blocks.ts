/** Working memory: named blocks that stand in every request. The user writes them, and so may the model. */
import type { Block } from "../../blocks.js";
import { Adder } from "../entries/adder.js";
import { EntryRow } from "../entries/entry.js";
import { element } from "../page/element.js";
import { List } from "../page/list.js";
import type { Tools } from "../tools.js";
import { blockEditor, blockView } from "./block.js";
import type { Section, Standing } from "./section.js";

export class BlocksSection implements Section {
  readonly element: HTMLElement;
  readonly #list: List<Block>;
  readonly #tools: Tools;

  constructor(tools: Tools) {
    this.#tools = tools;
    const { changes, user, words } = tools;
    const view = blockView(tools);
    this.#list = new List(element("ul", { class: "plain-list items" }), ({ label }) => label, (block) => new EntryRow(block, view, tools));
    const adder = new Adder(words.of("addBlock"), (close) => blockEditor(tools, undefined, async (block) => {
      if (await user.context.blocks.get(block.label)) throw new Error(words.of("alreadyThere", { name: block.label }));
      changes.done("added", await user.context.blocks.set(block));
    }, close));
    this.element = element("section", { "data-testid": "blocks" },
      element("p", { class: "hint" }, words.of("blocksHint")), this.#list.element, adder.element);
  }

  async update(): Promise<Standing> {
    const blocks = await this.#tools.user.context.blocks.list();
    this.#list.show(blocks);
    return { count: blocks.length };
  }
}
