/** The last requests to models, with what they cost, and with prompts and replies where those are kept. */
import { element, fill } from "../../panel/page/element.js";
import { List, type Row } from "../../panel/page/list.js";
import type { Inspection, ModelRequest } from "../../types.js";
import { costOf, type Prices } from "../cost.js";
import { duration, money, moment, number } from "../numbers.js";
import { pairs } from "../table.js";
import type { Section } from "./section.js";

/** A request, and which of those of the same moment it is. */
interface Numbered {
  readonly key: string;
  readonly request: ModelRequest;
}

export class RequestsSection implements Section {
  readonly element = element("section", { tabindex: 0, "data-testid": "requests" });
  readonly #prices: () => Prices | undefined;
  readonly #sums = element("div", {});
  readonly #list = new List<Numbered>(element("ul", { class: "plain-list items", role: "list" }), ({ key }) => key, (request) => this.#row(request));

  constructor(prices: () => Prices | undefined) {
    this.#prices = prices;
    this.element.append(this.#sums, this.#list.element);
  }

  update({ requests }: Inspection): number {
    const prices = this.#prices();
    const sum = (read: (request: ModelRequest) => number): number => requests.reduce((all, request) => all + read(request), 0);
    const cost = prices && money(sum((request) => costOf(request, prices)), prices.currency);
    const failed = requests.filter(({ error }) => error !== undefined).length;
    fill(this.#sums,
      requests.length === 0
        ? element("p", { class: "hint" }, "Nothing was asked of a model since the memory was opened.")
        : pairs([
            ["Tokens sent", number(sum(({ inputTokens }) => inputTokens))],
            ["Tokens received", number(sum(({ outputTokens }) => outputTokens))],
            ["Failed", number(failed)],
            ...(cost === undefined ? [] : [["Cost", cost] as const]),
          ]),
      requests.length > 0 && requests.every(({ messages }) => messages === undefined) &&
        element("p", { class: "hint" }, "Prompts and replies are kept when the memory is opened with keepPrompts: true."));
    this.#list.show(numbered(requests).reverse());
    return requests.length;
  }

  #row(first: Numbered): Row<Numbered> {
    const [summary, inside] = [element("summary", {}), element("div", {})];
    let shown = "";
    const row: Row<Numbered> = {
      element: element("li", { class: "item", "data-testid": "request" }, element("details", {}, summary, inside)),
      update: ({ request }) => {
        const prices = this.#prices();
        const now = JSON.stringify([request, prices]);
        // What is open is read, perhaps: it is left as it is.
        if (now === shown) return;
        shown = now;
        fill(summary, ...headOf(request, prices));
        fill(inside, ...insideOf(request));
      },
    };
    row.update(first);
    return row;
  }
}

function numbered(requests: readonly ModelRequest[]): Numbered[] {
  const times = new Map<number, number>();
  return requests.map((request) => {
    const place = (times.get(request.startedAt) ?? 0) + 1;
    times.set(request.startedAt, place);
    return { key: `${request.startedAt}/${place}`, request };
  });
}

function headOf(request: ModelRequest, prices: Prices | undefined): HTMLElement[] {
  const { purpose, startedAt, durationMs, inputTokens, outputTokens, estimated, texts, error } = request;
  const told = [
    moment(startedAt), duration(durationMs),
    `${estimated ? "about " : ""}${number(inputTokens)} tokens${texts === undefined ? ` sent, ${number(outputTokens)} received` : ` of ${number(texts)} ${texts === 1 ? "text" : "texts"}`}`,
    ...(prices ? [money(costOf(request, prices), prices.currency)] : []),
  ];
  return [
    element("span", { class: "value" }, purpose),
    element("span", { class: "byline" }, ...told.map((text) => element("span", {}, text)), error && element("span", { class: "problem" }, error.code)),
  ];
}

function insideOf({ prompt, error, messages, reply }: ModelRequest): Array<HTMLElement | undefined> {
  const text = (name: string, content: string): HTMLElement =>
    element("div", {}, element("h3", {}, name), element("pre", { dir: "auto", tabindex: 0, role: "group", "aria-label": name }, content));
  return [
    prompt === undefined ? undefined : element("p", { class: "hint" }, `Prompt ${prompt}`),
    error && element("p", { class: "problem", dir: "auto" }, error.message),
    ...(messages ?? []).map(({ role, content }) => text(role, content)),
    reply === undefined ? undefined : text("Reply", reply),
  ];
}
