/** A score as a bar and a number, and the terms it is made of. */
import { element } from "../page/element";
import type { Recalled } from "../replies/reply";

const NUMBER = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 });

/** The bar is drawn against the best score of its list, the number is the score itself. */
export function scores({ score, terms }: Pick<Recalled, "score" | "terms">, best: number): HTMLElement {
  const bar = element("span", { class: "score-bar" });
  bar.style.setProperty("--share", String(best > 0 ? Math.max(0, Math.min(1, score / best)) : 0));
  const { words, meaning, ...others } = terms;
  const rest = Object.entries(others).filter((term): term is [string, number] => typeof term[1] === "number");
  return element(
    "div",
    { class: "scores", "data-testid": "scores" },
    element("div", { class: "score" }, bar, element("span", { class: "score-number" }, `Score ${NUMBER.format(score)}`)),
    element("dl", { class: "terms" }, ...term("words", words), ...term("meaning", meaning), ...rest.flatMap(([name, value]) => term(name, value))),
  );
}

function term(name: string, value: number | undefined): HTMLElement[] {
  return [element("div", {}, element("dt", {}, MEASURES[name] ?? name), element("dd", {}, value === undefined ? "none" : NUMBER.format(value)))];
}

/** The measures behind the two terms, by the names they are known by. */
const MEASURES: Record<string, string> = { wordsRaw: "BM25", meaningRaw: "cosine" };
