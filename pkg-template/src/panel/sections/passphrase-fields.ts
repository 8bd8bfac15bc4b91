/** Two fields for a new passphrase, the second to catch a slip. They belong into a form, or no password manager keeps what is in them. */
import { element } from "../page/element.js";
import type { Words } from "../texts/words.js";

/** Fewer characters are guessed in no time. */
const LEAST_CHARACTERS = 8;

/** What password managers call them. */
const USERNAMES = { lock: "memory", backup: "backup" } as const;

export class PassphraseFields {
  readonly element: HTMLElement;
  readonly #words: Words;
  readonly #first: HTMLInputElement;
  readonly #again: HTMLInputElement;
  readonly #problem: HTMLElement;

  /** `name` tells these fields from others of the panel. */
  constructor(name: keyof typeof USERNAMES, words: Words) {
    this.#words = words;
    this.#problem = element("p", { class: "problem", role: "alert", id: `${name}-problem` });
    const field = (part: string): HTMLInputElement => element("input", {
      type: "password", class: "field", id: `${name}-${part}`, autocomplete: "new-password", "aria-describedby": this.#problem.id, "data-testid": `${name}-${part}`,
    });
    this.#first = field("passphrase");
    this.#again = field("again");
    this.element = element("div", {},
      // There is no name to give, but password managers keep a passphrase under one.
      element("input", { type: "text", hidden: true, autocomplete: "username", value: USERNAMES[name] }),
      element("label", { class: "label", for: this.#first.id }, words.of("passphrase")), this.#first,
      element("label", { class: "label", for: this.#again.id }, words.of("passphraseAgain")), this.#again, this.#problem);
  }

  /** The passphrase; undefined, and what is wrong shown, when there is none that can be used. */
  read(): string | undefined {
    const passphrase = this.#first.value;
    const [problem, wrong] = passphrase.length < LEAST_CHARACTERS
      ? [this.#words.of("passphraseShort", { n: LEAST_CHARACTERS }), this.#first]
      : passphrase !== this.#again.value ? [this.#words.of("passphraseDiffers"), this.#again] : [undefined, undefined];
    this.#problem.textContent = problem ?? "";
    for (const input of [this.#first, this.#again]) input.setAttribute("aria-invalid", String(input === wrong));
    wrong?.focus();
    return problem === undefined ? passphrase : undefined;
  }

  clear(): void {
    for (const input of [this.#first, this.#again]) input.value = "";
    this.#problem.textContent = "";
  }
}
