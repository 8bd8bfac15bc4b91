/** A topic: what it is about, how hot it is and why, and the exchanges in it. */
import type { Page, TierState } from "mnemic";
import { element, fill, type Row } from "../page/shared";
import { exchange } from "./exchange";
import { counted } from "./moves";
import type { Tools } from "./tools";

export type ShownSegment = TierState["segments"][number] & {
  /** The heat of the hottest. */
  readonly most: number;
};

/** From this heat on a topic is distilled; the default of the engine. */
const HOT = 5;
const KEYWORDS = 6;
const MOST_PAGES = 1000;
/** How many pages are drawn as marks. */
const MARKS = 24;
const NUMBER = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 });

export class SegmentRow implements Row<ShownSegment> {
  readonly element: HTMLElement;
  readonly #tools: Tools;
  readonly #visited: () => void;
  readonly #body = element("div", {});
  readonly #heat = element("div", { class: "scores", "data-testid": "heat-terms" });
  readonly #pages = element("ul", { class: "plain-list", "data-testid": "segment-pages" });
  readonly #note = element("p", { class: "hint" });
  readonly #details: HTMLDetailsElement;
  #segment: ShownSegment;
  #drawn = "";

  /** `visited` is called when it was looked into: nothing else tells. */
  constructor(segment: ShownSegment, tools: Tools, visited: () => void) {
    this.#tools = tools;
    this.#visited = visited;
    this.#segment = segment;
    this.#details = element("details", { "data-testid": "pages", ontoggle: () => void this.#load() }, element("summary", {}, "Exchanges"), this.#note, this.#pages);
    this.element = element("li", { class: "item segment", "data-testid": "segment", "data-segment": segment.id }, this.#body,
      element("div", { class: "item-more" }, element("details", {}, element("summary", {}, "Why this heat?"), this.#heat), this.#details));
    this.update(segment);
  }

  update(segment: ShownSegment): void {
    // The recency of the heat changes with every look at it.
    const drawn = JSON.stringify([segment.summary, segment.keywords, segment.pages, shown(segment.heat.value), shown(segment.most)]);
    const hasGrown = this.#drawn !== "" && segment.pages > this.#segment.pages;
    this.#segment = segment;
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const { summary, keywords, pages, heat, most } = segment;
    fill(this.#body,
      element("p", { class: "value segment-summary", dir: "auto", title: summary }, summary),
      element("ul", { class: "value-list segment-keywords", "aria-label": "Keywords" }, ...keywords.slice(0, KEYWORDS).map((word) => element("li", { dir: "auto" }, word))),
      element("div", { class: "segment-foot" },
        element("span", { class: `marks${hasGrown ? " marks-new" : ""}`, "aria-hidden": "true" }, ...Array.from({ length: Math.min(pages, MARKS) }, () => element("i"))),
        element("span", { class: "quiet" }, counted(pages, "exchange"))),
      heatBar(heat.value, most));
    const terms = { "times retrieved": heat.visits, "exchanges not read again yet": heat.pages, "recency, from 1 down": heat.recency };
    fill(this.#heat,
      element("dl", { class: "terms" }, ...Object.entries(terms).map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, shown(value))))),
      element("p", {}, `They add up to the heat, ${shown(heat.value)}. From ${HOT} on, a topic is read again for lasting facts.`));
  }

  /** The exchanges of a topic are told to who retrieves them, and that is a visit. */
  async #load(): Promise<void> {
    if (!this.#details.open) return;
    const { id, summary, pages: count } = this.#segment;
    const { memory, user } = this.#tools.session;
    const { pages } = await user.tiers.retrieve(summary.slice(0, 4000), { topSegments: 1, topPages: MOST_PAGES });
    const own = pages.filter((page: Page) => page.segmentId === id);
    const missing = own.length < count ? ` ${counted(count - own.length, "exchange")} could not be listed.` : "";
    this.#note.textContent = `Closest to the topic first. Opening a topic counts as a visit and makes it hotter.${missing}`;
    fill(this.#pages, ...own.map((page) => element("li", {}, exchange(page, this.#tools.showSource))));
    await memory.idle(); // the visit is written in the background
    this.#visited();
  }
}

function heatBar(heat: number, most: number): HTMLElement {
  const end = Math.max(most, HOT * 2);
  const meter = element("span", {
    class: "score-bar heat-bar", role: "meter", "aria-label": "Heat", "aria-valuemin": 0, "aria-valuemax": shown(end), "aria-valuenow": shown(heat),
  });
  meter.style.setProperty("--share", String(heat / end));
  meter.style.setProperty("--hot", String(HOT / end));
  return element("div", { class: "score", "data-testid": "heat" }, meter, element("span", { class: "score-number" }, `Heat ${shown(heat)}${heat >= HOT ? ", hot" : ""}`));
}

/** Rounded down: what is not quite enough must not look as if it were. */
function shown(value: number): string {
  return NUMBER.format(Math.floor(value * 100) / 100);
}
