/** The window of the model as a bar, and what each part of it takes. */
import { element, fill } from "../page/shared";
import { free, PART_NAMES, type PartName, PARTS, taken, tokensInWords, windowInWords, type WindowReport } from "./parts";

/** Only the bar; what it shows is said elsewhere. */
export class WindowBar {
  readonly element = element("div", { class: "window-bar", "aria-hidden": "true" });
  readonly #parts = new Map<PartName | "free", HTMLElement>();

  constructor() {
    for (const name of [...PART_NAMES, "free"] as const) {
      const part = element("span", { class: `part-${name}` });
      this.#parts.set(name, part);
      this.element.append(part);
    }
  }

  show(report: WindowReport): void {
    for (const [name, part] of this.#parts) {
      const tokens = name === "free" ? free(report) : report.parts[name];
      part.style.flexGrow = String(tokens);
      part.hidden = tokens === 0;
    }
  }
}

/** The bar with its legend. */
export class WindowChart {
  readonly element: HTMLElement;
  readonly #bar = new WindowBar();
  readonly #image: HTMLElement;
  readonly #legend = element("dl", { class: "window-legend" });
  #shown = "";

  constructor() {
    this.#image = element("div", { role: "img", "aria-label": "Window", "data-testid": "window-bar" }, this.#bar.element);
    this.element = element("div", { class: "window-chart" }, this.#image, this.#legend);
  }

  show(report: WindowReport): void {
    const shown = JSON.stringify(report);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#bar.show(report);
    this.#image.setAttribute("aria-label", windowInWords(report));
    const rows = [...PART_NAMES.map((name) => [name, PARTS[name], report.parts[name]] as const), ["free", "Free", free(report)] as const];
    fill(this.#legend, ...rows.map(([name, label, tokens]) =>
      element("div", { class: tokens === 0 ? "part-none" : undefined, "data-testid": `part-${name}` },
        element("dt", {}, element("i", { class: `swatch part-${name}` }), label), element("dd", {}, tokensInWords(tokens)))));
  }
}

/** What the model was sent for a reply, folded away. */
export function sentDetails(report: WindowReport): HTMLElement {
  const chart = new WindowChart();
  chart.show(report);
  return element("details", { class: "sent", "data-testid": "sent" },
    element("summary", {}, `Sent (${tokensInWords(taken(report) - report.parts.reserve)} tokens)`), chart.element);
}
