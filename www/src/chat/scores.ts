/** How surely something answers, as a bar and a number, with the score by which it was found and the terms of that. */
import { element } from "../page/shared";
import type { Recalled } from "../replies/reply";

const NUMBER = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 });

/** Scores compare within one search only; relevance compares facts and messages. Replies stored earlier were kept without it. */
export function scores({ relevance, score, terms }: Pick<Recalled, "relevance" | "score" | "terms">): HTMLElement {
  const bar = element("span", { class: "score-bar" });
  bar.style.setProperty("--share", String(Math.max(0, Math.min(1, relevance ?? score))));
  const { words, meaning, ...others } = terms;
  const rest = Object.entries(others).filter((term): term is [string, number] => typeof term[1] === "number");
  return element(
    "div",
    { class: "scores", "data-testid": "scores" },
    element("div", { class: "score" }, bar, element("span", { class: "score-number" }, relevance === undefined ? "" : `Relevance ${NUMBER.format(relevance)}`)),
    element("dl", { class: "terms" }, ...term("score", score), ...term("words", words), ...term("meaning", meaning), ...rest.flatMap(([name, value]) => term(name, value))),
  );
}

function term(name: string, value: number | undefined): HTMLElement[] {
  return [element("div", {}, element("dt", {}, MEASURES[name] ?? name), element("dd", {}, value === undefined ? "none" : NUMBER.format(value)))];
}

/** The measures behind the two terms, by the names they are known by. */
const MEASURES: Record<string, string> = { wordsRaw: "BM25", meaningRaw: "cosine" };
