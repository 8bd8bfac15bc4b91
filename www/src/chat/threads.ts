/** The list of conversations. The memory spans all of them. */
import type { Thread } from "mnemic";
import { messageText } from "../message-text";
import { element } from "../page/element";
import { icon } from "../page/icon";
import { List, type Row } from "../page/list";
import { moment } from "../page/moment";
import type { Session } from "../session";

interface ShownThread extends Thread {
  readonly title: string;
  readonly current: boolean;
}

export class Threads {
  readonly element: HTMLElement;
  readonly #session: Session;
  readonly #list: List<ShownThread>;
  readonly #titles = new Map<string, string>();
  readonly #empty = element("p", { class: "hint" }, "Your chats will be listed here.");

  constructor(session: Session, choose: (threadId: string) => void, startNew: () => void) {
    this.#session = session;
    this.#list = new List(
      element("ul", { class: "plain-list threads", "data-testid": "threads" }),
      ({ threadId }) => threadId,
      (thread) => new ThreadRow(thread, choose),
    );
    this.element = element(
      "nav", { class: "threads-area", "aria-label": "Chats" },
      element("h2", {}, "Chats"),
      element("button", { type: "button", class: "button", "data-testid": "new-chat", onclick: startNew }, icon("plus"), "New chat"),
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
    this.#empty.hidden = shown.length > 0;
  }

  /** A chat is called by the first thing said in it, which never changes. */
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
  readonly #when = element("span", { class: "thread-when" });

  constructor(thread: ShownThread, choose: (threadId: string) => void) {
    this.#button = element("button", { type: "button", class: "thread", onclick: () => choose(thread.threadId) },
      element("span", { class: "thread-title", dir: "auto" }, thread.title), this.#when);
    this.element = element("li", {}, this.#button);
    this.update(thread);
  }

  update({ current, lastAt }: ShownThread): void {
    this.#when.replaceChildren(moment(lastAt));
    if (current) this.#button.setAttribute("aria-current", "page");
    else this.#button.removeAttribute("aria-current");
  }
}
