/** Tables of numbers, which scroll by themselves where a screen is narrow. */
import { element, type Child } from "../panel/page/element.js";

/** A table; the first cell of each row names it. Cells of numbers stand at the end of their columns. */
export function table(caption: string, heads: readonly string[], rows: ReadonlyArray<readonly Child[]>): HTMLElement {
  const row = ([name, ...cells]: readonly Child[]): HTMLElement =>
    element("tr", {}, element("th", { scope: "row", dir: "auto" }, name), ...cells.map((cell) => element("td", { dir: "auto" }, cell)));
  return element("div", { class: "wide", role: "group", tabindex: 0, "aria-label": caption },
    element("table", {},
      element("caption", {}, caption),
      element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head)))),
      element("tbody", {}, ...rows.map(row))));
}

/** Names with their values. */
export function pairs(entries: ReadonlyArray<readonly [string, Child]>): HTMLElement {
  return element("dl", { class: "pairs" }, ...entries.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", { dir: "auto" }, value))));
}

/** A bar that shows a share; its number stands beside it. */
export function bar(share: number): HTMLElement {
  const made = element("span", { class: "bar", "aria-hidden": "true" });
  made.style.setProperty("--share", String(share));
  return made;
}
