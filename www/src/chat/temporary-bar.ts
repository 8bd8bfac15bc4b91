/** Says over the chat that it is temporary, and ends it: kept or gone. */
import { newThread } from "../address";
import type { Changes } from "../changes";
import { element } from "../page/shared";
import { icon } from "../page/icon";
import type { Session } from "../session";
import { TEMPORARY } from "./chat";
import type { Conversation } from "./conversation";

export class TemporaryBar {
  readonly element: HTMLElement;
  readonly #session: Session;
  readonly #conversation: Conversation;
  readonly #changes: Changes;
  /** Goes to a chat. */
  readonly #open: (threadId: string) => Promise<void>;
  readonly #save = element("button", { type: "button", class: "button", "data-testid": "temporary-save", onclick: () => void this.#keep() }, "Keep this chat");
  readonly #drop = element("button", { type: "button", class: "button", "data-testid": "temporary-drop", onclick: () => void this.#end() }, "Drop it");

  constructor(session: Session, conversation: Conversation, changes: Changes, open: (threadId: string) => Promise<void>) {
    this.#session = session;
    this.#conversation = conversation;
    this.#changes = changes;
    this.#open = open;
    this.element = element("section", { class: "temporary-bar", "aria-label": "Temporary chat", "data-testid": "temporary-bar", hidden: true },
      icon("temporary"),
      element("p", {}, element("strong", {}, "Temporary chat. "), "It can read what I remember. Nothing said here is kept, and it is gone with this page."),
      element("div", { class: "buttons" }, this.#save, this.#drop));
  }

  update(): void {
    const isTemporary = this.#conversation.threadId === TEMPORARY;
    this.element.hidden = !isTemporary;
    this.element.parentElement?.parentElement?.classList.toggle("chat-temporary", isTemporary);
    this.#save.disabled = this.#conversation.isBusy || !this.#session.hasTemporary;
  }

  async #keep(): Promise<void> {
    try {
      const { threadId, commitIds } = await this.#session.temporary.save({ threadId: newThread() });
      this.#session.endTemporary();
      await this.#open(threadId);
      this.#changes.committed("Kept. This is an ordinary chat now.", commitIds);
    } catch (error) {
      this.#changes.failed("Could not keep this chat.", error);
    }
  }

  async #end(): Promise<void> {
    this.#conversation.stop();
    this.#session.endTemporary();
    await this.#open(newThread());
    this.#changes.said("Dropped. Nothing of it was kept.");
  }
}
