/** The list of conversations. The memory spans all of them. */
import type { Thread } from "mnemic";
import { messageText } from "../message-text";
import { element, List, type Row } from "../page/shared";
import { icon } from "../page/icon";
import { moment } from "../page/moment";
import { clipped } from "../replies/fitting";
import type { Session } from "../session";
import { TEMPORARY } from "./chat";

interface ShownThread extends Thread {
  readonly title: string;
  readonly current: boolean;
}

/** Enough of a title to tell the controls of chats apart. */
const NAME_CHARACTERS = 60;

export interface ThreadActions {
  choose(threadId: string): void;
  startNew(): void;
  /** Asks before a chat is forgotten. */
  forget(threadId: string): void;
}

export class Threads {
  readonly element: HTMLElement;
  readonly #session: Session;
  readonly #list: List<ShownThread>;
  readonly #titles = new Map<string, string>();
  readonly #temporary: HTMLButtonElement;
  readonly #empty = element("p", { class: "hint" }, "Your chats will be listed here.");

  constructor(session: Session, actions: ThreadActions) {
    this.#session = session;
    // The first thing said may be forgotten, and then another one is the first.
    session.onForgotten(() => this.#titles.clear());
    this.#list = new List(
      element("ul", { class: "plain-list threads", "data-testid": "threads" }),
      ({ threadId }) => threadId,
      (thread) => new ThreadRow(thread, actions),
    );
    this.#temporary = element("button", { type: "button", class: "button", "data-testid": "temporary-chat", onclick: () => actions.choose(TEMPORARY) }, icon("temporary"), "Temporary chat");
    this.element = element(
      "nav", { class: "threads-area", "aria-label": "Chats" },
      element("h2", {}, "Chats"),
      element("button", { type: "button", class: "button", "data-testid": "new-chat", onclick: () => actions.startNew() }, icon("plus"), "New chat"),
      this.#temporary,
      this.#list.element,
      this.#empty,
    );
  }

  async show(currentId: string): Promise<void> {
    const threads = await this.#session.user.threads.list();
    const latestFirst = [...threads].sort((one, other) => other.lastAt - one.lastAt);
    const shown = await Promise.all(latestFirst.map(async (thread): Promise<ShownThread> =>
      ({ ...thread, title: await this.#title(thread.threadId), current: thread.threadId === currentId })));
    this.#list.show(shown);
    if (currentId === TEMPORARY) this.#temporary.setAttribute("aria-current", "page");
    else this.#temporary.removeAttribute("aria-current");
    this.#empty.hidden = shown.length > 0;
  }

  /** A chat is called by the first thing said in it. */
  async #title(threadId: string): Promise<string> {
    const known = this.#titles.get(threadId);
    if (known !== undefined) return known;
    const [first] = await this.#session.user.threads.messages(threadId, { limit: 1, order: "asc" });
    const title = first ? messageText(first) : "New chat";
    if (first) this.#titles.set(threadId, title);
    return title;
  }
}

class ThreadRow implements Row<ShownThread> {
  readonly element: HTMLElement;
  readonly #button: HTMLButtonElement;
  readonly #title = element("span", { class: "thread-title", dir: "auto" });
  readonly #forget: HTMLButtonElement;
  readonly #when = element("span", { class: "thread-when" });

  constructor(thread: ShownThread, actions: ThreadActions) {
    const { threadId } = thread;
    this.#button = element("button", { type: "button", class: "thread", onclick: () => actions.choose(threadId) }, this.#title, this.#when);
    this.#forget = element("button", { type: "button", class: "icon-button", title: "Forget this chat…", "data-testid": "forget-chat", onclick: () => actions.forget(threadId) }, icon("erase"));
    this.element = element("li", { class: "thread-row" }, this.#button, this.#forget);
    this.update(thread);
  }

  update({ current, lastAt, title }: ShownThread): void {
    this.#title.textContent = title;
    this.#forget.setAttribute("aria-label", `Forget the chat “${clipped(title, NAME_CHARACTERS)}”`);
    this.#when.replaceChildren(moment(lastAt));
    if (current) this.#button.setAttribute("aria-current", "page");
    else this.#button.removeAttribute("aria-current");
  }
}
