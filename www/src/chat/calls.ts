/** The calls a model made for a reply: one line that says what it did, and each call in full behind it. */
import { element, fill } from "../page/shared";
import { icon } from "../page/icon";
import type { MadeCall } from "../replies/tool-calls";
import { inDigits } from "../page/number";

/** What only looks, by its name. */
const LOOKS = /search|_get$|^read_|^open_/;

export class Calls {
  readonly element = element("details", { class: "calls", "data-testid": "calls" });
  readonly #summary = element("summary", {});
  readonly #list = element("ol", { class: "plain-list" });
  #shown = "";

  constructor() {
    this.element.append(this.#summary, this.#list);
  }

  show(calls: readonly MadeCall[]): void {
    const shown = JSON.stringify(calls);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const failed = calls.filter(({ ok }) => !ok).length;
    fill(this.#summary, icon("tool"),
      `${deed(calls)}: `, ...names(calls),
      failed > 0 && element("span", { class: "problem" }, failed === calls.length ? "failed" : `${failed} failed`));
    fill(this.#list, ...calls.map(shownCall));
  }
}

/** For those who hear it: the last of the calls. */
export function callInWords(calls: readonly MadeCall[]): string {
  const last = calls.slice(-1);
  return last.map(({ name, ok }) => `${deed(last)}: ${name}${ok ? "" : ", which failed"}.`).join("");
}

function deed(calls: readonly MadeCall[]): string {
  const done = calls.filter(({ ok }) => ok);
  const looked = done.some(({ name }) => LOOKS.test(name));
  const changed = done.some(({ name }) => !LOOKS.test(name));
  if (done.length === 0) return "Tried to use memory";
  if (looked && changed) return "Looked in memory and changed it";
  return looked ? "Looked in memory" : "Changed memory";
}

/** Each name once, with how often it was called. */
function names(calls: readonly MadeCall[]): (Node | string)[] {
  const counts = new Map<string, number>();
  for (const { name } of calls) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].flatMap(([name, count], index) => [
    ...(index > 0 ? [", "] : []), element("code", {}, name), ...(count > 1 ? [`\u00a0×${count}`] : []),
  ]);
}

function shownCall({ name, arguments: given, ok, result, tookMs }: MadeCall): HTMLElement {
  return element("li", { class: "call", "data-testid": "call" },
    element("p", { class: "call-head" }, element("code", {}, name), !ok && element("span", { class: "problem" }, "Failed"),
      element("span", { class: "hint" }, `${inDigits(tookMs)} ms`)),
    text("Asked", prettyJson(given)), text(ok ? "Answered" : "Error", prettyJson(result)));
}

function text(label: string, words: string): HTMLElement {
  return element("div", {}, element("p", { class: "hint" }, label),
    element("pre", { class: "json", tabindex: 0, dir: "auto", role: "group", "aria-label": label }, words));
}

/** JSON with a line for each part; anything else as it is. */
function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
