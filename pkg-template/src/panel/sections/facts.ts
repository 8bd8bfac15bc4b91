/** All facts, newest first. */
import type { Fact } from "../../types.js";
import { Adder } from "../entries/adder.js";
import { EntryRow } from "../entries/entry.js";
import { valueEditor } from "../entries/value-editor.js";
import { element } from "../page/element.js";
import { GrowingList } from "../page/growing.js";
import type { Tools } from "../tools.js";
import { factView } from "./fact.js";
import type { Section, Standing } from "./section.js";

/** So many facts are read at once. */
const PAGE = 250;

export class FactsSection implements Section {
  readonly element: HTMLElement;
  readonly #tools: Tools;
  readonly #list: GrowingList<Fact>;
  readonly #hint: HTMLElement;
  readonly #past = element("input", { type: "checkbox", "data-testid": "include-past" });
  #facts: readonly Fact[] = [];
  #limit = PAGE;
  #isReading = false;

  constructor(tools: Tools) {
    this.#tools = tools;
    const { changes, user, words } = tools;
    const view = factView(tools);
    this.#list = new GrowingList(({ id }) => id, (fact) => new EntryRow(fact, view, tools), words.of("showMore"), () => void this.#readMore());
    this.#past.addEventListener("change", () => void this.update());
    this.#hint = element("p", { class: "hint", hidden: true }, words.of("noFacts"));
    const adder = new Adder(words.of("addFact"), (close) => valueEditor(
      words,
      { label: words.of("newFact"), value: "", placeholder: words.of("somethingToRemember") },
      async (value) => changes.done("added", await user.facts.add(value)),
      close,
    ));
    this.element = element("section", { "data-testid": "facts" },
      element("div", { class: "panel-tools" }, adder.element, element("label", { class: "check" }, this.#past, words.of("includePast"))),
      this.#hint, this.#list.element);
  }

  async update(): Promise<Standing> {
    const facts = await this.#read(this.#limit);
    const hasMore = facts.length >= this.#limit;
    this.#facts = [...facts].sort((one, other) => other.createdAt - one.createdAt);
    this.#hint.hidden = facts.length > 0;
    this.#list.show(this.#facts, hasMore);
    return { count: facts.length, hasMore };
  }

  async reveal(id: string): Promise<HTMLElement | undefined> {
    for (;;) {
      const index = this.#facts.findIndex((fact) => fact.id === id);
      if (index >= 0) {
        this.#list.reach(index);
        return this.#list.list.children[index] as HTMLElement | undefined;
      }
      if (this.#facts.length < this.#limit) return undefined;
      this.#limit += PAGE;
      await this.update();
    }
  }

  async #readMore(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      this.#limit += PAGE;
      await this.update();
    } finally {
      this.#isReading = false;
    }
  }

  /** The newest facts, read in pages. */
  async #read(count: number): Promise<Fact[]> {
    const facts: Fact[] = [];
    while (facts.length < count) {
      const limit = Math.min(PAGE, count - facts.length);
      const page = await this.#tools.user.facts.list({ limit, offset: facts.length, includeEnded: this.#past.checked });
      facts.push(...page);
      if (page.length < limit) break;
    }
    return facts;
  }
}
