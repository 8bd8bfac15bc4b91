/** Changes made by hand: each is told in a notice that can take it back. */
import type { Action } from "mnemic";
import type { Toast } from "../page/toast";
import type { Session } from "../session";

export class Changes {
  readonly #session: Session;
  readonly #toast: Toast;

  constructor(session: Session, toast: Toast) {
    this.#session = session;
    this.#toast = toast;
  }

  /** Tells what was done and offers to undo it. `focusFrom` is where the focus goes on when the control used is gone. */
  done(text: string, action: Action | undefined, focusFrom?: HTMLElement): void {
    const commitId = action?.commitId;
    if (commitId === undefined) return this.#toast.show("Nothing changed.");
    this.#toast.show(text, { label: "Undo", run: () => this.#undo(commitId) }, focusFrom);
  }

  failed(text: string, error: unknown): void {
    this.#toast.show(`${text} ${error instanceof Error ? error.message : String(error)}`);
  }

  async #undo(commitId: string): Promise<void> {
    try {
      await this.#session.user.undo(commitId);
      this.#toast.show("Undone.");
    } catch (error) {
      this.failed("Could not undo this.", error);
    }
  }
}
