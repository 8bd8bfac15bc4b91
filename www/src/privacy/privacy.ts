/** "Privacy": letting go, locking, and backups, each with how it stands. */
import { Menu } from "../page/menu";
import type { Tools } from "../panel/tools";
import { BackupPanel } from "./backup";
import { ForgottenPanel } from "./forgotten";
import { LockPanel } from "./lock";

export class PrivacyPanel {
  readonly element: HTMLElement;
  readonly #menu: Menu;
  readonly #forgotten: ForgottenPanel;
  readonly #lock: LockPanel;
  readonly #backup: BackupPanel;

  /** `importing` goes to where files are taken in. */
  constructor(tools: Tools, importing: () => void) {
    this.#forgotten = new ForgottenPanel(tools);
    this.#lock = new LockPanel(tools);
    this.#backup = new BackupPanel(tools, importing);
    this.#menu = new Menu("Privacy", [
      { id: "forget", label: "Forget", about: "Remove something for good", content: this.#forgotten.element },
      { id: "lock", label: "Lock", about: "", content: this.#lock.element },
      { id: "backup", label: "Backup and export", about: "", content: this.#backup.element, shown: () => void this.#backup.update() },
    ]);
    this.element = this.#menu.element;
  }

  async update(): Promise<void> {
    const [count, lock, backup] = await Promise.all([this.#forgotten.update(), this.#lock.update(), this.#backup.update()]);
    this.#menu.tell("forget", count === 0 ? "Remove something for good" : "Remove something for good, and see what was forgotten");
    this.#menu.tell("lock", lock);
    this.#menu.tell("backup", backup);
  }

  close(): void {
    this.#menu.close();
  }
}
