/** "What I remember": every kind of memory on a tab of its own, then the search and the status. */
import { element } from "../page/element";
import { Tabs } from "../page/tabs";
import type { Toast } from "../page/toast";
import type { Recollection, Session } from "../session";
import { Changes } from "./changes";
import { DocumentsPanel } from "./documents";
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

export interface PanelActions {
  showSource: ShowSource;
  openSettings(): void;
  /** Called when the panel wants other facts than it was shown. */
  reload(): void;
  currentThread(): string;
}

/** A part of the panel that reads what it shows by itself, and answers how much that is. */
interface Part {
  readonly element: HTMLElement;
  update(): Promise<number>;
}

export class Panel {
  readonly element: HTMLElement;
  readonly changes: Changes;
  readonly #session: Session;
  readonly #tabs: Tabs;
  readonly #profile: ProfilePanel;
  readonly #facts: FactsPanel;
  readonly #parts: Record<"graph" | "instructions" | "episodes" | "documents" | "proposals", Part>;
  readonly #search: SearchPanel;
  readonly #status: StatusPanel;

  constructor(session: Session, toast: Toast, actions: PanelActions) {
    const changes = (this.changes = new Changes(session, toast));
    const tools: Tools = { session, changes, showSource: actions.showSource, currentThread: () => actions.currentThread() };
    this.#session = session;
    this.#profile = new ProfilePanel(tools);
    this.#facts = new FactsPanel(tools, () => actions.reload());
    this.#parts = {
      graph: new GraphPanel(tools), instructions: new InstructionsPanel(tools), episodes: new EpisodesPanel(tools),
      documents: new DocumentsPanel(tools), proposals: new ProposalsPanel(tools),
    };
    this.#search = new SearchPanel(session, actions.showSource);
    this.#status = new StatusPanel(tools, new ImportPanel(tools), () => actions.openSettings());
    const { graph, instructions, episodes, documents, proposals } = this.#parts;
    this.#tabs = new Tabs("What I remember", [
      { id: "profile", label: "Profile", content: this.#profile.element },
      { id: "facts", label: "Facts", content: this.#facts.element },
      { id: "graph", label: "Graph", content: graph.element },
      { id: "instructions", label: "Instructions", content: instructions.element },
      { id: "episodes", label: "Examples", content: episodes.element },
      { id: "documents", label: "Documents", content: documents.element },
      { id: "proposals", label: "Waiting", content: proposals.element },
      { id: "search", label: "Search", content: this.#search.element },
      { id: "status", label: "Status", content: this.#status.element },
    ]);
    this.#tabs.offer("proposals", false);
    this.element = element("div", { class: "panel" }, element("h2", {}, "What I remember"), this.#tabs.element);
  }

  /** Which facts the panel wants to be shown. */
  get wanted(): { factLimit: number; includeSuperseded: boolean } {
    return { factLimit: this.#facts.limit, includeSuperseded: this.#facts.includeSuperseded };
  }

  async show({ fields, facts }: Recollection): Promise<void> {
    this.#profile.show(fields);
    this.#facts.show(facts);
    this.#tabs.count("profile", fields.length);
    this.#tabs.count("facts", facts.length);
    const parts = Object.entries(this.#parts).map(async ([id, part]) => {
      const count = await part.update();
      this.#tabs.count(id, count);
      // What waits can still be decided on when the user is not asked any more.
      if (id === "proposals") this.#tabs.offer(id, count > 0 || this.#session.settings.review);
    });
    await Promise.all([...parts, this.#search.update(), this.#status.update()]);
  }

  /** Brings a tab to the front. */
  choose(tab: "proposals"): void {
    this.#tabs.choose(tab);
  }

  /** Shows one item and points at it. */
  pointAt(kind: "field" | "fact", id: string): void {
    this.#tabs.choose(kind === "field" ? "profile" : "facts");
    const item = document.getElementById(`item-${id}`);
    item?.scrollIntoView({ block: "center" });
    item?.focus({ preventScroll: true });
  }
}
