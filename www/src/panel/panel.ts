/** "What I remember": what one looks for most on tabs of their own, everything else behind the last of them. */
import type { Announcer } from "../page/announcer";
import { element } from "../page/element";
import { icon } from "../page/icon";
import { Menu } from "../page/menu";
import { Tabs } from "../page/tabs";
import type { Toast } from "../page/toast";
import type { Recollection, Session } from "../session";
import type { ModelWindow } from "../window/model-window";
import { Changes } from "./changes";
import { DocumentsPanel } from "./documents";
import { PrivacyPanel } from "../privacy/privacy";
import { RestoreDialog } from "../privacy/restore";
import { EpisodesPanel } from "./episodes";
import { FactsPanel } from "./facts";
import { GraphPanel } from "./graph";
import { ImportPanel } from "./import";
import { InstructionsPanel } from "./instructions";
import { ProfilePanel } from "./profile";
import { ProposalsPanel } from "./proposals";
import { SearchPanel } from "./search";
import type { ShowSource } from "./sources";
import { StatusPanel } from "./status";
import type { Tools } from "./tools";
import { WindowPanel } from "./window";

export interface PanelActions {
  showSource: ShowSource;
  openSettings(): void;
  /** Called when the panel wants other facts than it was shown. */
  reload(): void;
  forget: Tools["forget"];
  currentThread(): string;
}

export class Panel {
  readonly element: HTMLElement;
  readonly changes: Changes;
  readonly #tabs: Tabs;
  readonly #menu: Menu;
  readonly #waiting = element("button", { type: "button", class: "waiting", hidden: true, "data-testid": "waiting", onclick: () => this.showWaiting() });
  readonly #profile: ProfilePanel;
  readonly #facts: FactsPanel;
  readonly #graph: GraphPanel;
  readonly #proposals: ProposalsPanel;
  readonly #instructions: InstructionsPanel;
  readonly #episodes: EpisodesPanel;
  readonly #documents: DocumentsPanel;
  readonly #window: WindowPanel;
  readonly #search: SearchPanel;
  readonly #import: ImportPanel;
  readonly #status: StatusPanel;
  readonly #privacy: PrivacyPanel;
  readonly restoring: RestoreDialog;

  constructor(session: Session, toast: Toast, window: ModelWindow, announcer: Announcer, actions: PanelActions) {
    const changes = (this.changes = new Changes(session, toast));
    const tools: Tools = { session, changes, showSource: actions.showSource, forget: actions.forget, currentThread: () => actions.currentThread() };
    this.#profile = new ProfilePanel(tools);
    this.#facts = new FactsPanel(tools, () => actions.reload());
    this.#graph = new GraphPanel(tools);
    this.#proposals = new ProposalsPanel(tools);
    this.#instructions = new InstructionsPanel(tools);
    this.#episodes = new EpisodesPanel(tools);
    this.#documents = new DocumentsPanel(tools);
    this.#window = new WindowPanel(tools, window, announcer, { openSettings: () => actions.openSettings(), choose: (tab) => this.#tabs.choose(tab) });
    this.#search = new SearchPanel(tools);
    this.restoring = new RestoreDialog(session, changes);
    this.#import = new ImportPanel(tools, (file) => this.restoring.ask(file));
    this.#privacy = new PrivacyPanel(tools, () => this.#show("import"));
    this.#status = new StatusPanel(tools, () => actions.openSettings());
    this.#menu = new Menu("More", [
      { id: "proposals", label: "To review", about: "Learned, but not remembered until you accept it", content: this.#proposals.element },
      { id: "instructions", label: "Instructions", about: "How replies should be", content: this.#instructions.element },
      { id: "episodes", label: "Examples", about: "What worked before, to do it again", content: this.#episodes.element },
      { id: "documents", label: "Documents", about: "Data that apps store here", content: this.#documents.element },
      { id: "import", label: "Restore and import", about: "From a backup, or from another app", content: this.#import.element },
      { id: "status", label: "Status and cost", about: "Where everything is stored, and what models have cost", content: this.#status.element },
    ]);
    this.#tabs = new Tabs("What I remember", [
      { id: "profile", label: "Profile", content: this.#profile.element },
      { id: "facts", label: "Facts", content: this.#facts.element },
      { id: "graph", label: "People", content: this.#graph.element },
      { id: "window", label: "Window", content: this.#window.element, shown: () => void this.#window.shown() },
      { id: "search", label: "Search", content: this.#search.element },
      { id: "privacy", label: "Privacy", content: this.#privacy.element, shown: () => this.#privacy.close() },
      { id: "more", label: "More", content: this.#menu.element, shown: () => this.#menu.close() },
    ]);
    const undo = element("button", {
      type: "button", class: "icon-button", "aria-label": "Undo the last change", title: "Undo the last change", "data-testid": "undo-last",
      onclick: () => void changes.undoLast(),
    }, icon("undo"));
    this.element = element("div", { class: "panel" },
      element("div", { class: "panel-head" }, element("h2", {}, "What I remember"), undo, this.#waiting), this.#tabs.element);
  }

  /** Which facts the panel wants to be shown. */
  get wanted(): { factLimit: number; includeEnded: boolean } {
    return { factLimit: this.#facts.limit, includeEnded: this.#facts.includeEnded };
  }

  async show({ fields, facts }: Recollection): Promise<void> {
    this.#profile.show(fields);
    this.#facts.show(facts);
    this.#tabs.count("profile", fields.length);
    this.#tabs.count("facts", facts.length);
    this.#import.update();
    const [entities, proposals, instructions, episodes, documents] = await Promise.all([
      this.#graph.update(), this.#proposals.update(), this.#instructions.update(), this.#episodes.update(), this.#documents.update(),
      this.#window.update(), this.#search.update(), this.#status.update(), this.#privacy.update(),
    ]);
    this.#tabs.count("graph", entities);
    for (const [id, count] of Object.entries({ proposals, instructions, episodes, documents })) this.#menu.count(id, count);
    this.#waiting.hidden = proposals === 0;
    this.#waiting.textContent = proposals === 1 ? "1 thing to review" : `${proposals} things to review`;
  }

  /** Shows what the model's window holds, and puts the focus there. */
  showWindow(): void {
    this.#tabs.choose("window");
    this.#window.element.focus();
  }

  /** Shows what waits for the user's yes. */
  showWaiting(): void {
    this.#show("proposals");
  }

  /** Goes to a place under More. */
  #show(place: string): void {
    this.#tabs.choose("more");
    this.#menu.choose(place);
  }

  /** Shows one item and points at it. */
  pointAt(kind: "field" | "fact", id: string): void {
    this.#tabs.choose(kind === "field" ? "profile" : "facts");
    const item = document.getElementById(`item-${id}`);
    item?.scrollIntoView({ block: "center" });
    item?.focus({ preventScroll: true });
  }
}
