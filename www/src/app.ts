/** The page: chats, the conversation and what is remembered, and the ways between them. */
import { CrashedError, type Source } from "mnemic";
import { Changes } from "./changes";
import { nameInAddress, newThread, threadInAddress } from "./address";
import { TEMPORARY } from "./chat/chat";
import { Composer } from "./chat/composer";
import { Conversation } from "./chat/conversation";
import { type Keepsake, keptByMessage } from "./chat/kept";
import { TemporaryBar } from "./chat/temporary-bar";
import { Threads } from "./chat/threads";
import { Transcript } from "./chat/transcript";
import { Welcome } from "./chat/welcome";
import { Announcer, element, fill, reason, Toast } from "./page/shared";
import { Banner } from "./page/banner";
import { icon } from "./page/icon";
import { describeMoment } from "./page/moment";
import { inDigits } from "./page/number";
import { Sheet } from "./page/sheet";
import { themeButton } from "./page/theme";
import { Panel } from "./panel/panel";
import { costInWords } from "./panel/cost";
import type { Learned, Session } from "./session";
import { SettingsDialog } from "./settings-dialog";
import { WindowLine } from "./window/line";
import { ModelWindow } from "./window/model-window";
import { Refreshing } from "./refreshing";

/** So many facts, the newest, are marked in the chat where they were said. */
const FACTS_MARKED = 1000;
const ROOM_FOR_PANEL = "(min-width: 720px)";
const ROOM_FOR_THREADS = "(min-width: 1080px)";

