/** "Lock": whether a passphrase or passkey is needed to read the memory, and setting, changing and removing it. */
import type { EncryptionStatus } from "mnemic";
import { element, fill } from "../page/element";
import { reason } from "../page/reason";
import type { Tools } from "../panel/tools";
import { PassphraseFields } from "./passphrase-fields";

const STATES = { passphrase: "Locked with a passphrase", passkey: "Locked with a passkey", key: "Locked with a key of the app" } as const;

export class LockPanel {
  readonly element: HTMLElement;
  readonly #tools: Tools;
  readonly #state = element("p", { class: "value", "data-testid": "lock-state" });
  readonly #about = element("p", { class: "hint" });
  readonly #fields = new PassphraseFields("lock");
  readonly #outcome = element("p", { class: "outcome", role: "status", "data-testid": "lock-outcome" });
  readonly #byPassphrase = element("button", { type: "submit", class: "button button-main", "data-testid": "lock-with-passphrase" });
  readonly #byPasskey = element("button", { type: "button", class: "button", "data-testid": "lock-with-passkey", onclick: () => void this.#lock({ passkey: true }) });
  readonly #title = element("summary", {});
  readonly #form: HTMLDetailsElement;
  readonly #locked: HTMLElement;
  readonly #sure = element("div", { class: "sure", hidden: true });
  readonly #controls: HTMLElement;
  #by: EncryptionStatus["by"] | "unlocked";

  constructor(tools: Tools) {
    this.#tools = tools;
    const form = element("form", { onsubmit: (event: SubmitEvent) => void this.#submit(event) },
      this.#fields.element,
      element("div", { class: "buttons" }, this.#byPassphrase, this.#byPasskey),
      element("p", { class: "hint" }, "A passkey is kept by this device or your password manager, and opens with a fingerprint, your face or a PIN."));
    this.#form = element("details", { class: "panel-part", "data-testid": "lock-form" }, this.#title, form);
    const remove = element("button", { type: "button", class: "button", "data-testid": "lock-remove", onclick: () => this.#ask(true) }, "Remove the lock");
    const really = element("button", { type: "button", class: "button button-danger", "data-testid": "lock-remove-confirm", onclick: () => void this.#remove() }, "Remove it");
    fill(this.#sure,
      element("p", {}, "Without the lock, whoever can use this browser profile can read the memory."),
      element("div", { class: "buttons" }, really, element("button", { type: "button", class: "button", onclick: () => this.#ask(false) }, "Keep it")));
    this.#locked = element("div", {},
      element("div", { class: "buttons" },
        element("button", { type: "button", class: "button button-main", "data-testid": "lock-now", onclick: () => location.reload() }, "Lock now"), remove),
      this.#sure);
    this.#controls = element("div", {}, this.#locked, this.#form);
    this.element = element("section", { "data-testid": "lock-panel", tabindex: -1 }, this.#state, this.#about, this.#controls, this.#outcome,
      element("p", { class: "hint" }, "The lock encrypts the memory and its second copy in this browser. It covers neither backup files, which have passphrases of their own, nor the settings, such as an endpoint's key."));
  }

  /** Shows how it is now; answers that in a few words. */
  async update(): Promise<string> {
    const { isKept, memory } = this.#tools.session;
    const { by } = await memory.encryption.status();
    const now = by ?? "unlocked";
    if (now !== this.#by) {
      this.#by = now;
      this.#state.textContent = by ? STATES[by] : "Not locked";
      this.#about.textContent = by
        ? "Nobody can open the memory without it, and nobody can recover it. Keep a backup whose passphrase you know."
        : isKept ? "Whoever can use this browser profile can read the memory. A lock encrypts it; old bytes may stay on the disk for a while, so lock it early." : "What is only in this tab is never written, so it needs no lock.";
      this.#title.textContent = by ? "Change the passphrase or passkey" : "Lock it";
      this.#byPassphrase.textContent = by ? "Use this passphrase" : "Lock with this passphrase";
      this.#byPasskey.textContent = by ? "Use a new passkey" : "Lock with a passkey";
      this.#form.open = !by;
      this.#locked.hidden = !by;
      this.#controls.hidden = !isKept;
      this.#sure.hidden = true;
    }
    return this.#state.textContent ?? "";
  }

  #ask(asking: boolean): void {
    this.#sure.hidden = !asking;
    this.#sure.querySelector<HTMLElement>("button")?.focus();
    if (!asking) this.#locked.querySelector<HTMLElement>("[data-testid=lock-remove]")?.focus();
  }

  async #submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const passphrase = this.#fields.read();
    if (passphrase !== undefined) await this.#lock({ passphrase });
  }

  async #lock(key: { passphrase: string } | { passkey: true }): Promise<void> {
    await this.#run("Locking…", () => this.#tools.session.lock(key), "passphrase" in key
      ? "Locked. You are asked for the passphrase when the page is opened." : "Locked. You are asked for the passkey when the page is opened.");
  }

  async #remove(): Promise<void> {
    await this.#run("Removing the lock…", () => this.#tools.session.removeLock(), "The lock is removed.");
  }

  async #run(doing: string, work: () => Promise<void>, done: string): Promise<void> {
    const controls = [...this.element.querySelectorAll("button")];
    const focused = document.activeElement;
    for (const button of controls) button.disabled = true;
    this.#outcome.textContent = doing;
    try {
      await work();
      this.#fields.clear();
      await this.update();
      this.#outcome.textContent = done;
    } catch (error) {
      fill(this.#outcome, element("span", { class: "problem" }, `Nothing was changed. ${reason(error)}`));
    }
    for (const button of controls) button.disabled = false;
    // What was used may be gone, or lost the focus meanwhile.
    if (focused instanceof HTMLElement && this.element.contains(focused)) (focused.checkVisibility() ? focused : this.element).focus();
  }
}
