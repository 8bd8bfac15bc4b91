/** Work in the background: what waits, runs and failed. */
import { element, fill } from "../../panel/page/element.js";
import type { BackgroundJob, Inspection } from "../../types.js";
import { moment, number } from "../numbers.js";
import type { Section } from "./section.js";

export class QueueSection implements Section {
  readonly element = element("section", { tabindex: 0, "data-testid": "queue" });

  update({ queue }: Inspection): number {
    const jobs = element("ul", { class: "plain-list items", role: "list" }, ...queue.map(job));
    fill(this.element, queue.length > 0 ? jobs : element("p", { class: "hint" }, "Nothing waits."));
    return queue.length;
  }
}

function job({ kind, scope, waiting, running, due, nextAt, failures, error }: BackgroundJob): HTMLElement {
  const state = running ? "running" : due ? "due" : nextAt === undefined ? "waits for more" : `due ${moment(nextAt)}`;
  return element("li", { class: "item", "data-testid": "job" },
    element("p", { class: "value" }, kind),
    element("p", { class: "byline" },
      element("span", {}, state),
      element("span", {}, `${number(waiting)} waiting`),
      scope && element("bdi", {}, Object.entries(scope).map(([name, value]) => `${name}: ${value}`).join(", "))),
    failures > 0 && element("p", { class: "problem", dir: "auto" }, `Failed${failures > 1 ? ` ${number(failures)} times in a row` : ""}: ${error?.message ?? ""}`));
}