export class App {
  readonly #session: Session;
  readonly #announcer = new Announcer();
  readonly #toast: Toast;
  readonly #settings: SettingsDialog;
  readonly #window: ModelWindow;
  readonly #panel: Panel;
  readonly #threads: Threads;
  readonly #welcome: Welcome;
  readonly #transcript: Transcript;
  readonly #conversation: Conversation;
  readonly #composer: Composer;
  readonly #changes: Changes;
  readonly #temporaryBar: TemporaryBar;
  readonly #banner = new Banner("banner");
  readonly #backupFile = element("input", { type: "file", hidden: true, accept: ".mnemic", "data-testid": "restore-input" });
  readonly #count = element("span", { class: "memory-count", "data-testid": "memory-count" });
  readonly #panelSheet: Sheet;
  readonly #threadsSheet: Sheet;
  /** Shows what the memory holds now. */
  readonly #refreshing = new Refreshing(
    () => Promise.all([this.#show(), this.#conversation.refresh()]),
    (error) => this.#failed(error),
  );

  constructor(session: Session) {
    this.#session = session;
    this.#settings = new SettingsDialog(session);
    const openSettings = (): void => void this.#settings.open();
    this.#composer = new Composer({ send: (text) => void this.#send(text), stop: () => this.#conversation.stop(), openSettings });
    this.#toast = new Toast(this.#composer.element, "Dismiss");
    this.#window = new ModelWindow(session);
    this.#changes = new Changes(session, this.#toast);
    this.#panel = new Panel(session, this.#changes, this.#window, this.#announcer, { showSource: (source) => void this.#showSource(source), openSettings, currentThread: () => this.#conversation.threadId });
    this.#threads = new Threads(session, {
      choose: (threadId) => void this.#open(threadId),
      startNew: () => void this.#open(newThread()),
      forget: (threadId) => void this.#panel.forget({ threadId }),
    });
    this.#welcome = new Welcome((text) => void this.#send(text));
    this.#transcript = new Transcript(this.#welcome.element, {
      choose: (item) => this.#showItem(item),
      forget: (messageId) => void this.#panel.forget({ ids: [messageId] }).then((forgotten) => {
        if (forgotten) this.#transcript.element.focus();
      }),
    }, () => void this.#conversation.loadEarlier());
    this.#conversation = new Conversation(session, this.#transcript, this.#announcer, this.#window, (busy) => this.#turned(busy));
    this.#temporaryBar = new TemporaryBar(session, this.#conversation, this.#changes, (threadId) => this.#open(threadId));
    this.#backupFile.addEventListener("change", () => {
      const file = this.#backupFile.files?.[0];
      this.#backupFile.value = "";
      if (file) void this.#panel.restoring.now(file);
    });

    const threadsColumn = element("div", { class: "threads-column" });
    const windowLine = new WindowLine(this.#window, () => {
      this.#panelSheet.open();
      this.#panel.showWindow();
    });
    const panelColumn = element("aside", { class: "panel-column", "aria-label": "What I remember" });
    document.body.append(
      element("div", { class: "page-head" }, this.#header(openSettings), this.#banner.element),
      element("div", { class: "columns" },
        threadsColumn,
        element("main", { class: "chat", id: "chat" }, element("h1", { class: "for-screen-readers" }, "Chat"), element("div", { class: "chat-head" }, windowLine.element, this.#temporaryBar.element), this.#transcript.element, this.#composer.element),
        panelColumn),
      this.#announcer.element, this.#settings.element, this.#panel.asking, this.#panel.restoring.element, this.#backupFile,
    );
    this.#threadsSheet = new Sheet(this.#threads.element, threadsColumn, ROOM_FOR_THREADS, "Chats", "start");
    this.#panelSheet = new Sheet(this.#panel.element, panelColumn, ROOM_FOR_PANEL, "What I remember", "end");
    session.onChange(() => {
      this.#warn();
      this.#refreshing.ask();
    });
    // What is said to screen readers repeats replies.
    session.onForgotten(() => this.#announcer.say(""));
    this.#warn();
    session.onLearned((learned) => this.#tellLearned(learned));
    addEventListener("unhandledrejection", ({ reason }) => this.#failed(reason));
    addEventListener("hashchange", () => void this.#conversation.open(threadInAddress()).then(() => this.#refreshing.ask()));
  }

  async start(): Promise<void> {
    const threadId = threadInAddress();
    nameInAddress(threadId, false);
    await this.#conversation.open(threadId);
    await this.#show();
    this.#invite();
  }

  /** Puts the focus where the next message is written, unless something else has it or a screen keyboard would cover the chat. */
  #invite(): void {
    const isFree = document.activeElement === document.body || document.activeElement === null;
    if (isFree && matchMedia("(hover: hover)").matches) this.#composer.focus();
  }

  #header(openSettings: () => void): HTMLElement {
    const skip = element("a", {
      class: "skip-link", href: "#composer",
      onclick: (event: MouseEvent) => {
        event.preventDefault(); // the address names the chat
        this.#composer.focus();
      },
    }, "Skip to the message box");
    return element(
      "header", { class: "header" }, skip,
      element("button", { type: "button", class: "icon-button threads-button", "aria-label": "Chats", "data-testid": "open-threads", onclick: () => this.#threadsSheet.open() }, icon("chats")),
      element("p", { class: "wordmark" }, element("span", {}, "mnemic")),
      element("p", { class: "tagline" }, "a chat that remembers, on your device"),
      element("a", { class: "docs-link", href: "docs/" }, "Documentation"),
      element("button", { type: "button", class: "button memory-button", "data-testid": "open-memory", onclick: () => this.#panelSheet.open() }, icon("memory"), "Memory", this.#count),
      themeButton(),
      element("button", { type: "button", class: "icon-button", "aria-label": "Settings", title: "Settings", "data-testid": "open-settings", onclick: openSettings }, icon("settings")),
    );
  }

  async #open(threadId: string): Promise<void> {
    this.#threadsSheet.close();
    nameInAddress(threadId, true);
    await this.#conversation.open(threadId);
    this.#refreshing.ask();
    this.#invite();
  }

  async #send(text: string): Promise<void> {
    await this.#conversation.send(text);
    this.#invite();
  }

  /** Tells of what the browser lost, and of a lock that another tab has changed. */
  #warn(): void {
    const { wiped, isLockedOut } = this.#session;
    if (isLockedOut) {
      return this.#banner.show("The lock of this memory was changed in another tab. Nothing can be read or kept here until it is opened again.",
        [{ label: "Open it again", testId: "banner-reload", run: () => location.reload() }]);
    }
    if (!wiped) return this.#banner.hide();
    const { lost, restored, lastRecords, lastSeenAt, lastBackupAt } = wiped;
    const seen = lastSeenAt === undefined ? "" : `, last seen ${describeMoment(lastSeenAt)}`;
    const what = `${lost === "all" ? "The browser lost this memory" : "The browser lost a part of this memory"}${lastRecords === undefined ? "" : ` (${inDigits(lastRecords)} records${seen})`}.`;
    const dismiss = { label: restored ? "All right" : "Go on without", testId: "banner-dismiss", run: () => this.#session.dismissWiped() };
    if (restored) return this.#banner.show(`${what} It came back from its second copy.`, [dismiss]);
    const backup = lastBackupAt === undefined ? "If you saved a backup, it can be put back." : `The last backup was made ${describeMoment(lastBackupAt)}.`;
    const unlocked = this.#session.hasLostLock ? " It was locked; what is kept from now on is not, until you lock it again." : "";
    this.#banner.show(`${what} ${backup}${unlocked}`, [{ label: "Restore", testId: "banner-restore", run: () => this.#restoreLost() }, dismiss]);
  }

  /** Puts the last backup back: the one that was made by itself, or a file that the user chooses. */
  async #restoreLost(): Promise<void> {
    const { backup } = this.#session.memory;
    const { target, permission } = await backup.state();
    if (!target) return this.#backupFile.click();
    try {
      if (permission === "prompt") await backup.allow();
    } catch {
      // The restore says what is wrong with the file.
    }
    await this.#panel.restoring.now();
  }

  #turned(busy: boolean): void {
    this.#composer.busy = busy;
    this.#temporaryBar.update();
    // Nothing else tells that something was said in it.
    if (this.#conversation.threadId === TEMPORARY) this.#refreshing.ask();
    this.#welcome.element.hidden = !this.#conversation.isEmpty;
  }

  async #showSource({ messageId, threadId }: Source): Promise<void> {
    this.#panelSheet.close();
    if (threadId !== this.#conversation.threadId) await this.#open(threadId);
    if (!(await this.#conversation.pointAt(messageId))) this.#toast.show("That message has been deleted.");
  }

  #showItem({ id }: Keepsake): void {
    this.#panelSheet.open();
    void this.#panel.element.reveal(id);
  }

  /** Tells what was learned with a model and what it cost, or that it waits for a yes. What rules learn is seen in the chat. */
  #tellLearned({ actions, usage }: Learned): void {
    const waiting = actions.filter(({ kind, action }) => kind === "proposal" && action === "created").length;
    const cost = usage.calls > 0 ? ` (${costInWords(usage)})` : "";
    if (waiting > 0) {
      const look = (): void => {
        this.#panelSheet.open();
        this.#panel.go("proposals");
      };
      this.#toast.show(`${waiting === 1 ? "1 thing waits" : `${waiting} things wait`} for your yes${cost}.`, { label: "Look", run: look });
    } else if (actions.length > 0 && cost !== "") {
      this.#changes.committed(`Learned ${actions.length === 1 ? "1 thing" : `${actions.length} things`}${cost}.`, actions.map(({ commitId }) => commitId));
    }
  }

  /** Tells what no control could tell. A crashed memory has lost nothing, but needs the page to start again. */
  #failed(error: unknown): void {
    const reload = error instanceof CrashedError ? { label: "Reload", run: () => location.reload() } : undefined;
    this.#toast.show(`Something went wrong. ${reason(error)}`, reload);
  }

  async #show(): Promise<void> {
    const recollection = await this.#session.recollect(FACTS_MARKED);
    const known = recollection.fields.length + recollection.facts.length;
    this.#composer.showModel(this.#session.model, this.#session.isKept);
    this.#conversation.showKept(keptByMessage(recollection));
    this.#welcome.element.hidden = !this.#conversation.isEmpty;
    this.#welcome.show(known > 0);
    this.#temporaryBar.update();
    fill(this.#count, known > 0 && String(known));
    const { threadId } = this.#conversation;
    await this.#window.update(threadId);
    await Promise.all([this.#panel.show(), this.#threads.show(threadId)]);
  }
}
