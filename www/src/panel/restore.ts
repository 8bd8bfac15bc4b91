/** Takes a backup in: asks how, shows how far it is, tells what it did, and takes it back. */
import { LockedError, type Restored, WrongKeyError } from "mnemic";
import { element, fill, reason } from "../page/shared";
import { icon } from "../page/icon";
import { describeMoment } from "../page/moment";
import { inDigits } from "../page/number";
import type { Session } from "../session";

/** What backups begin with. */
const BACKUP = "mnemic\r";

type Mode = "merge" | "replace";

export async function isBackup(file: Blob): Promise<boolean> {
  return (await file.slice(0, BACKUP.length).text()) === BACKUP;
}

export class RestoreDialog {
  readonly element: HTMLDialogElement;
  readonly #session: Session;
  readonly #what = element("p", { dir: "auto" });
  readonly #merge = choice("merge", "Add what is new");
  readonly #replace = choice("replace", "Replace everything");
  readonly #modes: HTMLElement;
  readonly #passphrase = element("input", { type: "password", class: "field", id: "restore-passphrase", autocomplete: "off", "data-testid": "restore-passphrase" });
  readonly #seal: HTMLElement;
  readonly #progress = element("progress", { class: "progress", "aria-label": "Restore", hidden: true });
  readonly #outcome = element("div", { class: "outcome", role: "status", "data-testid": "restore-outcome" });
  readonly #start = element("button", { type: "submit", class: "button button-main", "data-testid": "restore-start" }, "Restore");
  readonly #undo = element("button", { type: "button", class: "button", hidden: true, "data-testid": "restore-undo" }, "Undo");
  readonly #close = element("button", { type: "button", class: "button", "data-testid": "restore-close", onclick: () => this.element.close() }, "Cancel");
  /** The file; without one, where backups go by themselves. */
  #file: File | undefined;
  #running: AbortController | undefined;
  /** What was here before it was replaced, for undo. */
  #before: Blob | undefined;
  /** What a merge committed, for undo. */
  #commits: readonly string[] = [];

