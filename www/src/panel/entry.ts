/** One remembered thing, handled in one way whatever its kind: pin, edit, delete, forget, why and history, and undo after each change. */
import type { Difference, Revision } from "mnemic";
import { type Child, element, fill } from "../page/element";
import { icon } from "../page/icon";
import type { Row } from "../page/list";
import { History } from "./history";
import type { Tools } from "./tools";
import { Why } from "./why";

export interface Entry {
  /** Undefined as long as nothing is remembered here. */
  readonly id: string | undefined;
  /** What sort of thing it is, such as "Fact"; notices begin with it. */
  readonly noun: string;
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
  /** A form in place of the body, where the thing can be edited; it calls `close` when it is done with. */
  readonly editor?: (shown: Shown, close: () => void) => HTMLElement;
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
  readonly #view: EntryView<Shown>;
  readonly #tools: Tools;
  #shown: Shown;
  #editing = false;

  constructor(shown: Shown, view: EntryView<Shown>, tools: Tools, tag: "li" | "div" = "li") {
    this.#shown = shown;
    this.#view = view;
    this.#tools = tools;
    const { session, showSource } = tools;
    const id = (): string | undefined => view.entry(this.#shown).id;
    this.#why = new Why(async () => { const known = id(); return known === undefined ? undefined : session.user.explain(known); }, showSource);
    const { restore, compare } = view;
    this.#history = new History({
      load: async () => { const known = id(); return known === undefined ? [] : session.user.history(known); },
      restore: restore && ((revision) => restore(this.#shown, revision)),
      compare: compare && ((from, to) => compare(this.#shown, from, to)),
      words: view.words,
      showSource,
    });
    this.#more = element("div", { class: "item-more" }, this.#why.element, this.#history.element, this.#forgetButton());
    this.element = element(tag, { class: "item", tabindex: -1, "data-testid": view.testId(shown) }, this.#body, this.#more);
    this.#render();
  }

  update(shown: Shown): void {
    const isSame = JSON.stringify(shown) === JSON.stringify(this.#shown);
    this.#shown = shown;
    if (this.#editing || isSame) return;
    this.#render();
    void this.#why.update();
    void this.#history.update();
  }

  #forgetButton(): HTMLElement {
    const { name, noun } = this.#view.entry(this.#shown);
    return element("button", {
      type: "button", class: "quiet-button", "aria-label": `Forget ${name}`, "data-testid": `forget-${noun.toLowerCase()}`, onclick: () => this.#forget(),
    }, "Forget…");
  }

  /** Asks before it is forgotten; a field is called by its own name, so it is a field. */
  #forget(): void {
    const { id, noun, name } = this.#view.entry(this.#shown);
    const list = this.element.closest<HTMLElement>("[role=tabpanel]") ?? undefined;
    if (id === undefined) return;
    this.#tools.forget({ ids: [id], noun: noun === name ? "field" : noun.toLowerCase() }, (forgotten) => {
      if (forgotten) list?.focus();
    });
  }

  #render(): void {
    const { id, name, noun, pinned } = this.#view.entry(this.#shown);
    const focused = document.activeElement instanceof HTMLElement && this.#body.contains(document.activeElement) ? document.activeElement.dataset["control"] : undefined;
    if (id !== undefined) this.element.id = `item-${id}`;
    this.element.classList.toggle("item-unknown", id === undefined);
    this.#more.hidden = id === undefined;
    this.#more.lastElementChild?.setAttribute("aria-label", `Forget ${name}`);
    const kind = noun.toLowerCase();
    const controls = [
      id !== undefined && pinned !== undefined && control("pin", `Pin ${name}`, kind, () => void this.#pin(id, !pinned), pinned),
      this.#view.editor && control(id === undefined ? "plus" : "edit", `${id === undefined ? "Add" : "Edit"} ${name}`, kind, () => this.#edit()),
      id !== undefined && control("bin", `Delete ${name}`, kind, () => void this.#delete(id)),
    ];
    fill(this.#body, element("div", { class: "item-head" }, ...this.#view.head(this.#shown), ...controls), ...this.#view.body(this.#shown));
    // The control that was used stays under the finger, though it is a new one.
    if (focused) this.#body.querySelector<HTMLElement>(`[data-control="${focused}"]`)?.focus();
  }

  #edit(): void {
    const editor = this.#view.editor?.(this.#shown, () => {
      this.#editing = false;
      this.#render();
      this.#body.querySelector<HTMLElement>("[data-control=edit], [data-control=plus]")?.focus();
    });
    if (!editor) return;
    this.#editing = true;
    fill(this.#body, element("div", { class: "item-head" }, ...this.#view.head(this.#shown)), editor);
    editor.querySelector<HTMLElement>(".field")?.focus();
  }

  async #pin(id: string, pinned: boolean): Promise<void> {
    const { changes, session } = this.#tools;
    const { noun } = this.#view.entry(this.#shown);
    await changes.make(`${noun} ${pinned ? "pinned: learning leaves it as it is" : "unpinned"}.`, "Could not pin this.", () => session.user.items.pin(id, pinned));
  }

  async #delete(id: string): Promise<void> {
    const { changes, session } = this.#tools;
    const { noun } = this.#view.entry(this.#shown);
    const list = this.element.closest<HTMLElement>("[role=tabpanel]") ?? undefined;
    await changes.make(`${noun} deleted. The assistant is no longer told it.`, "Could not delete this.", () => session.user.items.delete(id), list);
  }
}

function control(drawing: "pin" | "edit" | "plus" | "bin", label: string, kind: string, use: () => void, pressed?: boolean): HTMLButtonElement {
  const verb = { pin: "pin", edit: "edit", plus: "add", bin: "delete" }[drawing];
  return element("button", {
    type: "button", class: "icon-button", "aria-label": label, title: verb === "pin" && pressed ? "Unpin" : `${verb[0]?.toUpperCase()}${verb.slice(1)}`,
    "aria-pressed": pressed === undefined ? undefined : String(pressed), "data-control": drawing, "data-testid": `${verb}-${kind}`, onclick: use,
  }, icon(drawing));
}
