/** "Backup and export": files to take away, backups by themselves, and how safely the memory is kept in this browser. */
import type { BackupState, BackupTarget } from "../../backup/automatic.js";
import type { Health } from "../../safekeeping/health.js";
import { element, fill, reason } from "../page/element.js";
import type { Key } from "../texts/words.js";
import type { Tools } from "../tools.js";
import { asOneText, dated, download, isGivenUp, pickers, writeInto } from "./files.js";
import { PassphraseFields } from "./passphrase-fields.js";
import { keptSavedAt, savedAt } from "./saved.js";
import type { Section, Standing } from "./section.js";

export class BackupSection implements Section {
  readonly element: HTMLElement;
  readonly #tools: Tools;
  readonly #rows = element("dl", { class: "status", "data-testid": "backup-state" });
  readonly #sealed: HTMLInputElement;
  readonly #fields: PassphraseFields;
  readonly #allow: HTMLButtonElement;
  readonly #now: HTMLButtonElement;
  readonly #stop: HTMLButtonElement;
  readonly #persist: HTMLButtonElement;
  readonly #outcome = element("p", { class: "outcome", role: "status", "data-testid": "backup-outcome" });

  constructor(tools: Tools) {
    this.#tools = tools;
    const { memory, words, wayTo } = tools;
    const button = (testId: string, label: Key, use: () => void, look = ""): HTMLButtonElement =>
      element("button", { type: "button", class: `button${look}`, "data-testid": testId, onclick: use }, words.of(label));
    const step = (testId: string, label: Key, doing: Key, done: Key, work: () => Promise<unknown> | undefined, look = ""): HTMLButtonElement => {
      const made = button(testId, label, () => void this.#run(doing, async () => { await work(); return words.of(done); }), look);
      made.hidden = true;
      return made;
    };
    this.#sealed = element("input", { type: "checkbox", "data-testid": "backup-sealed", onchange: () => this.#arrange() });
    this.#fields = new PassphraseFields("backup", words);
    this.#allow = step("backup-allow", "backupAllow", "asking", "backupAllowed", () => memory?.backup.allow(), " button-main");
    this.#now = step("backup-now", "backupNow", "backingUp", "backedUp", () => memory?.backup.now());
    this.#stop = step("backup-stop", "backupStop", "stopping", "backupStopped", () => memory?.backup.stop());
    this.#persist = button("persist", "askToKeep", () => void this.#run("asking", () => this.#askToKeep()));
    const canChoose = pickers.showSaveFilePicker !== undefined || pickers.showDirectoryPicker !== undefined;
    const byItself = element("section", { class: "panel-part" }, element("h3", {}, words.of("backupByItself")),
      ...(canChoose ? [
        element("p", { class: "hint" }, words.of("backupByItselfHint")),
        element("div", { class: "buttons" },
          pickers.showSaveFilePicker && button("backup-file", "chooseFile", () => void this.#choose(() => pickers.showSaveFilePicker?.({ suggestedName: "mnemic.mnemic" }))),
          pickers.showDirectoryPicker && button("backup-folder", "chooseFolder", () => void this.#choose(() => pickers.showDirectoryPicker?.({ mode: "readwrite" }))),
          this.#allow, this.#now, this.#stop),
      ] : [element("p", { class: "hint", "data-testid": "no-pickers" }, words.of("noPickers"))]));
    const restore = wayTo("import");
    this.element = element("section", { "data-testid": "backup-panel" },
      element("form", { class: "panel-part", onsubmit: (event: SubmitEvent) => { event.preventDefault(); void this.#save(); } },
        element("p", { class: "hint" }, words.of("backupHint")),
        element("label", { class: "check" }, this.#sealed, words.of("sealBackups")), this.#fields.element,
        element("div", { class: "buttons" },
          element("button", { type: "submit", class: "button button-main", "data-testid": "export" }, words.of("saveBackup")),
          button("export-files", pickers.showDirectoryPicker ? "saveAsFolder" : "saveAsText", () => void this.#saveFiles()),
          restore && button("restore-file", "restoreOrImport", restore)),
        element("p", { class: "hint" }, words.of("saveAsTextHint"))),
      memory && byItself, this.#outcome,
      memory && element("section", { class: "panel-part" }, element("h3", {}, words.of("howKept")), this.#rows, element("div", { class: "buttons" }, this.#persist)));
    this.#persist.hidden = true;
    this.#arrange();
  }

  shown(): void {
    this.#tools.reading(this.update());
  }

  /** The whole state is read only while it is looked at. */
  async update(): Promise<Standing> {
    const { memory, words } = this.#tools;
    const state = await memory?.backup.state();
    if (memory && state && this.element.checkVisibility()) this.#show(state, await memory.health());
    const last = Math.max(state?.lastAt ?? 0, savedAt());
    return { about: last === 0 ? words.of("noBackupYet") : words.of("lastBackupAt", { time: words.time(last) }) };
  }

  #show(state: BackupState, health: Health): void {
    const { words } = this.#tools;
    const { target, permission, lastBytes, error, isDue } = state;
    const last = Math.max(state.lastAt ?? 0, health.lastBackupAt ?? 0);
    const saved = savedAt();
    const { persisted } = health.persistence;
    const permitted: Key = permission === "granted" ? "backupTo" : permission === "denied" ? "backupToDenied" : "backupToAsks";
    const made = [words.time(last), lastBytes !== undefined && words.bytes(lastBytes), isDue && words.of("changedSince")].filter((part) => part !== false);
    const rows: (readonly [Key, string] | false)[] = [
      ["backsUpByItself", target ? words.of(permitted, { name: target.name }) : words.of("no")],
      target !== undefined && ["lastBackup", last === 0 ? words.of("noneYet") : words.list(made)],
      error !== undefined && ["whyLastFailed", error.message],
      ["lastFileSaved", saved === 0 ? words.of("noneYet") : words.time(saved)],
      ["secondCopy", this.#copyInWords(health)],
      ["size", words.bytes(health.bytes.memory)],
      health.bytes.quota !== undefined && ["room", words.of("roomTaken", { used: words.bytes(health.bytes.used ?? 0), quota: words.bytes(health.bytes.quota) })],
      persisted !== undefined && ["whenSpaceRunsOut", words.of(persisted ? "browserKeeps" : "browserMayDelete")],
      health.damage.length > 0 && ["damage", words.of("damaged", { n: health.damage.length })],
    ];
    fill(this.#rows, ...rows.flatMap((row) => (row ? [element("div", {}, element("dt", {}, words.of(row[0])), element("dd", { dir: "auto" }, row[1]))] : [])));
    this.#now.hidden = this.#stop.hidden = target === undefined;
    this.#allow.hidden = permission !== "prompt";
    this.#persist.hidden = persisted !== false;
  }

  #copyInWords({ copy }: Health): string {
    const { words } = this.#tools;
    if (!copy) return words.of("noCopy");
    if (copy.error) return words.of("copyFailed", { reason: copy.error.message });
    return words.of(copy.lagMs === 0 ? "copyUpToDate" : "copyBehind");
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
    const { memory, user, words } = this.#tools;
    await this.#run("gathering", async () => {
      const file = await new Response((memory ?? user).export(options)).blob();
      download(file, dated("mnemic", "mnemic"));
      keptSavedAt(Date.now());
      return words.of(options.passphrase === undefined ? "saved" : "savedSealed", { size: words.bytes(file.size) });
    });
  }

  async #saveFiles(): Promise<void> {
    const folder = await this.#pick(() => pickers.showDirectoryPicker?.({ mode: "readwrite" }));
    if (folder === null) return;
    const { user, words } = this.#tools;
    await this.#run("writing", async () => {
      const files = user.exportFiles();
      if (folder) return words.of("filesWritten", { n: await writeInto(folder, files) });
      const { text, count } = await asOneText(files);
      download(new Blob([text], { type: "text/plain" }), dated("mnemic-to-read", "txt"));
      return words.of("filesInText", { n: count });
    });
  }

  async #choose(pick: () => Promise<FileSystemHandle> | undefined): Promise<void> {
    const options = this.#options();
    if (!options) return;
    const target = await this.#pick(pick);
    if (!target) return;
    const { memory, words } = this.#tools;
    await this.#run("backingUp", async () => {
      await memory?.backup.to(target as BackupTarget, options);
      return words.of("backedUpTo", { name: target.name });
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
    return this.#tools.words.of((await navigator.storage.persist()) ? "browserAgreed" : "browserRefused");
  }

  async #run(doing: Key, work: () => Promise<string>): Promise<void> {
    this.#outcome.textContent = this.#tools.words.of(doing);
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
