/** How the memory works here and now: who reads, where it is kept, what it has cost, and whether it is whole. */
import { element, fill } from "../page/element";
import { describeMoment } from "../page/moment";
import type { Session } from "../session";

const STORAGE: Record<string, string> = {
  indexeddb: "IndexedDB, in this browser",
  localstorage: "localStorage, in this browser (small: about 5 MB)",
  object: "This tab only: it is gone after a reload",
};
const NUMBER = new Intl.NumberFormat();

export class StatusPanel {
  readonly element: HTMLElement;
  readonly #facts = element("dl", { class: "status", "data-testid": "status" });
  readonly #failure = element("p", { class: "problem", hidden: true, "data-testid": "reading-failure" });
  readonly #verdict = element("div", { class: "verdict", role: "status", "data-testid": "verdict" });
  readonly #session: Session;

  constructor(session: Session, openSettings: () => void) {
    this.#session = session;
    const verify = element("button", { type: "button", class: "button", "data-testid": "verify", onclick: () => void this.#verify() }, "Verify");
    this.element = element("section", { "data-testid": "status-panel" },
      this.#failure, this.#facts,
      element("div", { class: "buttons" }, verify, element("button", { type: "button", class: "button", onclick: openSettings }, "Settings")),
      this.#verdict);
  }

  async update(): Promise<void> {
    const { memory, model, readingFailure } = this.#session;
    const usage = await memory.usage();
    const rows: [string, string][] = [
      ["Replies", model?.label ?? "No model connected: the memory answers by itself"],
      ["Reading messages", model?.label ?? "Built-in rules, no model"],
      ["Search by meaning", "Built-in embedder, nothing downloaded"],
      ["Kept in", STORAGE[memory.storage.kind] ?? memory.storage.kind],
      ["Background work waiting", NUMBER.format(usage.pending)],
      ["Model calls", `${NUMBER.format(usage.calls)} (${NUMBER.format(usage.failures)} failed)`],
      ["Tokens", `${NUMBER.format(usage.inputTokens)} in, ${NUMBER.format(usage.outputTokens)} out`],
      ["Records", NUMBER.format(usage.records)],
      ["Commits", NUMBER.format(usage.commits)],
    ];
    fill(this.#facts, ...rows.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", { dir: "auto" }, value))));
    this.#failure.hidden = !readingFailure;
    if (readingFailure) {
      const again = readingFailure.retryAt === undefined ? "They are kept and will be tried again." : `They are kept and will be tried again at ${describeMoment(readingFailure.retryAt)}.`;
      this.#failure.textContent = `Some messages could not be read into the memory: ${readingFailure.message} ${again}`;
    }
  }

  async #verify(): Promise<void> {
    this.#verdict.textContent = "Checking…";
    try {
      const { ok, damage, commits, records } = await this.#session.memory.verify();
      if (ok) return fill(this.#verdict, element("p", {}, `All is whole: ${NUMBER.format(commits)} commits and ${NUMBER.format(records)} records checked.`));
      fill(this.#verdict, element("p", { class: "problem" }, "Something is damaged. The rest stays readable."),
        element("ul", {}, ...damage.map(({ key, message }) => element("li", {}, `${key}: ${message}`))));
    } catch (error) {
      fill(this.#verdict, element("p", { class: "problem" }, `The check failed. ${error instanceof Error ? error.message : String(error)}`));
    }
  }
}
