/** Changes made by hand: each is told in a notice that can take it back. */
import type { Action } from "mnemic";
import type { Toast } from "../page/toast";
import type { Session } from "../session";

/** What became of a change: nothing, one item, or several in one or more commits. */
export type Changed = Action | readonly Action[] | undefined;

export class Changes {
  readonly #session: Session;
  readonly #toast: Toast;

  constructor(session: Session, toast: Toast) {
    this.#session = session;
    this.#toast = toast;
  }

  /** Makes a change and tells it, or why it could not be made. `focusFrom` is where the focus goes on when the control used is gone. */
  async make(text: string, failure: string, change: () => Promise<Changed>, focusFrom?: HTMLElement): Promise<boolean> {
    try {
      this.done(text, await change(), focusFrom);
      return true;
    } catch (error) {
      this.failed(failure, error);
      return false;
    }
  }

  /** Tells what was done and offers to undo it. */
  done(text: string, changed: Changed, focusFrom?: HTMLElement): void {
    const actions: readonly Action[] = Array.isArray(changed) ? changed : changed === undefined ? [] : [changed as Action];
    this.committed(text, actions.map(({ commitId }) => commitId), focusFrom);
  }

  /** The same for commits. */
  committed(text: string, commits: readonly (string | undefined)[], focusFrom?: HTMLElement): void {
    const made = [...new Set(commits.filter((commit) => commit !== undefined))];
    if (made.length === 0) return this.#toast.show("Nothing changed.");
    this.#toast.show(text, { label: "Undo", run: () => this.#undo(made) }, focusFrom);
  }

  /** Tells something that there is nothing to do about. */
  said(text: string): void {
    this.#toast.show(text);
  }

  failed(text: string, error: unknown): void {
    this.#toast.show(`${text} ${error instanceof Error ? error.message : String(error)}`);
  }

  /** The latest first, for a later one may rest on an earlier. */
  async #undo(commits: readonly string[]): Promise<void> {
    try {
      for (const commit of [...commits].reverse()) await this.#session.user.undo(commit);
      this.#toast.show("Undone.");
    } catch (error) {
      this.failed("Could not undo this.", error);
    }
  }
}
