/** One remembered thing, handled in one way whatever its kind: pin, edit, delete, forget, why and history, and undo after each change. */
import { kept } from "../../live/state.js";
import type { Difference, Kind, Revision } from "../../types.js";
import { type Child, clipped, element, fill, focusedIn } from "../page/element.js";
import { icon } from "../page/icon.js";
import type { Row } from "../page/list.js";
import type { Tools } from "../tools.js";
import { History } from "./history.js";
import { Why } from "./why.js";

/** Enough of a text to name its controls by. */
const NAME_CHARACTERS = 80;

export interface Entry {
  /** Undefined as long as nothing is remembered here. */
  readonly id: string | undefined;
  readonly kind: Kind;
  /** What the controls are named after, such as the words of a fact. */
  readonly name: string;
  /** Undefined where pinning means nothing. */
  readonly pinned?: boolean | undefined;
}

/** How the things of one kind are shown. */
export interface EntryView<Shown> {
  /** Names the row for tests, such as `fact`. */
  testId(shown: Shown): string;
  entry(shown: Shown): Entry;
  /** What stands beside the controls. */
  head(shown: Shown): Child[];
  /** What stands below them. */
  body(shown: Shown): Child[];
  /**
   * A form in place of the body, where the thing can be edited; it calls `close` when it is done with. What is gone by then is made
   * anew.
   */
  readonly editor?: (shown: Shown, close: () => void, isGone: () => boolean) => HTMLElement;
  /** Brings an earlier revision back, and tells it. */
  readonly restore?: (shown: Shown, revision: number) => Promise<void>;
  /** A revision in words, where its own text does not say all. */
  readonly words?: (revision: Revision) => string | undefined;
  readonly compare?: (shown: Shown, from: number, to: number) => Promise<Difference>;
}

export class EntryRow<Shown> implements Row<Shown> {
  readonly element: HTMLElement;
  readonly #body = element("div", { class: "item-body" });
  readonly #more: HTMLElement;
  readonly #why: Why;
  readonly #history: History;
  readonly #forgetButton: HTMLButtonElement;
  readonly #view: EntryView<Shown>;
  readonly #tools: Tools;
  #shown: Shown;
  #editor: HTMLElement | undefined;
  #isGone = false;

