/** `<mnemic-panel>`: the element, its attributes and properties. */
import type { EncryptionKey } from "../encryption.js";
import type { MnemicError } from "../errors.js";
import type { Live } from "../live/state.js";
import type { Memory } from "../memory.js";
import type { JsonSchema } from "../schema.js";
import type { Filter, Source } from "../types.js";
import { Board } from "./board.js";
import type { Target } from "./forgetting/target.js";
import { Base, upgrade } from "./page/custom-element.js";
import { element, reason } from "./page/element.js";
import { DEFAULT_SECTIONS, described, type OwnPlace } from "./sections.js";
import { styleSheet } from "./styles/index.js";
import { Words } from "./texts/words.js";
import type { Settings, User } from "./tools.js";

/** The schemas of profiles by their ids, as the memory was opened with; the `title` of a field is its label. */
export type PanelProfiles = Readonly<Record<string, JsonSchema>>;

/** An app's own way to lock its memory. */
export interface Locking {
  /** Locks the memory, or changes the key. */
  change(key: EncryptionKey): Promise<void>;
  remove(): Promise<void>;
  /** Closes the memory so that the key is asked for, such as by a reload. Without it there is no such button. */
  now?(): void;
}

/** Failures after which nothing that was read before may be seen, or can be changed. */
const WITHHELD: ReadonlySet<unknown> = new Set(["Locked", "Closed", "Crashed"]);

/** What may have been set before the element was known to the page. */
const PROPERTIES = ["user", "section"] as const;

/**
 * What a memory holds of a user, from where, and everything that can be done about it.
 *
 * Set the properties before `user`; attributes may change at any time.
 *
 * - `lang`: the language, `en`, `de`, `es`, `ja`, `ko` or `zh`. Default: that of the page around it.
 * - `dir`: the direction. Default: that of the language, whatever the page's is.
 * - `sections`: names of sections in their order. Default: `"profile facts graph search privacy more"`.
 * - `model`: the memory has a language model; then what takes one is offered.
 *
 * A child with a `slot` and an `aria-label` is a section of its own, named by its slot. `"mnemic-section"` tells when it comes into
 * view, `"mnemic-error"` what could not be read.
 */
export class MnemicPanel extends Base {
  static readonly observedAttributes = ["lang", "dir", "sections", "model"];
  /** What the fields of profiles are called and which values they take. Default: only fields with a value are shown, by their names. */
  declare profiles: PanelProfiles | undefined;
  /** The conversation that is open, for what a model is to learn from it. */
  declare threadId: string | undefined;
  /** Which messages the search finds. Default: all. */
  declare messageFilter: Filter | undefined;
  /** Shows a message that something was learned from. Default: there is no way to it. */
  declare showSource: ((source: Source) => void) | undefined;
  /** Default: `memory.encryption`. */
  declare locking: Locking | undefined;
  #user: User | undefined;
  #board: Board | undefined;
  #section = "";
  /** Which building of the board is the last. */
  #builds = 0;
  #built: Promise<void> = Promise.resolve();
  #stop: (() => void) | undefined;

  constructor() {
    super();
    this.attachShadow({ mode: "open" }).adoptedStyleSheets = [styleSheet()];
  }

