/** All facts, newest first. */
import type { Fact } from "../../types.js";
import { Adder } from "../entries/adder.js";
import { EntryRow } from "../entries/entry.js";
import { valueEditor } from "../entries/value-editor.js";
import { element } from "../page/element.js";
import { LongList } from "../page/long-list.js";
import type { Tools } from "../tools.js";
import { factView } from "./fact.js";
import type { Section, Standing } from "./section.js";

/** So many facts are read as one scrolls on. */
const PAGE = 250;
/** The most that one call answers. */
const MOST_AT_ONCE = 1000;

export class FactsSection implements Section {
  readonly element: HTMLElement;
  readonly #tools: Tools;
  readonly #list: LongList<Fact>;
  readonly #hint: HTMLElement;
  readonly #past = element("input", { type: "checkbox", "data-testid": "include-past" });
  #facts: readonly Fact[] = [];
  #hasMore = false;
  /** Counts the readings, of which only the last is shown. */
  #readings = 0;
  #isReadingMore = false;

  constructor(tools: Tools) {
    this.#tools = tools;
    const { changes, user, words } = tools;
    const view = factView(tools);
    this.#list = new LongList(({ id }) => id, (fact) => new EntryRow(fact, view, tools), () => tools.reading(this.#readMore()));
    this.#past.addEventListener("change", () => tools.update());
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

  /** Reads again what is known, and no less than a page. */
  async update(): Promise<Standing> {
    const reading = (this.#readings += 1);
    const facts: Fact[] = [];
    const wanted = Math.max(PAGE, this.#facts.length);
    let hasMore = true;
    while (hasMore && facts.length < wanted) {
      const limit = Math.min(MOST_AT_ONCE, wanted - facts.length);
      const page = await this.#page(facts.length, limit);
      facts.push(...page);
      hasMore = page.length === limit;
    }
    if (reading === this.#readings) this.#show(facts, hasMore);
    return this.#standing;
  }

  async reveal(id: string): Promise<HTMLElement | undefined> {
    for (;;) {
      if (this.#facts.some((fact) => fact.id === id)) return this.#list.reach(id);
      if (!this.#hasMore) return undefined;
      await this.#readOn();
    }
  }

  get #standing(): Standing {
    return { count: this.#facts.length, hasMore: this.#hasMore };
  }

  #show(facts: readonly Fact[], hasMore: boolean): void {
    this.#facts = facts;
    this.#hasMore = hasMore;
    this.#hint.hidden = facts.length > 0;
    this.#list.show(facts, hasMore);
  }

  async #readMore(): Promise<void> {
    if (this.#isReadingMore) return;
    this.#isReadingMore = true;
    try {
      await this.#readOn();
      this.#tools.tell("facts", this.#standing);
    } finally {
      this.#isReadingMore = false;
    }
  }

  /** Reads the page after what is known. What came meanwhile moved the others on: those are known by their ids. */
  async #readOn(): Promise<void> {
    const reading = this.#readings;
    const page = await this.#page(this.#facts.length, PAGE);
    if (reading !== this.#readings) return; // all is being read again
    const known = new Set(this.#facts.map(({ id }) => id));
    this.#show([...this.#facts, ...page.filter(({ id }) => !known.has(id))], page.length === PAGE);
  }

  #page(offset: number, limit: number): Promise<Fact[]> {
    return this.#tools.user.facts.list({ limit, offset, includeEnded: this.#past.checked });
  }
}
