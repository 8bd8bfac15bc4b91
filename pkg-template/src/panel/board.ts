/** What the panel shows of one memory in one language: what one looks for most on tabs of their own, everything else behind menus. */
import type { AnyEvent, ChangeEvent } from "../events.js";
import { Query } from "../live/query.js";
import type { Live } from "../live/state.js";
import type { Memory } from "../memory.js";
import { Changes } from "./entries/changes.js";
import { ForgetDialog } from "./forgetting/dialog.js";
import type { Target } from "./forgetting/target.js";
import { Announcer } from "./page/announcer.js";
import { element } from "./page/element.js";
import { icon } from "./page/icon.js";
import { Menu } from "./page/menu.js";
import { Tabs } from "./page/tabs.js";
import { Toast } from "./page/toast.js";
import { described, type OwnPlace, type Plan, planned } from "./sections.js";
import { OwnSection } from "./sections/own.js";
import { labelsOf } from "./sections/profile.js";
import type { Section, Standing } from "./sections/section.js";
import type { Key, Words } from "./texts/words.js";
import type { Settings, Tools, User } from "./tools.js";

export interface BoardOptions {
  readonly user: User;
  readonly memory: Memory | undefined;
  readonly words: Words;
  readonly settings: Settings;
  readonly names: readonly string[];
  readonly own: readonly OwnPlace[];
  /** Another direction than that of the words. */
  readonly direction: string;
  /** Called after each reading, with why it failed; without anything also when what is shown may not be seen any more. */
  read(outcome: Pick<Live<unknown>, "error" | "pending">): void;
  /** Called when a section of the page's own comes into view. */
  shown(section: string): void;
}

/** Where items of a kind are looked at. */
const PLACES: Readonly<Record<string, string>> = {
  field: "profile", fact: "facts", entity: "graph", relation: "graph", proposal: "proposals", instruction: "instructions", episode: "episodes", document: "documents", block: "blocks",
};

export class Board {
  readonly element: HTMLElement;
  readonly #options: BoardOptions;
  readonly #plans: readonly Plan[];
  readonly #sections = new Map<string, Section>();
  readonly #menus = new Map<string, Menu>();
  readonly #tabs: Tabs;
  readonly #changes: Changes;
  readonly #dialog: ForgetDialog;
  readonly #waiting: HTMLButtonElement;
  /** What stands on all tabs, read again whenever it may have changed. */
  readonly #standings: Query;