  /** The scope that is shown; nothing is without one. */
  get user(): User | undefined { return this.#user; }
  set user(user: User | undefined) {
    if (user === this.#user) return;
    this.#user = user;
    this.#build();
  }

  /** The section that is looked at; empty while a menu is. Setting it goes there. */
  get section(): string { return this.#board?.section ?? this.#section; }
  set section(section: string) {
    this.#section = section;
    this.#board?.go(section);
  }

  /** Shows an item by its id and points at it. Resolves to whether it is there. */
  async reveal(id: string): Promise<boolean> {
    await this.#built;
    return (await this.#board?.reveal(id)) ?? false;
  }

  /**
   * Shows what would be forgotten, asks, and forgets it: items or messages by their ids, a conversation, what has to do with some
   * words, or everything. Resolves to whether something was forgotten.
   */
  async forget(target: Target): Promise<boolean> {
    await this.#built;
    return (await this.#board?.forget(target)) ?? false;
  }

  /** Reads everything again. Only needed for a scope that is elsewhere: an open memory tells of its changes. */
  async refresh(): Promise<void> {
    await this.#built;
    await this.#board?.update();
  }

  /** @internal */
  connectedCallback(): void {
    upgrade<(typeof PROPERTIES)[number]>(this, PROPERTIES);
    if (!this.#board) return this.#build();
    this.#listen();
    void this.#board.update();
  }

  /** @internal */
  disconnectedCallback(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  /** @internal */
  attributeChangedCallback(_name: string, former: string | null, value: string | null): void {
    if (former !== value) this.#build();
  }

  #build(): void {
    this.#builds += 1;
    this.#built = this.#buildAnew(this.#builds);
  }

  async #buildAnew(build: number): Promise<void> {
    await Promise.resolve(); // several attributes are set together
    const user = this.#user;
    if (build !== this.#builds) return;
    if (!user || !this.isConnected) return this.#drop();
    try {
      const words = await Words.of(this.#languages()).catch((error: unknown) => {
        this.#tell("mnemic-error", { error, message: reason(error) });
        return Words.of([]); // better in English than not at all
      });
      if (build !== this.#builds || !this.isConnected) return;
      const section = this.section;
      this.#drop();
      const board = (this.#board = new Board({
        user, words, direction: this.dir, memory: memoryOf(user), settings: this.#settings(), own: this.#own(),
        names: (this.getAttribute("sections") ?? DEFAULT_SECTIONS).split(/\s+/).filter(Boolean),
        read: (outcome) => this.#read(board, outcome, words),
        shown: (name) => this.#tell("mnemic-section", { section: name }),
      }));
      this.shadowRoot?.replaceChildren(board.element);
      this.#listen();
      if (section !== "") board.go(section);
      await board.update();
    } catch (error) {
      this.#tell("mnemic-error", { error, message: reason(error) });
    }
  }

  #drop(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#board?.end();
    this.#board = undefined;
    this.shadowRoot?.replaceChildren();
  }

  #listen(): void {
    this.#stop ??= memoryOf(this.#user)?.watch((event) => this.#board?.heard(event));
  }

  /** What was locked or closed is not shown any more, and is made anew when it can be read again. */
  #read(board: Board, { error, pending }: Pick<Live<unknown>, "error" | "pending">, words: Words): void {
    if (board !== this.#board) return;
    if (error) this.#tell("mnemic-error", { error, message: reason(error) });
    const isShown = board.element.parentNode !== null;
    if (pending || WITHHELD.has((error as Partial<MnemicError> | undefined)?.code)) {
      const told = error && element("p", { class: "problem", role: "alert", "data-testid": "unreadable" }, `${words.of("notReadable")} ${reason(error)}`);
      this.shadowRoot?.replaceChildren(...(told ? [told] : []));
    } else if (!isShown && !error) this.#build();
  }

  #settings(): Settings {
    const panel = this;
    return {
      get profiles() { return panel.profiles; },
      get threadId() { return panel.threadId; },
      get messageFilter() { return panel.messageFilter; },
      get showSource() { return panel.showSource; },
      get locking() { return panel.locking; },
      get hasModel() { return panel.hasAttribute("model"); },
    };
  }

  #own(): OwnPlace[] {
    return [...this.children].flatMap(({ slot, ariaLabel, dataset }: Element & { readonly dataset?: DOMStringMap }) =>
      slot === "" || described(slot) ? [] : [{ name: slot, label: ariaLabel ?? slot, about: dataset?.["about"] ?? "" }]);
  }

  /** The language that is asked for here, else that of the page, else the reader's. */
  #languages(): string[] {
    const around = this.lang || (this.closest("[lang]")?.getAttribute("lang") ?? "");
    return around === "" ? [...navigator.languages] : [around];
  }

  #tell(name: string, detail: object): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

function memoryOf(user: User | undefined): Memory | undefined {
  return user?.memory as Memory | undefined;
}
