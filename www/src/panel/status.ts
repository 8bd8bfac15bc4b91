/** How the memory works here and now: who reads, where it is kept, what it has cost, and whether it is whole. */
import { element, fill, reason } from "../page/shared";
import { describeMoment } from "../page/moment";
import { costInWords } from "./cost";
import type { Tools } from "./tools";
import { inDigits } from "../page/number";

const STORAGE: Record<string, string> = {
  indexeddb: "IndexedDB, in this browser",
  localstorage: "localStorage, in this browser (small: about 5 MB)",
  object: "This tab only: it is gone after a reload",
};
const PURPOSES: Record<string, string> = {
  extract: "For learning from messages", consolidate: "For tidying facts", revise: "For instructions", episode: "For examples",
  summarise: "For summaries", tier: "For sorting by topic", distil: "For learning from topics",
};

export class StatusPanel {
  readonly element: HTMLElement;
  readonly #facts = element("dl", { class: "status", "data-testid": "status" });
  readonly #failure = element("p", { class: "problem", hidden: true, "data-testid": "reading-failure" });
  readonly #verdict = element("div", { class: "verdict", role: "status", "data-testid": "verdict" });
  readonly #learn = element("button", { type: "button", class: "button", "data-testid": "flush", onclick: () => void this.#flush() }, "Learn now");
  readonly #tools: Tools;

  constructor(tools: Tools, openSettings: () => void) {
    this.#tools = tools;
    const verify = element("button", { type: "button", class: "button", "data-testid": "verify", onclick: () => void this.#verify() }, "Verify");
    this.element = element("section", { "data-testid": "status-panel" },
      this.#failure, this.#facts,
      element("div", { class: "buttons" }, this.#learn, verify, element("button", { type: "button", class: "button", onclick: openSettings }, "Settings")),
      this.#verdict);
  }

  async update(): Promise<void> {
    const { memory, model, readingFailure, settings } = this.#tools.session;
    const usage = await memory.usage();
    const rows: [string, string][] = [
      ["Replies", model?.label ?? "No model connected: the memory answers by itself"],
      ["Learning", model?.label ?? "Built-in rules, no model"],
      ["Asks before remembering", settings.review ? "Yes" : "No"],
      ["Search by meaning", "Built-in embedder, nothing downloaded"],
      ["Stored in", STORAGE[memory.storage.kind] ?? memory.storage.kind],
      ["Waiting in the background", inDigits(usage.pending)],
      ["Model calls", `${inDigits(usage.calls)} since this page was opened (${inDigits(usage.failures)} failed)`],
      ["Tokens", `${inDigits(usage.inputTokens)} in, ${inDigits(usage.outputTokens)} out`],
      ...Object.entries(usage.byPurpose).map(([purpose, spent]): [string, string] => [PURPOSES[purpose] ?? `For ${purpose}`, costInWords(spent)]),
      ["Records", inDigits(usage.records)],
      ["Commits", inDigits(usage.commits)],
    ];
    fill(this.#facts, ...rows.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", { dir: "auto" }, value))));
    this.#learn.hidden = usage.pending === 0;
    this.#failure.hidden = !readingFailure;
    if (readingFailure) {
      const again = readingFailure.retryAt === undefined ? "They are stored and will be tried again." : `They are stored and will be tried again at ${describeMoment(readingFailure.retryAt)}.`;
      this.#failure.textContent = `The memory could not learn from some messages: ${readingFailure.message} ${again}`;
    }
  }

  /** Learns now from what waits. */
  async #flush(): Promise<void> {
    const { changes, session: { user } } = this.#tools;
    this.#learn.disabled = true;
    try {
      const { result: { changes: learned, usage }, commits } = await changes.gather(() => user.flush());
      if (learned.length === 0) changes.said("There was nothing new to learn.");
      else changes.committed(`Learned ${learned.length}: ${costInWords(usage)}.`, commits);
    } catch (error) {
      changes.failed("Nothing was learned.", error);
    }
    this.#learn.disabled = false;
  }

  async #verify(): Promise<void> {
    this.#verdict.textContent = "Checking…";
    try {
      const { ok, damage, commits, records } = await this.#tools.session.memory.verify();
      if (ok) return fill(this.#verdict, element("p", {}, `No damage found: ${inDigits(commits)} commits and ${inDigits(records)} records checked.`));
      fill(this.#verdict, element("p", { class: "problem" }, "Something is damaged. The rest stays readable."),
        element("ul", {}, ...damage.map(({ key, message }) => element("li", {}, `${key}: ${message}`))));
    } catch (error) {
      fill(this.#verdict, element("p", { class: "problem" }, `The check failed. ${reason(error)}`));
    }
  }
}
