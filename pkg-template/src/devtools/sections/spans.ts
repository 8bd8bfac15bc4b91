/** How long everything takes: each call with the requests that it makes, as bars one below the other. */
import { element } from "../../panel/page/element.js";
import { List, type Row } from "../../panel/page/list.js";
import type { Span } from "../../spans.js";
import { duration, moment } from "../numbers.js";
import type { Section } from "./section.js";

/** So many of the last spans are shown. */
const MOST_SHOWN = 200;

/** A call with its requests. */
interface Trace {
  readonly id: string;
  readonly spans: readonly Span[];
}

const microseconds = (nanoseconds: string): number => Number(nanoseconds.slice(0, -3));
const startOf = ({ startTimeUnixNano }: Span): number => microseconds(startTimeUnixNano);
const endOf = ({ endTimeUnixNano }: Span): number => microseconds(endTimeUnixNano);

export class SpansSection implements Section {
  readonly element = element("section", { tabindex: 0, "data-testid": "spans" });
  readonly #none = element("p", { class: "hint" }, "Calls of the memory are shown from now on.");
  readonly #list = new List<Trace>(element("ul", { class: "plain-list items", role: "list" }), ({ id }) => id, traceRow);
  #spans: Span[] = [];

  constructor() {
    this.element.append(this.#none, this.#list.element);
  }

  heard(span: Span): void {
    this.#spans = [...this.#spans, span].slice(-MOST_SHOWN);
  }

  update(): number {
    const traces = new Map<string, Span[]>();
    for (const span of this.#spans) traces.set(span.traceId, [...(traces.get(span.traceId) ?? []), span]);
    const shown = [...traces].map(([id, spans]) => ({ id, spans: spans.sort((one, other) => startOf(one) - startOf(other) || one.kind - other.kind) }));
    this.#none.hidden = shown.length > 0;
    this.#list.show(shown.reverse());
    return this.#spans.length;
  }
}

/** A span, and where it stands in its trace: from when on, and how long the whole took, in microseconds. */
interface Placed {
  readonly span: Span;
  readonly start: number;
  readonly whole: number;
}

function traceRow(first: Trace): Row<Trace> {
  // A call's own span comes last: what was opened of its requests by then stays open.
  const list = new List<Placed>(element("ul", { class: "plain-list", role: "list" }), ({ span }) => span.spanId, spanRow);
  let shown = 0;
  const row: Row<Trace> = {
    element: element("li", { class: "item", "data-testid": "trace" }, list.element),
    update({ spans }) {
      // Spans are only added.
      if (spans.length === shown) return;
      shown = spans.length;
      const start = Math.min(...spans.map(startOf));
      const whole = Math.max(1, Math.max(...spans.map(endOf)) - start);
      list.show(spans.map((span) => ({ span, start, whole })));
    },
  };
  row.update(first);
  return row;
}

function spanRow(first: Placed): Row<Placed> {
  const { name, status, parentSpanId, attributes } = first.span;
  const line = element("span", { class: "line", "aria-hidden": "true" });
  const row: Row<Placed> = {
    element: element("li", { class: parentSpanId === undefined ? "span" : "span child", "data-testid": "span" },
      element("details", {},
        element("summary", {},
          element("span", { class: "byline" },
            element("bdi", { class: "value" }, name),
            element("span", {}, duration((endOf(first.span) - startOf(first.span)) / 1000)),
            status.code === 2 && element("span", { class: "problem" }, "failed")),
          line),
        element("p", { class: "hint" }, moment(startOf(first.span) / 1000)),
        element("dl", { class: "pairs" }, ...attributes.map(({ key, value }) =>
          element("div", {}, element("dt", {}, key), element("dd", {}, String(Object.values(value)[0]))))))),
    update({ span, start, whole }) {
      line.style.setProperty("--from", String((startOf(span) - start) / whole));
      line.style.setProperty("--share", String((endOf(span) - startOf(span)) / whole));
    },
  };
  row.update(first);
  return row;
}
