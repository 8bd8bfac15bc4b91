/** Asks before anything is forgotten: what would go, what else tells it, and afterwards what went. */
import type { ForgottenRecord } from "../../forget.js";
import { KINDS } from "../entries/kind.js";
import { valueText } from "../entries/value-text.js";
import type { Announcer } from "../page/announcer.js";
import { clipped, element, fill, focusedIn, reason } from "../page/element.js";
import { icon } from "../page/icon.js";
import type { Words } from "../texts/words.js";
import type { User } from "../tools.js";
import { countsInWords, total } from "./counts.js";
import { type Choice, choicesFor, forget, MOST_LISTED, preview, type Target } from "./target.js";

/** Enough of a text to know it by. */
const TEXT_CHARACTERS = 240;
/** How many of what goes along are shown at first. */
const SHOWN = 20;

export class ForgetDialog {
  readonly #element: HTMLDialogElement;
  readonly #place: Element;
  readonly #user: User;
  readonly #words: Words;
  readonly #announcer: Announcer;
  readonly #labelOf: (field: string) => string;
  readonly #changed: () => void;
  readonly #title = element("h2", { id: "forget-title", tabindex: -1, dir: "auto" });
  readonly #content = element("div", { class: "forget", "data-testid": "forget-content" });
  readonly #state = element("p", { class: "outcome", role: "status", "data-testid": "forget-state" });
  readonly #confirm = element("button", { type: "button", class: "button button-danger", "data-testid": "forget-confirm", onclick: () => void this.#forget() });
  readonly #cancel: HTMLButtonElement;
  readonly #finish: HTMLButtonElement;
  #target: Target = { ids: [] };
  #choices: readonly Choice[] = [];
  readonly #chosen = new Set<string>();
  /** Which opening of the dialog, and which look at what would go, is the last. */
  #looks = 0;
  #isDone = false;
  #after: ((forgotten: boolean) => void) | undefined;

