/** Asks before anything is forgotten: what would go, what else tells it, and afterwards what went. */
import type { ForgottenRecord } from "mnemic";
import type { Announcer } from "../page/announcer";
import { element, fill } from "../page/element";
import { icon } from "../page/icon";
import { describeMoment } from "../page/moment";
import { inDigits } from "../page/number";
import { reason } from "../page/reason";
import { clipped } from "../replies/fitting";
import { type FieldName, FIELD_LABELS } from "../profile-schema";
import { NO_ANSWER, type Session } from "../session";
import { countsInWords, nounOf, total } from "./kinds";
import { type Choice, choicesFor, forget, MOST_LISTED, preview, type Target } from "./target";

/** Enough of a text to know it by. */
const TEXT_CHARACTERS = 240;
/** How many of what goes along are shown at first. */
const SHOWN = 20;

/** How deleting and forgetting differ, in one line. */
export const DIFFERENCE = "Deleting hides a thing from the assistant and can be undone. Forgetting removes it for good, with its history.";

export class ForgetDialog {
  readonly element: HTMLDialogElement;
  readonly #session: Session;
  readonly #announcer: Announcer;
  readonly #title = element("h2", { id: "forget-title", tabindex: -1 });
  readonly #content = element("div", { class: "forget", "data-testid": "forget-content" });
  readonly #state = element("p", { class: "outcome", role: "status", "data-testid": "forget-state" });
  readonly #confirm = element("button", { type: "button", class: "button button-danger", "data-testid": "forget-confirm", onclick: () => void this.#forget() });
  readonly #cancel = element("button", { type: "button", class: "button", "data-testid": "forget-cancel", onclick: () => this.element.close() }, "Cancel");
  readonly #finish = element("button", { type: "button", class: "button button-main", "data-testid": "forget-done", onclick: () => this.element.close() }, "Done");
  #target: Target = { ids: [], noun: "thing" };
  #choices: readonly Choice[] = [];
  readonly #chosen = new Set<string>();
  /** Which opening of the dialog, and which look at what would go, is the last. */
  #looks = 0;
  #isDone = false;
  #after: ((forgotten: boolean) => void) | undefined;

