/** "What I remember": the panel of the package, with what only this app has as sections of its own. */
import type { Source } from "mnemic";
import { define, type ForgetTarget, type MnemicPanel } from "mnemic/panel";
import type { Changes } from "../changes";
import type { Announcer } from "../page/shared";
import { FIELD_LABELS, type FieldName, PROFILE_ID, PROFILE_SCHEMA } from "../profile-schema";
import type { Session } from "../session";
import { NOT_BY_MEMORY } from "../signature";
import type { ModelWindow } from "../window/model-window";
import { ImportPanel } from "./import";
import { InsidePanel } from "./inside";
import { RestoreDialog } from "./restore";
import { StatusPanel } from "./status";
import type { Tools } from "./tools";
import { WindowPanel } from "./window";

const SECTIONS = "profile facts graph window search privacy more";
/** What is only in this tab is never written, so it needs no lock. */
const SECTIONS_UNKEPT = "profile facts graph window search forget backup more";

/** The profile as the memory has it, with what its fields are called. */
const TITLED = {
  ...PROFILE_SCHEMA,
  properties: Object.fromEntries(Object.entries(PROFILE_SCHEMA.properties).map(([name, field]) => [name, { ...field, title: FIELD_LABELS[name as FieldName] }])),
};

export interface PanelActions {
  showSource(source: Source): void;
  openSettings(): void;
  currentThread(): string;
}

export class Panel {
  readonly element: MnemicPanel;
  /** Asks before something is forgotten, from wherever on the page: what stands in a sheet is only seen while that is open. */
  readonly asking: MnemicPanel;
  readonly restoring: RestoreDialog;
  readonly #session: Session;
  readonly #actions: PanelActions;
  readonly #window: WindowPanel;
  readonly #import: ImportPanel;
  readonly #status: StatusPanel;

  constructor(session: Session, changes: Changes, window: ModelWindow, announcer: Announcer, actions: PanelActions) {
    define();
    this.#session = session;
    this.#actions = actions;
    const tools: Tools = { session, changes, showSource: actions.showSource, currentThread: () => actions.currentThread() };
    this.element = this.#panel(session.isKept ? SECTIONS : SECTIONS_UNKEPT);
    this.asking = this.#panel("none");
    this.restoring = new RestoreDialog(session);
    this.#window = new WindowPanel(tools, window, announcer, { openSettings: () => actions.openSettings(), choose: (section) => this.go(section) });
    this.#import = new ImportPanel(tools, (file) => this.restoring.ask(file));
    this.#status = new StatusPanel(tools, () => actions.openSettings());
    const inside = new InsidePanel(session);
    this.#own("window", "Window", "What the model is given", this.#window.element);
    this.#own("import", "Restore and import", "From a backup, or from another app", this.#import.element);
    this.#own("status", "Status and cost", "Where everything is stored, and what models have cost", this.#status.element);
    this.#own("inside", "Inside", "For developers: the log, indexes, requests to models, and how long everything takes", inside.element);
    this.element.addEventListener("mnemic-section", (event) => {
      const { section } = (event as CustomEvent<{ section: string }>).detail;
      if (section === "window") void this.#window.shown();
      if (section === "inside") void inside.shown();
    });
  }

  async show(): Promise<void> {
    for (const panel of [this.element, this.asking]) {
      panel.threadId = this.#actions.currentThread();
      panel.toggleAttribute("model", this.#session.model !== undefined);
      panel.user = this.#session.user;
    }
    this.#import.update();
    await Promise.all([this.#window.update(), this.#status.update()]);
  }

  /** Goes to a section. */
  go(section: string): void {
    this.element.section = section;
  }

  /** Shows what the model's window holds, and puts the focus there. */
  showWindow(): void {
    this.go("window");
    this.#window.element.focus();
  }

  /** Shows what would be forgotten, and asks; resolves to whether something went. */
  forget(target: ForgetTarget): Promise<boolean> {
    return this.asking.forget(target);
  }

  #panel(sections: string): MnemicPanel {
    const panel = document.createElement("mnemic-panel");
    panel.setAttribute("sections", sections);
    panel.profiles = { [PROFILE_ID]: TITLED };
    panel.messageFilter = NOT_BY_MEMORY;
    panel.showSource = (source) => this.#actions.showSource(source);
    panel.locking = { change: (key) => this.#session.lock(key), remove: () => this.#session.removeLock(), now: () => location.reload() };
    return panel;
  }

  #own(name: string, label: string, about: string, content: HTMLElement): void {
    content.slot = name;
    content.ariaLabel = label;
    content.dataset["about"] = about;
    this.element.append(content);
  }
}