  /** `place` is where it stands while it is open; `labelOf` names the fields of profiles; `changed` is called when something was forgotten. */
  constructor(place: Element, user: User, words: Words, announcer: Announcer, labelOf: (field: string) => string, changed: () => void) {
    this.#place = place;
    this.#user = user;
    this.#words = words;
    this.#announcer = announcer;
    this.#labelOf = labelOf;
    this.#changed = changed;
    this.#cancel = element("button", { type: "button", class: "button", "data-testid": "forget-cancel", onclick: () => this.#element.close() }, words.of("cancel"));
    this.#finish = element("button", { type: "button", class: "button button-main", "data-testid": "forget-done", onclick: () => this.#element.close() }, words.of("done"));
    const close = element("button", { type: "button", class: "icon-button", "aria-label": words.of("close"), onclick: () => this.#element.close() }, icon("close"));
    this.#element = element("dialog", { class: "dialog", "aria-labelledby": "forget-title", "data-testid": "forget-dialog" },
      element("div", { class: "dialog-head" }, this.#title, close), this.#content,
      element("div", { class: "dialog-foot" }, this.#state, element("div", { class: "buttons" }, this.#confirm, this.#cancel, this.#finish)));
    // The event comes with a later frame: by then the dialog may be open for something else.
    this.#element.addEventListener("close", () => {
      if (this.#element.open) return;
      this.#element.remove();
      this.#end();
    });
  }

  /** Shows what would go. `after` is called when the dialog is closed, with whether something went. */
  async open(target: Target, after?: (forgotten: boolean) => void): Promise<void> {
    this.#end();
    this.#isDone = false;
    this.#after = after;
    this.#target = target;
    this.#chosen.clear();
    this.#title.textContent = this.#titleOf(target);
    fill(this.#content, this.#difference());
    this.#state.textContent = this.#words.of("forgetLooking");
    this.#count(0);
    this.#confirm.hidden = this.#cancel.hidden = false;
    this.#finish.hidden = true;
    if (!this.#element.isConnected) this.#place.append(this.#element);
    this.#element.showModal();
    const look = (this.#looks += 1);
    try {
      const choices = await choicesFor(this.#user, target);
      if (look !== this.#looks) return;
      this.#choices = choices;
      for (const { record, isMeant } of choices) if (isMeant) this.#chosen.add(record.id);
      await this.#look();
    } catch (error) {
      if (look === this.#looks) this.#state.textContent = reason(error);
    }
  }

  /** Ends what the dialog was last opened for, once. */
  #end(): void {
    this.#looks += 1;
    fill(this.#content); // nothing that was forgotten stays on the page
    this.#title.textContent = "";
    this.#choices = [];
    const after = this.#after;
    this.#after = undefined;
    after?.(this.#isDone);
  }

  /** Shows what would go as it is chosen now. */
  async #look(): Promise<void> {
    const look = (this.#looks += 1);
    const chosen = this.#chosenRecords();
    try {
      const would = await preview(this.#user, this.#target, chosen);
      if (look !== this.#looks) return;
      const counts = would.forgotten;
      // What is not chosen may go all the same, with what it rests on.
      const along = (would.found ?? []).filter(({ id }) => !this.#chosen.has(id));
      const focused = focusedIn(this.#content)?.id;
      fill(this.#content, this.#difference(), this.#along(along, (would.found?.length ?? 0) < total({ ...counts, task: 0 })), this.#offered());
      if (focused) this.#content.querySelector<HTMLElement>(`#${CSS.escape(focused)}`)?.focus();
      const isNothing = total(counts) === 0;
      const nothing = this.#choices.length === 0 && "words" in this.#target ? "nothingFound" : "nothingChosen";
      this.#state.textContent = isNothing
        ? this.#words.of(nothing)
        : [this.#words.of("wouldGo", { counts: countsInWords(counts, this.#words) }), this.#anew(would.rewritten)].filter(Boolean).join(" ");
      this.#count(total(counts));
    } catch (error) {
      if (look === this.#looks) this.#state.textContent = reason(error);
    }
  }

  #difference(): HTMLElement {
    return element("p", { class: "hint" }, this.#words.of("forgetDifference"));
  }

  #anew(counts: Parameters<typeof countsInWords>[0]): string {
    const anew = countsInWords(counts, this.#words);
    return anew === "" ? "" : this.#words.of("madeAnew", { counts: anew });
  }

  #chosenRecords(): ForgottenRecord[] {
    return this.#choices.map(({ record }) => record).filter(({ id }) => this.#chosen.has(id));
  }

  /** What is meant, and what goes with it. */
  #along(records: readonly ForgottenRecord[], hasMore: boolean): HTMLElement | undefined {
    if (records.length === 0) return undefined;
    const rows = records.map((record) => element("li", { class: "forget-record", "data-testid": "forget-along" }, ...this.#told(record)));
    const rest = rows.slice(SHOWN);
    return element("section", {},
      element("h3", {}, this.#words.of("whatGoes")),
      element("ul", { class: "plain-list" }, ...rows.slice(0, SHOWN)),
      rest.length > 0 && element("details", {}, element("summary", {}, this.#words.of(hasMore ? "moreAndMore" : "andMore", { n: rest.length })), element("ul", { class: "plain-list" }, ...rest)));
  }

  /** What else tells it: the user chooses. */
  #offered(): HTMLElement | undefined {
    if (this.#choices.length === 0) return undefined;
    return element("section", {},
      element("h3", {}, this.#words.of("words" in this.#target ? "whatHasToDo" : "whatElseTells")),
      element("ul", { class: "plain-list" }, ...this.#choices.map(({ record, saysMore }, index) => {
        const box = element("input", {
          type: "checkbox", id: `forget-choice-${index}`, checked: this.#chosen.has(record.id), "data-testid": "forget-choice",
          onchange: () => {
            if (box.checked) this.#chosen.add(record.id);
            else this.#chosen.delete(record.id);
            void this.#look();
          },
        });
        return element("li", {}, element("label", { class: "check forget-record" }, box, element("span", {}, ...this.#told(record, saysMore))));
      })),
      this.#choices.length >= MOST_LISTED && element("p", { class: "hint" }, this.#words.of("firstChoices", { n: MOST_LISTED })));
  }

  #count(n: number): void {
    this.#confirm.textContent = n === 0 ? this.#words.of("sectionForget") : this.#words.of("forgetThings", { n });
    this.#confirm.disabled = n === 0;
  }

  async #forget(): Promise<void> {
    const look = (this.#looks += 1);
    const chosen = this.#chosenRecords();
    this.#confirm.disabled = true;
    for (const box of this.#content.querySelectorAll("input")) box.disabled = true;
    this.#state.textContent = this.#words.of("forgetting");
    try {
      const { forgotten, rewritten, at = Date.now() } = await forget(this.#user, this.#target, chosen);
      this.#isDone = true;
      this.#changed();
      if (look !== this.#looks) return;
      this.#choices = [];
      const counts = countsInWords(forgotten, this.#words);
      const anew = this.#anew(rewritten);
      this.#title.textContent = this.#words.of("forgotten");
      fill(this.#content, element("div", { class: "receipt", "data-testid": "receipt" },
        element("p", { class: "value" }, counts),
        anew !== "" && element("p", {}, anew),
        element("p", { class: "byline" }, this.#words.time(at)),
        element("p", { class: "hint" }, this.#words.of("receiptStays")),
        element("p", { class: "hint" }, this.#words.of("copiesElsewhere"))));
      this.#state.textContent = "";
      this.#confirm.hidden = this.#cancel.hidden = true;
      this.#finish.hidden = false;
      this.#finish.focus();
      this.#announcer.say(`${this.#words.of("forgotten")}: ${counts}.`);
    } catch (error) {
      if (look !== this.#looks) return;
      await this.#look();
      this.#state.textContent = `${this.#words.of("nothingWasForgotten")} ${reason(error)}`;
    }
  }

  #titleOf(target: Target): string {
    if ("everything" in target) return this.#words.of("askEverything");
    if ("threadId" in target) return this.#words.of("askChat");
    if ("words" in target) return this.#words.of("askAbout", { words: clipped(target.words, 60) });
    return this.#words.of("askThis");
  }

  #told(record: ForgottenRecord, saysMore = false): HTMLElement[] {
    const { kind, createdAt } = record;
    return [
      element("span", { class: "forget-text", dir: "auto" }, clipped(this.#wordsOf(record), TEXT_CHARACTERS) || this.#words.of("noWords")),
      element("span", { class: "byline" },
        element("span", {}, this.#words.of(KINDS[kind][0])), element("span", {}, this.#words.time(createdAt)),
        saysMore && element("strong", {}, this.#words.of("saysMore"))),
    ];
  }

  /** The words as the panel says them elsewhere. */
  #wordsOf({ kind, text }: ForgottenRecord): string {
    const [, name, value] = (kind === "field" && /^([^:]+): (.*)$/s.exec(text)) || [];
    if (name === undefined || value === undefined) return text.trim();
    try {
      return `${this.#labelOf(name)}: ${valueText(JSON.parse(value))}`;
    } catch {
      return text;
    }
  }
}
