/** How the conversation is sorted: the latest exchanges in a queue, older ones by topic, and what hot topics taught for good. */
import type { TierState, Trait } from "mnemic";
import { type Announcer, element, fill, List } from "../page/shared";
import { moment } from "../page/moment";
import { fly, placesOf } from "./flight";
import { counted, movesBetween, movesInWords } from "./moves";
import { Queue } from "./queue";
import { SegmentRow, type ShownSegment } from "./segment";
import type { Tools } from "./tools";
import { TraitRow } from "./trait";

/** How many topics are shown at once, the hottest. */
const PAGE = 12;
const MOST_FACTS = 1000;

export class TiersSection {
  readonly element: HTMLElement;
  readonly #tools: Tools;
  readonly #announcer: Announcer;
  readonly #queue: Queue;
  readonly #segments: List<ShownSegment>;
  readonly #traits: List<Trait>;
  readonly #topics = element("h3", {});
  readonly #noTopics = element("p", { class: "hint" }, "No topics yet. When the queue above is full, the oldest exchanges move here, sorted by what they are about.");
  readonly #more = element("button", { type: "button", class: "button", hidden: true, onclick: () => this.#showMore() }, "Show more topics");
  readonly #moved = element("p", { class: "hint", hidden: true, "data-testid": "moved" });
  readonly #learned = element("p", { class: "hint", "data-testid": "learned" });
  readonly #links: HTMLElement;
  #state: TierState | undefined;
  /** The topics in the order in which they are shown. */
  #order: readonly string[] = [];
  #limit = PAGE;

  constructor(tools: Tools, announcer: Announcer, { choose }: { choose(tab: "profile" | "facts"): void }) {
    this.#tools = tools;
    this.#announcer = announcer;
    this.#queue = new Queue(tools);
    this.#segments = new List(element("ul", { class: "plain-list items", "data-testid": "segments" }), ({ id }) => id, (segment) => new SegmentRow(segment, tools, () => void this.update()));
    this.#traits = new List(element("ul", { class: "plain-list items", "data-testid": "traits" }), ({ id }) => id, (trait) => new TraitRow(trait));
    const link = (tab: "profile" | "facts", label: string): HTMLElement =>
      element("button", { type: "button", class: "link-button", "data-testid": `to-${tab}`, onclick: () => choose(tab) }, label);
    this.#links = element("p", { class: "links" }, link("facts", "All facts"), link("profile", "Profile"));
    this.element = element("div", { "data-testid": "tiers" },
      this.#queue.element,
      element("section", { class: "panel-part" }, this.#topics, this.#moved, this.#noTopics, this.#segments.element, this.#more),
      element("section", { class: "panel-part" }, element("h3", {}, "Learned from topics"), this.#learned, this.#links, this.#traits.element));
  }

  /** Puts the hottest topics first again. In between they stay where they are: to look into one makes it hotter. */
  rank(): void {
    this.#order = [];
    if (this.#state) this.#show(this.#state);
  }

  async update(): Promise<void> {
    const { user } = this.#tools.session;
    const [state, traits, facts] = await Promise.all([
      user.tiers.state(), user.tiers.traits(),
      user.items.list({ kinds: ["fact"], filter: { "metadata.tier": "knowledge" }, limit: MOST_FACTS }),
    ]);
    const before = this.#state;
    this.#state = state;
    const moves = before && movesBetween(before, state);
    const from = moves ? placesOf(this.#queue.slotsOf(moves.pages)) : [];
    this.#show(state);
    this.#traits.show(traits);
    this.#learned.textContent = learnedInWords(state, facts.length);
    if (moves) this.#tell(movesInWords(moves));
    if (moves && from.length > 0) fly(from, this.#targetOf(moves.segments), this.element);
  }

  #show(state: TierState): void {
    const byHeat = [...state.segments].sort((one, other) => other.heat.value - one.heat.value);
    const most = byHeat[0]?.heat.value ?? 0;
    const known = new Map(byHeat.map((segment) => [segment.id, segment]));
    const order = new Set(this.#order);
    const shown = [...byHeat.filter(({ id }) => !order.has(id)), ...this.#order.flatMap((id) => known.get(id) ?? [])];
    this.#order = shown.map(({ id }) => id);
    this.#queue.show(state.recent);
    this.#topics.textContent = shown.length === 0 ? "Topics" : `Topics (${shown.length})`;
    this.#noTopics.hidden = shown.length > 0;
    this.#segments.show(shown.slice(0, this.#limit).map((segment) => ({ ...segment, most })));
    this.#more.hidden = shown.length <= this.#limit;
  }

  #showMore(): void {
    this.#limit += PAGE;
    if (this.#state) this.#show(this.#state);
  }

  /** The one topic that grew, or where all of them stand: which of several a page went to is not known. */
  #targetOf(segments: readonly string[]): Element {
    const only = segments.length === 1 ? this.#segments.element.querySelector(`[data-segment="${segments[0]}"]`) : null;
    return only ?? this.#topics;
  }

  #tell(words: string): void {
    if (words === "") return;
    this.#moved.hidden = false;
    fill(this.#moved, words, " ", moment(Date.now()));
    if (this.element.checkVisibility()) this.#announcer.say(words);
  }
}

function learnedInWords({ counts: { traits, agentTraits }, segments }: TierState, facts: number): string {
  const parts = [facts > 0 && counted(facts, "fact"), traits > 0 && counted(traits, "trait"), agentTraits > 0 && `${counted(agentTraits, "thing")} about the assistant`];
  const learned = parts.filter((part) => part !== false).join(", ");
  if (learned !== "") return `Learned from hot topics: ${learned}.`;
  return segments.some(({ heat, pages }) => heat.pages < pages)
    ? "Hot topics were read again, but held nothing new."
    : "Nothing yet. A topic that comes up often is read again, for facts and traits.";
}
