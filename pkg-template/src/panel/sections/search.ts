/** Searches facts and messages, and shows how each hit scored. */
import type { Kind, Scored, Source } from "../../types.js";
import { kindChip } from "../entries/kind.js";
import { scores } from "../entries/scores.js";
import { SearchBox } from "../entries/search-box.js";
import { sources } from "../entries/sources.js";
import { messageText } from "../forgetting/traces.js";
import { clipped, element, fill } from "../page/element.js";
import type { Tools } from "../tools.js";
import type { Section, Standing } from "./section.js";

const LIMIT = 20;
/** As much of a message as tells it from others; whoever wants the rest goes to it. */
const MOST_CHARACTERS = 600;

interface Finding extends Scored {
  readonly kind: Kind;
  readonly id: string;
  readonly text: string;
  readonly createdAt: number;
  readonly source: readonly Source[];
}

export class SearchSection implements Section {
  readonly element: HTMLElement;
  readonly #tools: Tools;
  readonly #box: SearchBox;
  readonly #results = element("ol", { class: "plain-list items", "data-testid": "results" });
  readonly #forget: HTMLButtonElement;
  #shown = "";

  constructor(tools: Tools) {
    this.#tools = tools;
    const { words } = tools;
    this.#forget = element("button", {
      type: "button", class: "link-button", hidden: true, "data-testid": "forget-found", onclick: () => tools.forget({ words: this.#box.text }),
    }, words.of("forgetAllAboutThis"));
    this.#box = new SearchBox(tools, words.of("searchLabel"), "search", () => this.update(), words.of("searchPlaceholder"));
    this.element = element("section", { "data-testid": "search-panel" }, this.#box.element, this.#box.status, this.#forget, this.#results);
  }

  /** Searches again for what stands in the box. */
  async update(): Promise<Standing> {
    const found = await this.#box.find((query, signal) => this.#find(query, signal), [], this.#tools.words.of("searchHint"));
    if (found) this.#show(found);
    return {};
  }

  /** Facts and messages in one list, best first. */
  async #find(query: string, signal: AbortSignal): Promise<Finding[]> {
    const { user, settings: { messageFilter: filter } } = this.#tools;
    const [facts, messages] = await Promise.all([
      user.facts.search(query, { limit: LIMIT, signal }),
      user.threads.search(query, { limit: LIMIT, signal, ...(filter && { filter }) }),
    ]);
    const found: Finding[] = [
      ...facts.map(({ id, text, score, relevance, known, terms, createdAt, source }) => ({ kind: "fact" as const, id, text, score, relevance, known, terms, createdAt, source })),
      ...messages.map((message) => {
        const { id, threadId, score, relevance, known, terms, createdAt } = message;
        return { kind: "message" as const, id, text: clipped(messageText(message), MOST_CHARACTERS), score, relevance, known, terms, createdAt, source: [{ messageId: id, threadId, quote: "" }] };
      }),
    ];
    // Scores compare within one search, relevance compares both. A fact is a message boiled down: of equals it comes first, as it does here.
    return found.sort((one, other) => other.relevance - one.relevance).slice(0, LIMIT);
  }

  #show(items: readonly Finding[]): void {
    const shown = JSON.stringify(items);
    if (shown === this.#shown) return; // the focus stays where it is
    this.#shown = shown;
    const { words } = this.#tools;
    this.#forget.hidden = items.length === 0;
    fill(this.#results, ...items.map((item) =>
      element("li", { class: "item", "data-testid": "result" },
        element("div", { class: "item-head" }, kindChip(item.kind, words), words.moment(item.createdAt)),
        element("p", { class: "value", dir: "auto" }, item.text),
        scores(item, words),
        sources(item.source.slice(-1), this.#tools))));
  }
}
