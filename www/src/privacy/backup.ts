/** "Backup": files to take away, backups by themselves, and how safely the memory is kept in this browser. */
import type { BackupState, BackupTarget, Health } from "mnemic";
import { bytesInWords } from "../page/bytes";
import { keepOnDevice, readDevice } from "../page/device";
import { element, fill } from "../page/element";
import { describeMoment } from "../page/moment";
import { reason } from "../page/reason";
import type { Tools } from "../panel/tools";
import { asOneText, dated, download, isGivenUp, pickers, writeInto } from "./files";
import { PassphraseFields } from "./passphrase-fields";

/** When the user saved a backup by hand. */
const SAVED = "mnemic-demo-saved";

export class BackupPanel {
  readonly element: HTMLElement;
  readonly #tools: Tools;
  readonly #rows = element("dl", { class: "status", "data-testid": "backup-state" });
  readonly #sealed = element("input", { type: "checkbox", "data-testid": "backup-sealed", onchange: () => this.#arrange() });
  readonly #fields = new PassphraseFields("backup");
  readonly #auto: HTMLElement;
  readonly #allow = element("button", { type: "button", class: "button button-main", hidden: true, "data-testid": "backup-allow", onclick: () => void this.#run("Asking…", async () => { await this.#memory.backup.allow(); return ""; }) }, "Allow writing again");
  readonly #now = element("button", { type: "button", class: "button", hidden: true, "data-testid": "backup-now", onclick: () => void this.#run("Backing up…", async () => { await this.#memory.backup.now(); return "Backed up."; }) }, "Back up now");
  readonly #stop = element("button", { type: "button", class: "button", hidden: true, "data-testid": "backup-stop", onclick: () => void this.#run("Stopping…", async () => { await this.#memory.backup.stop(); return "Stopped. The file stays where it is."; }) }, "Stop");
  readonly #persist = element("button", { type: "button", class: "button", hidden: true, "data-testid": "persist", onclick: () => void this.#run("Asking the browser…", () => this.#askToKeep()) }, "Ask the browser to keep it");
  readonly #outcome = element("p", { class: "outcome", role: "status", "data-testid": "backup-outcome" });