  constructor(session: Session, announcer: Announcer) {
    this.#session = session;
    this.#announcer = announcer;
    const close = element("button", { type: "button", class: "icon-button", "aria-label": "Close", onclick: () => this.element.close() }, icon("close"));
    this.element = element("dialog", { class: "dialog", "aria-labelledby": "forget-title", "data-testid": "forget-dialog" },
      element("div", { class: "dialog-head" }, this.#title, close), this.#content,
      element("div", { class: "dialog-foot" }, this.#state, element("div", { class: "buttons" }, this.#confirm, this.#cancel, this.#finish)));
    // The event comes with a later frame: by then the dialog may be open for something else.
    this.element.addEventListener("close", () => {
      if (!this.element.open) this.#end();
    });
  }

  /** Shows what would go. `after` is called when the dialog is closed, with whether something went. */
  async open(target: Target, after?: (forgotten: boolean) => void): Promise<void> {
    this.#end();
    this.#isDone = false;
    this.#after = after;
    this.#target = target;
    this.#chosen.clear();
    this.#title.textContent = titleOf(target);
    fill(this.#content, element("p", { class: "hint" }, DIFFERENCE));
    this.#state.textContent = "Looking for what has to do with it…";
    this.#count(0);
    this.#confirm.hidden = this.#cancel.hidden = false;
    this.#finish.hidden = true;
    this.element.showModal();
    const look = (this.#looks += 1);
    try {
      const choices = await choicesFor(this.#session.user, target);
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
      const would = await preview(this.#session.user, this.#target, chosen);
      if (look !== this.#looks) return;
      const counts = would.forgotten;
      // What is not chosen may go all the same, with what it rests on.
      const along = (would.found ?? []).filter(({ id }) => !this.#chosen.has(id));
      const focused = document.activeElement?.id;
      fill(this.#content,
        element("p", { class: "hint" }, DIFFERENCE),
        this.#along(along, (would.found?.length ?? 0) < total({ ...counts, task: 0 })),
        this.#offered());
      if (focused) document.getElementById(focused)?.focus();
      const anew = countsInWords(would.rewritten);
      this.#state.textContent = total(counts) === 0
        ? this.#choices.length === 0 && "words" in this.#target ? "Nothing was found." : "Nothing is chosen."
        : `Would go: ${countsInWords(counts)}.${anew === "" ? "" : ` Made anew without it: ${anew}.`}`;
      this.#count(total(counts));
    } catch (error) {
      if (look === this.#looks) this.#state.textContent = reason(error);
    }
  }

  #chosenRecords(): ForgottenRecord[] {
    return this.#choices.map(({ record }) => record).filter(({ id }) => this.#chosen.has(id));
  }

  /** What is meant, and what goes with it. */
  #along(records: readonly ForgottenRecord[], hasMore: boolean): HTMLElement | undefined {
    if (records.length === 0) return undefined;
    const rows = records.map((record) => element("li", { class: "forget-record", "data-testid": "forget-along" }, ...told(record)));
    const rest = rows.slice(SHOWN);
    return element("section", {},
      element("h3", {}, "What goes"),
      element("ul", { class: "plain-list" }, ...rows.slice(0, SHOWN)),
      rest.length > 0 && element("details", {}, element("summary", {}, `${inDigits(rest.length)}${hasMore ? " and more" : " more"}`), element("ul", { class: "plain-list" }, ...rest)));
  }

  /** What else tells it: the user chooses. */
  #offered(): HTMLElement | undefined {
    if (this.#choices.length === 0) return undefined;
    return element("section", {},
      element("h3", {}, "words" in this.#target ? "What has to do with it" : "What else tells it"),
      element("ul", { class: "plain-list" }, ...this.#choices.map(({ record, note }, index) => {
        const box = element("input", {
          type: "checkbox", id: `forget-choice-${index}`, checked: this.#chosen.has(record.id), "data-testid": "forget-choice",
          onchange: () => {
            if (box.checked) this.#chosen.add(record.id);
            else this.#chosen.delete(record.id);
            void this.#look();
          },
        });
        return element("li", {}, element("label", { class: "check forget-record" }, box, element("span", {}, ...told(record, note))));
      })),
      this.#choices.length >= MOST_LISTED && element("p", { class: "hint" }, `These are the first ${MOST_LISTED}. Look again afterwards for more.`));
  }

  #count(count: number): void {
    this.#confirm.textContent = count === 0 ? "Forget" : `Forget ${inDigits(count)} ${count === 1 ? "thing" : "things"}`;
    this.#confirm.disabled = count === 0;
  }

  async #forget(): Promise<void> {
    const look = (this.#looks += 1);
    const chosen = this.#chosenRecords();
    this.#confirm.disabled = true;
    for (const box of this.#content.querySelectorAll("input")) box.disabled = true;
    this.#state.textContent = "Forgetting…";
    try {
      const { forgotten, rewritten, at = Date.now() } = await forget(this.#session.user, this.#target, chosen);
      this.#isDone = true;
      if (look !== this.#looks) return;
      this.#choices = [];
      const anew = countsInWords(rewritten);
      this.#title.textContent = "Forgotten";
      fill(this.#content, element("div", { class: "receipt", "data-testid": "receipt" },
        element("p", { class: "value" }, countsInWords(forgotten)),
        anew !== "" && element("p", {}, `Made anew without it: ${anew}.`),
        element("p", { class: "byline" }, describeMoment(at)),
        element("p", { class: "hint" }, "Undo cannot bring it back. This receipt stays under Privacy, Forget."),
        element("p", { class: "hint" }, "Copies elsewhere stay: backup files from before, and what a connected model was sent. The disk may hold old bytes for a while, unless the memory was locked before.")));
      this.#state.textContent = "";
      this.#confirm.hidden = this.#cancel.hidden = true;
      this.#finish.hidden = false;
      this.#finish.focus();
      this.#announcer.say(`Forgotten: ${countsInWords(forgotten)}.`);
    } catch (error) {
      if (look !== this.#looks) return;
      await this.#look();
      this.#state.textContent = `Nothing was forgotten. ${reason(error)}`;
    }
  }
}

function titleOf(target: Target): string {
  if ("everything" in target) return "Forget everything?";
  if ("threadId" in target) return "Forget this chat?";
  if ("words" in target) return `Forget everything about “${clipped(target.words, 60)}”?`;
  return `Forget this ${target.noun}?`;
}

function told(record: ForgottenRecord, note?: string): HTMLElement[] {
  const { kind, createdAt } = record;
  return [
    element("span", { class: "forget-text", dir: "auto" }, clipped(wordsOf(record), TEXT_CHARACTERS) || "(no words)"),
    element("span", { class: "byline" }, element("span", {}, nounOf(kind)), element("span", {}, describeMoment(createdAt)), note !== undefined && element("strong", {}, note)),
  ];
}

/** The words as the page says them elsewhere. */
function wordsOf({ kind, text }: ForgottenRecord): string {
  if (kind === "page") return text.split(`\n${NO_ANSWER}`)[0] ?? text;
  const [, name, value] = (kind === "field" && /^(\w+): (.*)$/s.exec(text)) || [];
  const label = FIELD_LABELS[name as FieldName] as string | undefined;
  if (label === undefined || value === undefined) return text.trim();
  try {
    return `${label}: ${[JSON.parse(value) as unknown].flat().join(", ")}`;
  } catch {
    return text;
  }
}
