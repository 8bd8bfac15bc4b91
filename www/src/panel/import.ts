/** Brings in what another memory or chat exported, from a file. */
import type { Imported } from "mnemic";
import { element, fill, reason } from "../page/shared";
import { isBackup } from "./restore";
import type { Tools } from "./tools";
import { inDigits } from "../page/number";

const FAILURES_SHOWN = 50;
const FORMATS: Record<Imported["format"], string> = {
  mnemic: "a backup",
  "memory.jsonl": "a knowledge graph", mem0: "an export of mem0", langgraph: "an export of a LangGraph store", chatgpt: "an export of ChatGPT", claude: "an export of Claude",
};

export class ImportPanel {
  readonly element: HTMLElement;
  readonly #file = element("input", { type: "file", hidden: true, accept: ".mnemic,.json,.jsonl,.txt,application/json", "data-testid": "import-file" });
  readonly #learn = element("input", { type: "checkbox", "data-testid": "import-learn" });
  readonly #choose = element("button", { type: "button", class: "button", "data-testid": "import" }, "Choose a file");
  readonly #stop = element("button", { type: "button", class: "button", hidden: true }, "Stop");
  readonly #progress = element("progress", { class: "progress", "aria-label": "Import", hidden: true });
  readonly #outcome = element("div", { class: "verdict", role: "status", "data-testid": "import-outcome" });
  readonly #tools: Tools;
  #running: AbortController | undefined;

  /** `restore` is called with a file that is a backup. */
  constructor(tools: Tools, restore: (file: File) => void) {
    this.#tools = tools;
    this.#choose.addEventListener("click", () => this.#file.click());
    this.#stop.addEventListener("click", () => this.#running?.abort());
    this.#file.addEventListener("change", () => {
      const file = this.#file.files?.[0];
      this.#file.value = ""; // the same file can be chosen again
      if (file) void this.#take(file, restore);
    });
    this.element = element("section", { "data-testid": "import-panel" },
      element("p", { class: "hint" }, "Takes a backup of this page, a memory.jsonl, an export of mem0 or a LangGraph store, or the conversations.json of ChatGPT or Claude. The file stays on this device; what is already here is skipped."),
      element("label", { class: "check" }, this.#learn, "Also learn from imported messages (needs a model)"),
      element("div", { class: "buttons" }, this.#choose, this.#stop), this.#file, this.#progress, this.#outcome);
  }

  update(): void {
    // Rules learn from what is said from now on: reading an archive takes a model.
    this.#learn.disabled = this.#tools.session.model === undefined;
    if (this.#learn.disabled) this.#learn.checked = false;
  }

  async #take(file: File, restore: (file: File) => void): Promise<void> {
    if (!(await isBackup(file))) return this.#import(file);
    fill(this.#outcome);
    restore(file);
  }

  async #import(file: File): Promise<void> {
    const running = (this.#running = new AbortController());
    this.#busy(true);
    fill(this.#outcome, `Reading ${file.name}…`);
    try {
      const { changes, session } = this.#tools;
      const { result, commits } = await changes.gather(() => session.user.import(file, {
        learn: this.#learn.checked,
        signal: running.signal,
        onProgress: ({ done, skipped, failed, total }) => {
          this.#progress.max = Math.max(1, total);
          this.#progress.value = done + skipped + failed;
        },
      }));
      this.#tell(file.name, result);
      // Messages that came in are part of the chats; what is remembered can be taken out again.
      if (commits.length > 0) changes.committed(`Imported ${file.name}.`, commits);
    } catch (error) {
      fill(this.#outcome, running.signal.aborted
        ? "Stopped. What was imported so far stays; choose the file again to continue."
        : element("p", { class: "problem" }, `${file.name} could not be imported. ${reason(error)}`));
    }
    this.#busy(false);
  }

  #tell(name: string, { format, done, skipped, failed }: Imported): void {
    fill(this.#outcome,
      element("p", {}, element("bdi", {}, name), ` is ${FORMATS[format]}: ${inDigits(done)} new, ${inDigits(skipped)} already here, ${inDigits(failed.length)} failed.`),
      failed.length > 0 && element("details", {}, element("summary", {}, "What failed"),
        element("ul", { class: "failures" }, ...failed.slice(0, FAILURES_SHOWN).map(({ place, reason }) => element("li", {}, `${place}: ${reason}`)))));
  }

  #busy(busy: boolean): void {
    this.#choose.disabled = busy;
    this.#stop.hidden = !busy;
    this.#progress.hidden = !busy;
    if (busy) this.#progress.removeAttribute("value");
  }
}