  constructor(session: Session) {
    this.#session = session;
    // What was forgotten must not come back by an undo.
    session.onForgotten(() => this.#dropBefore());
    this.#modes = element("fieldset", {}, element("legend", { class: "for-screen-readers" }, "How"),
      this.#merge.element, element("p", { class: "hint" }, "What is here stays. Of what both have, the newer counts. Undo takes it back."),
      this.#replace.element, element("p", { class: "hint" }, "The memory becomes what the file holds, and nothing else. Undo brings back what is here now, until this is closed."));
    this.#seal = element("div", { hidden: true }, element("label", { class: "label", for: this.#passphrase.id }, "The passphrase of the backup"), this.#passphrase);
    const close = element("button", { type: "button", class: "icon-button", "aria-label": "Close", onclick: () => this.element.close() }, icon("close"));
    const form = element("form", { onsubmit: (event: SubmitEvent) => { event.preventDefault(); void this.#restore(); } },
      element("div", { class: "dialog-head" }, element("h2", { id: "restore-title" }, "Restore a backup"), close),
      this.#what, this.#modes, this.#seal, this.#progress,
      element("div", { class: "dialog-foot" }, this.#outcome, element("div", { class: "buttons" }, this.#start, this.#undo, this.#close)));
    this.element = element("dialog", { class: "dialog", "aria-labelledby": "restore-title", "data-testid": "restore-dialog" }, form);
    // The event comes with a later frame: by then the dialog may be open for something else.
    this.element.addEventListener("close", () => {
      if (!this.element.open) this.#end();
    });
    this.#undo.addEventListener("click", () => void this.#takeBack());
  }

  /** Asks how a file is to be taken in. */
  ask(file: File): void {
    this.#begin(file);
    this.#modes.hidden = false;
    this.#merge.input.checked = true;
  }

  /** Restores at once, after a loss: from a file, or from where backups go by themselves. Nothing that was said since is lost. */
  async now(file?: File): Promise<void> {
    this.#begin(file);
    this.#modes.hidden = true;
    const { records } = await this.#session.memory.usage();
    (records === 0 ? this.#replace : this.#merge).input.checked = true;
    await this.#restore();
  }

  /** Ends what the dialog was last opened for. */
  #end(): void {
    this.#running?.abort();
    this.#passphrase.value = "";
    this.#dropBefore();
  }

  #begin(file: File | undefined): void {
    this.#end();
    this.#file = file;
    this.#what.textContent = file ? file.name : "The last backup that was made by itself.";
    this.#seal.hidden = true;
    this.#undo.hidden = true;
    this.#start.hidden = false;
    this.#close.textContent = "Cancel";
    fill(this.#outcome);
    this.element.showModal();
  }

  get #mode(): Mode { return this.#replace.input.checked ? "replace" : "merge"; }

  async #restore(): Promise<void> {
    const mode = this.#mode;
    const running = (this.#running = new AbortController());
    this.#busy(true);
    fill(this.#outcome, "Reading…");
    try {
      const { memory } = this.#session;
      const before = mode === "replace" ? await new Response(memory.export()).blob() : undefined;
      const passphrase = this.#seal.hidden ? undefined : this.#passphrase.value;
      const options = {
        mode, signal: running.signal, ...(passphrase !== undefined && { passphrase }),
        onProgress: ({ done, total }: { done: number; total?: number }) => {
          if (total === undefined) return;
          this.#progress.max = Math.max(1, total);
          this.#progress.value = done;
        },
      };
      const restored = this.#file ? await memory.import(this.#file, options) : await memory.backup.restore(undefined, options);
      this.#session.restored();
      this.#before = before;
      this.#tell(restored);
    } catch (error) {
      this.#failed(error);
    }
    this.#busy(false);
  }

  #failed(error: unknown): void {
    if (error instanceof LockedError || error instanceof WrongKeyError) {
      const isWrong = error instanceof WrongKeyError;
      this.#seal.hidden = false;
      this.#passphrase.setAttribute("aria-invalid", String(isWrong));
      fill(this.#outcome, isWrong ? element("p", { class: "problem" }, "That is not its passphrase. Nothing was changed.") : "This backup is sealed. Enter its passphrase.");
      this.#busy(false);
      this.#passphrase.focus();
    } else {
      fill(this.#outcome, element("p", { class: "problem" }, reason(error)));
    }
  }

  #tell({ mode, createdAt, added, updated, removed, unchanged, commits }: Restored): void {
    const counts = mode === "replace" ? `The memory is what the backup holds: ${inDigits(added)} records.`
      : commits.length === 0 ? "There was nothing new in it."
      : `${inDigits(added)} new, ${inDigits(updated)} updated, ${inDigits(removed)} ended, ${inDigits(unchanged)} as they were.`;
    fill(this.#outcome, element("p", {}, counts), element("p", { class: "byline" }, `The backup was made: ${describeMoment(createdAt)}`));
    this.#start.hidden = true;
    this.#undo.hidden = mode === "merge" && commits.length === 0;
    this.#modes.hidden = true;
    this.#seal.hidden = true;
    this.#close.textContent = "Done";
    this.#commits = commits.map(({ commitId }) => commitId);
    this.#close.focus();
  }

  async #takeBack(): Promise<void> {
    this.#busy(true);
    try {
      if (this.#before) await this.#session.memory.import(this.#before, { mode: "replace" });
      else await this.#session.user.undo(this.#commits);
      this.#dropBefore();
      this.#session.restored();
      fill(this.#outcome, "Undone: everything is as it was before.");
    } catch (error) {
      fill(this.#outcome, element("p", { class: "problem" }, `Could not undo this. ${reason(error)}`));
    }
    this.#busy(false);
    this.#undo.hidden = true;
    this.#close.focus();
  }

  #dropBefore(): void {
    if (this.#before) this.#undo.hidden = true;
    this.#before = undefined;
  }

  #busy(busy: boolean): void {
    this.#start.disabled = this.#undo.disabled = busy;
    this.#progress.hidden = !busy;
    if (busy) this.#progress.removeAttribute("value");
  }
}

function choice(value: Mode, label: string): { element: HTMLElement; input: HTMLInputElement } {
  const input = element("input", { type: "radio", name: "restore-mode", value, "data-testid": `restore-${value}` });
  return { element: element("label", { class: "check" }, input, label), input };
}