  constructor(options: BoardOptions) {
    this.#options = options;
    const { user, memory, words, settings, names, own } = options;
    this.#plans = planned(names, own);
    const changed = (): void => void this.update();
    const announcer = new Announcer();
    this.element = element("div", { class: "panel", lang: words.language, dir: options.direction || words.direction });
    const changes = (this.#changes = new Changes(user, words, new Toast(this.element, words.of("dismiss")), changed));
    this.#dialog = new ForgetDialog(this.element, user, words, announcer, (field) => labelsOf(settings.profiles).get(field) ?? field, changed);
    const tools: Tools = {
      user, memory, words, settings, changes, announcer,
      update: changed,
      reading: (more) => void more.catch(changed),
      tell: (section, standing) => this.#tell(section, standing),
      forget: (target, after) => void this.#dialog.open(target, after),
      wayTo: (section) => (this.#plans.some(({ sections }) => sections.includes(section)) ? () => this.go(section) : undefined),
    };
    this.#tabs = new Tabs(words.of("title"), this.#plans.flatMap((plan) => this.#tab(plan, tools)));
    this.#waiting = element("button", { type: "button", class: "waiting", hidden: true, "data-testid": "waiting", onclick: () => this.go("proposals") });
    const undo = element("button", {
      type: "button", class: "icon-button", "aria-label": words.of("undoLast"), title: words.of("undoLast"), "data-testid": "undo-last", onclick: () => void changes.undoLast(),
    }, icon("undo"));
    this.element.prepend(
      ...(this.#sections.size > 0 ? [element("div", { class: "head" }, element("h2", { class: "title" }, words.of("title")), undo, this.#waiting), this.#tabs.element] : []),
      announcer.element);
    this.#standings = new Query({ key: "panel", ask: () => this.#read() }, user.scope, () => user);
    this.#standings.listen(() => this.#show());
  }

  /** The section that is looked at; empty while a menu is. */
  get section(): string {
    const id = this.#tabs.chosen ?? "";
    const menu = this.#menus.get(id);
    return menu ? (menu.chosen ?? "") : id;
  }

  /** Goes to a section, as far as it is there. */
  go(section: string): void {
    const plan = this.#plans.find(({ id, sections }) => id === section || sections.includes(section));
    if (!plan) return;
    this.#tabs.choose(plan.id);
    if (plan.id !== section) this.#menus.get(plan.id)?.choose(section);
  }

  /** Shows one item and points at it; answers whether it is there. */
  async reveal(id: string): Promise<boolean> {
    const item = await this.#options.user.items.get(id);
    const section = PLACES[item?.kind ?? ""] ?? "";
    this.go(section);
    const shown = await this.#sections.get(section)?.reveal?.(id);
    shown?.scrollIntoView({ block: "center" });
    shown?.focus({ preventScroll: true });
    return shown !== undefined;
  }

  /** Asks, and forgets on a yes; answers whether something was forgotten. */
  forget(target: Target): Promise<boolean> {
    return new Promise((resolve) => void this.#dialog.open(target, resolve));
  }

  /** The memory tells of something. */
  heard(told: AnyEvent): void {
    if (told.name === "change") this.#changes.heard(told.event as ChangeEvent);
    this.#standings.heard(told);
  }

  /** Shows what the memory holds now. */
  update(): Promise<void> {
    return this.#standings.refresh();
  }

  /** Reads nothing from here on. */
  end(): void {
    this.#standings.end();
  }

  async #read(): Promise<Record<string, Standing>> {
    return Object.fromEntries(await Promise.all([...this.#sections].map(async ([name, section]) => [name, await section.update()] as const)));
  }

  #show(): void {
    const { data, error, pending } = this.#standings.state as Live<Record<string, Standing>>;
    for (const [name, standing] of Object.entries(data ?? {})) this.#tell(name, standing);
    this.#options.read({ error, pending } as Live<unknown>);
  }

  #tell(name: string, { count, hasMore = false, about }: Standing): void {
    const { words } = this.#options;
    const plan = this.#plans.find(({ sections }) => sections.includes(name));
    const menu = plan && this.#menus.get(plan.id);
    const number = count === undefined || count === 0 ? "" : `${words.number(count)}${hasMore ? "+" : ""}`;
    if (count !== undefined) menu ? menu.count(name, number) : this.#tabs.count(name, number);
    if (about !== undefined) menu?.tell(name, about);
    if (name !== "proposals" || count === undefined) return;
    this.#waiting.hidden = count === 0;
    this.#waiting.textContent = words.of("waiting", { n: count });
  }

  #tab({ id, sections }: Plan, tools: Tools) {
    const places = sections.flatMap((name) => this.#place(name, tools));
    const [first] = places;
    if (!first) return [];
    if (id === first.id) return [first];
    const { words } = this.#options;
    const label = words.of(id === "privacy" ? "sectionPrivacy" : "sectionMore");
    const menu = new Menu(words.of("backTo", { name: label }), places);
    this.#menus.set(id, menu);
    return [{ id, label, content: menu.element, shown: () => menu.close() }];
  }

  #place(name: string, tools: Tools) {
    const { words, own, shown } = this.#options;
    const description = described(name);
    const place = own.find((one) => one.name === name);
    const section = description ? description.make(tools) : new OwnSection(name, () => shown(name));
    if (!section) return [];
    this.#sections.set(name, section);
    const texts = (key: Key | undefined, otherwise: string | undefined): string => (key ? words.of(key) : (otherwise ?? name));
    return [{ id: name, label: texts(description?.label, place?.label), about: texts(description?.about, place?.about), content: section.element, shown: () => section.shown?.() }];
  }
}
