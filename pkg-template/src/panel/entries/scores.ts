/** How surely something answers, as a bar and a number, with the score by which it was found and the terms of that. */
import type { Scored } from "../../types.js";
import { element } from "../page/element.js";
import type { Words } from "../texts/words.js";

/** Scores compare within one search only; relevance compares facts and messages. */
export function scores({ relevance, score, terms }: Scored, words: Words): HTMLElement {
  const bar = element("span", { class: "score-bar" });
  bar.style.setProperty("--share", String(Math.max(0, Math.min(1, relevance))));
  const { words: shared, meaning, ...others } = terms;
  const rest = Object.entries(others).filter((term): term is [string, number] => typeof term[1] === "number");
  return element(
    "div",
    { class: "scores", "data-testid": "scores" },
    element("div", { class: "score" }, bar, element("span", { class: "score-number" }, words.of("relevance", { score: words.score(relevance) }))),
    // The terms are called as everywhere in the reference.
    element("dl", { class: "terms", lang: "en", dir: "ltr" }, ...Object.entries<number>({ score, words: shared, meaning, ...Object.fromEntries(rest) }).map(([name, value]) =>
      element("div", {}, element("dt", {}, MEASURES[name] ?? name), element("dd", {}, words.score(value))))),
  );
}

/** The measures behind the two terms, by the names they are known by. */
const MEASURES: Record<string, string> = { wordsRaw: "BM25", meaningRaw: "cosine" };