  constructor(tools: Tools, importing: () => void) {
    this.#tools = tools;
    const button = (testId: string, label: string, use: () => void, main = false): HTMLButtonElement =>
      element("button", { type: "button", class: `button${main ? " button-main" : ""}`, "data-testid": testId, onclick: use }, label);
    const canChoose = pickers.showSaveFilePicker !== undefined || pickers.showDirectoryPicker !== undefined;
    this.#auto = element("section", { class: "panel-part" }, element("h3", {}, "By itself"),
      ...(canChoose ? [
        element("p", { class: "hint" }, "After changes, a backup takes the place of the last one in a file or folder of yours."),
        element("div", { class: "buttons" },
          pickers.showSaveFilePicker && button("backup-file", "Choose a file…", () => void this.#choose(() => pickers.showSaveFilePicker?.({ suggestedName: "mnemic.mnemic" }))),
          pickers.showDirectoryPicker && button("backup-folder", "Choose a folder…", () => void this.#choose(() => pickers.showDirectoryPicker?.({ mode: "readwrite" }))),
          this.#allow, this.#now, this.#stop),
      ] : [element("p", { class: "hint", "data-testid": "no-pickers" }, "This browser does not let pages write files by themselves. Save a backup now and then.")]));
    this.element = element("section", { "data-testid": "backup-panel" },
      element("section", { class: "panel-part" },
        element("p", { class: "hint" }, "A backup holds everything, with its history. It can be put back here, or in another browser."),
        element("label", { class: "check" }, this.#sealed, "Seal backups with a passphrase"), this.#fields.element,
        element("div", { class: "buttons" },
          button("export", "Save a backup", () => void this.#save(), true),
          button("export-files", pickers.showDirectoryPicker ? "Save to read, as a folder…" : "Save to read, as text", () => void this.#saveFiles()),
          button("restore-file", "Restore or import…", importing)),
        element("p", { class: "hint" }, "To read: Markdown and JSON of what is remembered now. Those files are not sealed.")),
      this.#auto, this.#outcome,
      element("section", { class: "panel-part" }, element("h3", {}, "How it is kept here"), this.#rows, element("div", { class: "buttons" }, this.#persist)));
    this.#arrange();
  }

  /** Answers the state of backups in a few words; the rest is read only while it is looked at. */
  async update(): Promise<string> {
    const state = await this.#memory.backup.state();
    if (this.element.checkVisibility()) this.#show(state, await this.#memory.health());
    const last = Math.max(state.lastAt ?? 0, savedAt());
    return last === 0 ? "No backup was made yet" : `Last backup ${describeMoment(last)}`;
  }

  get #memory() { return this.#tools.session.memory; }

  #show(state: BackupState, health: Health): void {
    const { target, permission, lastBytes, error, isDue } = state;
    const last = Math.max(state.lastAt ?? 0, health.lastBackupAt ?? 0);
    const saved = savedAt();
    const { persisted } = health.persistence;
    const rows: (readonly [string, string] | false)[] = [
      ["Backs up by itself", target ? `To “${target.name}”${permission === "granted" ? "" : permission === "denied" ? ", but the browser does not allow it" : ", once you allow it again"}` : "No"],
      target !== undefined && ["Last backup", last === 0 ? "None yet" : `${describeMoment(last)}${lastBytes === undefined ? "" : `, ${bytesInWords(lastBytes)}`}${isDue ? "; something changed since" : ""}`],
      error !== undefined && ["Why the last one failed", error.message],
      ["Last file saved by you", saved === 0 ? "None" : describeMoment(saved)],
      ["Second copy", copyInWords(health)],
      ["Size", bytesInWords(health.bytes.memory)],
      health.bytes.quota !== undefined && ["Room in this browser", `${bytesInWords(health.bytes.used ?? 0)} of ${bytesInWords(health.bytes.quota)} taken by this page`],
      persisted !== undefined && ["When space runs out", persisted ? "The browser keeps it" : "The browser may delete it"],
      health.damage.length > 0 && ["Damage", `${health.damage.length} stored values; the rest stays readable`],
    ];
    fill(this.#rows, ...rows.flatMap((row) => (row ? [element("div", {}, element("dt", {}, row[0]), element("dd", { dir: "auto" }, row[1]))] : [])));
    this.#now.hidden = this.#stop.hidden = target === undefined;
    this.#allow.hidden = permission !== "prompt";
    this.#persist.hidden = persisted !== false;
  }

  #arrange(): void {
    this.#fields.element.hidden = !this.#sealed.checked;
  }

  /** The options for a backup; undefined, and what is wrong shown, when it is to be sealed and cannot be. */
  #options(): { passphrase?: string } | undefined {
    if (!this.#sealed.checked) return {};
    const passphrase = this.#fields.read();
    return passphrase === undefined ? undefined : { passphrase };
  }

  async #save(): Promise<void> {
    const options = this.#options();
    if (!options) return;
    await this.#run("Gathering everything…", async () => {
      const file = await new Response(this.#memory.export(options)).blob();
      download(file, dated("mnemic", "mnemic"));
      keepOnDevice(SAVED, String(Date.now()));
      return `Saved: ${bytesInWords(file.size)}${options.passphrase === undefined ? "" : ", sealed"}.`;
    });
  }

  async #saveFiles(): Promise<void> {
    const folder = await this.#pick(() => pickers.showDirectoryPicker?.({ mode: "readwrite" }));
    if (folder === null) return;
    await this.#run("Writing…", async () => {
      const files = this.#tools.session.user.exportFiles();
      if (folder) return `Written: ${await writeInto(folder, files)} files.`;
      const { text, count } = await asOneText(files);
      download(new Blob([text], { type: "text/plain" }), dated("mnemic-to-read", "txt"));
      return `Saved: ${count} files in one text.`;
    });
  }

  async #choose(pick: () => Promise<FileSystemHandle> | undefined): Promise<void> {
    const options = this.#options();
    if (!options) return;
    const target = await this.#pick(pick);
    if (!target) return;
    await this.#run("Backing up…", async () => {
      await this.#memory.backup.to(target as BackupTarget, options);
      return `Backed up to “${target.name}”, and from now on after changes.`;
    });
  }

  /** What the user picked: undefined where there is no picker, null when it was given up. */
  async #pick<Handle extends FileSystemHandle>(pick: () => Promise<Handle> | undefined): Promise<Handle | undefined | null> {
    try {
      return await pick();
    } catch (error) {
      if (!isGivenUp(error)) this.#failed(error);
      return null;
    }
  }

  async #askToKeep(): Promise<string> {
    const kept = await navigator.storage.persist();
    return kept ? "The browser keeps it." : "The browser did not agree. It may after you used the page more often, or installed it.";
  }

  async #run(doing: string, work: () => Promise<string>): Promise<void> {
    this.#outcome.textContent = doing;
    try {
      this.#outcome.textContent = await work();
    } catch (error) {
      this.#failed(error);
    }
    await this.update();
  }

  #failed(error: unknown): void {
    fill(this.#outcome, element("span", { class: "problem" }, reason(error)));
  }
}

function savedAt(): number {
  return Number(readDevice(SAVED)) || 0;
}

function copyInWords({ storage, copy }: Health): string {
  if (!copy) return storage.kind === "object" ? "None: the memory is in this tab only" : "None";
  if (copy.error) return `Not there: ${copy.error.message}`;
  return copy.lagMs === 0 ? "Up to date, in the site's private files" : "In the site's private files, catching up";
}
