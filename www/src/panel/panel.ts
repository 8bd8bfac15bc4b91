/** "What I remember": the profile, the facts, the search and the status, each on its own tab. */
import { element } from "../page/element";
import { Tabs } from "../page/tabs";
import type { Toast } from "../page/toast";
import type { Recollection, Session } from "../session";
import { Changes } from "./changes";
import { FactsPanel } from "./facts";
import { ProfilePanel } from "./profile";
import { SearchPanel } from "./search";
import type { ShowSource } from "./sources";
import { StatusPanel } from "./status";

export interface PanelActions {
  showSource: ShowSource;
  openSettings(): void;
  /** Called when the panel wants other facts than it was shown. */
  reload(): void;
}

export class Panel {
  readonly element: HTMLElement;
  readonly #tabs: Tabs;
  readonly #profile: ProfilePanel;
  readonly #facts: FactsPanel;
  readonly #search: SearchPanel;
  readonly #status: StatusPanel;

  constructor(session: Session, toast: Toast, actions: PanelActions) {
    const changes = new Changes(session, toast);
    this.#profile = new ProfilePanel(session, changes, actions.showSource);
    this.#facts = new FactsPanel(session, changes, actions.showSource, () => actions.reload());
    this.#search = new SearchPanel(session, actions.showSource);
    this.#status = new StatusPanel(session, () => actions.openSettings());
    this.#tabs = new Tabs("What I remember", [
      { id: "profile", label: "Profile", content: this.#profile.element },
      { id: "facts", label: "Facts", content: this.#facts.element },
      { id: "search", label: "Search", content: this.#search.element },
      { id: "status", label: "Status", content: this.#status.element },
    ]);
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
    await Promise.all([this.#search.update(), this.#status.update()]);
  }

  /** Shows one item and points at it. */
  pointAt(kind: "field" | "fact", id: string): void {
    this.#tabs.choose(kind === "field" ? "profile" : "facts");
    const item = document.getElementById(`item-${id}`);
    item?.scrollIntoView({ block: "center" });
    item?.focus({ preventScroll: true });
  }
}