  constructor(shown: Shown, view: EntryView<Shown>, tools: Tools, tag: "li" | "div" = "li") {
    this.#shown = shown;
    this.#view = view;
    this.#tools = tools;
    const { user, words } = tools;
    const id = (): string | undefined => view.entry(this.#shown).id;
    this.#why = new Why(async () => { const known = id(); return known === undefined ? undefined : user.explain(known); }, tools);
    const { restore, compare } = view;
    this.#history = new History({
      load: async () => { const known = id(); return known === undefined ? [] : user.history(known); },
      restore: restore && ((revision) => restore(this.#shown, revision)),
      compare: compare && ((from, to) => compare(this.#shown, from, to)),
      words: view.words,
    }, tools);
    const { kind } = view.entry(shown);
    this.#forgetButton = element("button", { type: "button", class: "link-button", "data-testid": `forget-${kind}`, onclick: () => this.#forget() }, words.of("forget"));
    this.#more = element("div", { class: "item-more" }, this.#why.element, this.#history.element, this.#forgetButton);
    this.element = element(tag, { class: "item", tabindex: -1, "data-testid": view.testId(shown) }, this.#body, this.#more);
    this.#render();
  }

  update(shown: Shown): void {
    if (shown === this.#shown) return; // a list that grows shows what it has again
    const isSame = kept(this.#shown, shown) === this.#shown;
    this.#shown = shown;
    if (this.#isGone) this.#say("");
    this.#isGone = false;
    if (this.#editor || isSame) return;
    this.#render();
    this.#tools.reading(this.#why.update());
    this.#tools.reading(this.#history.update());
  }

  /** What is being written stays; but nothing of what was forgotten does. */
  gone(): boolean {
    const { id } = this.#view.entry(this.#shown);
    if (!this.#editor || (id !== undefined && this.#tools.changes.isForgotten(id))) return false;
    if (!this.#isGone) this.#say(this.#tools.words.of("goneMeanwhile"));
    this.#more.hidden = this.#isGone = true;
    return true;
  }

  #say(problem: string): void {
    const said = this.#editor?.querySelector("[role=alert]");
    if (said) said.textContent = problem;
  }

  /** Asks before it is forgotten. */
  #forget(): void {
    const { id } = this.#view.entry(this.#shown);
    const list = this.#list();
    if (id === undefined) return;
    this.#tools.forget({ ids: [id] }, (forgotten) => {
      if (forgotten) list?.focus();
    });
  }

  /** Where the focus goes on when this is gone. */
  #list(): HTMLElement | undefined {
    return this.element.closest<HTMLElement>("[role=tabpanel], [role=group]") ?? undefined;
  }

  #render(): void {
    const { id, name, kind, pinned } = this.#view.entry(this.#shown);
    const { words } = this.#tools;
    const named = { name: clipped(name, NAME_CHARACTERS) };
    const focused = focusedIn(this.#body)?.dataset["control"];
    if (id !== undefined) this.element.id = `item-${id}`;
    this.element.classList.toggle("item-unknown", id === undefined);
    this.#more.hidden = id === undefined;
    this.#forgetButton.setAttribute("aria-label", words.of("forgetNamed", named));
    const isNew = id === undefined;
    const controls = [
      !isNew && pinned !== undefined && control("pin", words.of("pinNamed", named), words.of(pinned ? "unpin" : "pin"), `pin-${kind}`, () => void this.#pin(id, !pinned), pinned),
      this.#view.editor && control(isNew ? "plus" : "edit", words.of(isNew ? "addNamed" : "editNamed", named), words.of(isNew ? "add" : "edit"), `${isNew ? "add" : "edit"}-${kind}`, () => this.#edit()),
      !isNew && control("bin", words.of("deleteNamed", named), words.of("delete"), `delete-${kind}`, () => void this.#delete(id)),
    ];
    fill(this.#body, element("div", { class: "item-head" }, ...this.#view.head(this.#shown), ...controls), ...this.#view.body(this.#shown));
    // The control that was used stays under the finger, though it is a new one.
    if (focused) this.#body.querySelector<HTMLElement>(`[data-control="${focused}"]`)?.focus();
  }

  #edit(): void {
    const editor = this.#view.editor?.(this.#shown, () => {
      this.#editor = undefined;
      if (this.#isGone) {
        this.#list()?.focus();
        return this.#tools.update();
      }
      this.#render();
      this.#body.querySelector<HTMLElement>("[data-control=edit], [data-control=plus]")?.focus();
    }, () => this.#isGone);
    if (!editor) return;
    this.#editor = editor;
    fill(this.#body, element("div", { class: "item-head" }, ...this.#view.head(this.#shown)), editor);
    editor.querySelector<HTMLElement>(".field")?.focus();
  }

  async #pin(id: string, pinned: boolean): Promise<void> {
    const { changes, user } = this.#tools;
    await changes.make(pinned ? "pinned" : "unpinned", () => user.items.pin(id, pinned));
  }

  async #delete(id: string): Promise<void> {
    const { changes, user } = this.#tools;
    await changes.make("deleted", () => user.items.delete(id), this.#list());
  }
}

function control(drawing: "pin" | "edit" | "plus" | "bin", label: string, title: string, testId: string, use: () => void, pressed?: boolean): HTMLButtonElement {
  return element("button", {
    type: "button", class: "icon-button", "aria-label": label, title,
    "aria-pressed": pressed === undefined ? undefined : String(pressed), "data-control": drawing, "data-testid": testId, onclick: use,
  }, icon(drawing));
}
