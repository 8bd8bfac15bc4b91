/** "Lock": whether a passphrase or passkey is needed to read the memory, and setting, changing and removing it. */
import type { EncryptionStatus } from "../../encryption.js";
import type { Memory } from "../../memory.js";
import { element, fill, focusedIn, reason } from "../page/element.js";
import type { Key } from "../texts/words.js";
import type { Tools } from "../tools.js";
import { PassphraseFields } from "./passphrase-fields.js";
import type { Section, Standing } from "./section.js";

const STATES: Record<NonNullable<EncryptionStatus["by"]>, Key> = { passphrase: "lockedByPassphrase", passkey: "lockedByPasskey", key: "lockedByKey" };

export class LockSection implements Section {
  readonly element: HTMLElement;
  readonly #tools: Tools;
  readonly #memory: Memory;
  readonly #state = element("p", { class: "value", "data-testid": "lock-state" });
  readonly #about = element("p", { class: "hint" });
  readonly #fields: PassphraseFields;
  readonly #outcome = element("p", { class: "outcome", role: "status", "data-testid": "lock-outcome" });
  readonly #byPassphrase = element("button", { type: "submit", class: "button button-main", "data-testid": "lock-with-passphrase" });
  readonly #byPasskey = element("button", { type: "button", class: "button", "data-testid": "lock-with-passkey", onclick: () => void this.#lock({ passkey: true }, "lockDonePasskey") });
  readonly #title = element("summary", {});
  readonly #form: HTMLDetailsElement;
  readonly #locked: HTMLElement;
  readonly #sure = element("div", { class: "sure", hidden: true });
  #by: EncryptionStatus["by"] | "unlocked";

  constructor(tools: Tools, memory: Memory) {
    this.#tools = tools;
    this.#memory = memory;
    const { settings: { locking }, words } = tools;
    this.#fields = new PassphraseFields("lock", words);
    const form = element("form", { onsubmit: (event: SubmitEvent) => void this.#submit(event) },
      this.#fields.element,
      element("div", { class: "buttons" }, this.#byPassphrase, this.#byPasskey),
      element("p", { class: "hint" }, words.of("passkeyHint")));
    this.#form = element("details", { class: "panel-part", "data-testid": "lock-form" }, this.#title, form);
    const remove = element("button", { type: "button", class: "button", "data-testid": "lock-remove", onclick: () => this.#ask(true) }, words.of("lockRemove"));
    const really = element("button", { type: "button", class: "button button-danger", "data-testid": "lock-remove-confirm", onclick: () => void this.#run("lockRemoving", () => this.#locking.remove(), "lockRemoved") }, words.of("lockRemoveIt"));
    fill(this.#sure,
      element("p", {}, words.of("withoutLock")),
      element("div", { class: "buttons" }, really, element("button", { type: "button", class: "button", onclick: () => this.#ask(false) }, words.of("lockKeep"))));
    const now = locking?.now;
    this.#locked = element("div", {},
      element("div", { class: "buttons" },
        now && element("button", { type: "button", class: "button button-main", "data-testid": "lock-now", onclick: () => now.call(locking) }, words.of("lockNow")), remove),
      this.#sure);
    this.element = element("section", { "data-testid": "lock-panel", tabindex: -1 }, this.#state, this.#about, this.#locked, this.#form, this.#outcome,
      element("p", { class: "hint" }, words.of("lockHint")));
  }

  async update(): Promise<Standing> {
    const { words } = this.#tools;
    const { by } = await this.#memory.encryption.status();
    const now = by ?? "unlocked";
    if (now !== this.#by) {
      this.#by = now;
      this.#state.textContent = words.of(by ? STATES[by] : "notLocked");
      this.#about.textContent = words.of(by ? "lockedAbout" : "notLockedAbout");
      this.#title.textContent = words.of(by ? "lockChange" : "lockIt");
      this.#byPassphrase.textContent = words.of(by ? "usePassphrase" : "lockWithPassphrase");
      this.#byPasskey.textContent = words.of(by ? "usePasskey" : "lockWithPasskey");
      this.#form.open = !by;
      this.#locked.hidden = !by;
      this.#sure.hidden = true;
    }
    return { about: this.#state.textContent ?? "" };
  }

  /** The app's own way, if it has one: it may have to know the key. */
  get #locking() { return this.#tools.settings.locking ?? this.#memory.encryption; }

  #ask(asking: boolean): void {
    this.#sure.hidden = !asking;
    this.#sure.querySelector<HTMLElement>("button")?.focus();
    if (!asking) this.#locked.querySelector<HTMLElement>("[data-testid=lock-remove]")?.focus();
  }

  async #submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const passphrase = this.#fields.read();
    if (passphrase !== undefined) await this.#lock({ passphrase }, "lockDonePassphrase");
  }

  async #lock(key: { passphrase: string } | { passkey: true }, done: Key): Promise<void> {
    await this.#run("locking", () => this.#locking.change(key), done);
  }

  async #run(doing: Key, work: () => Promise<void>, done: Key): Promise<void> {
    const { words } = this.#tools;
    const controls = [...this.element.querySelectorAll("button")];
    const focused = focusedIn(this.element);
    for (const button of controls) button.disabled = true;
    this.#outcome.textContent = words.of(doing);
    try {
      await work();
      this.#fields.clear();
      await this.update();
      this.#outcome.textContent = words.of(done);
    } catch (error) {
      fill(this.#outcome, element("span", { class: "problem" }, `${words.of("notDone")} ${reason(error)}`));
    }
    for (const button of controls) button.disabled = false;
    // What was used may be gone, or lost the focus meanwhile.
    if (focused) (focused.checkVisibility() ? focused : this.element).focus();
  }
}
