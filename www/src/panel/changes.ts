/** Changes: each one made by hand is told in a notice that can take it back, and the last of all can be taken back at any time. */
import type { Action, Commit } from "mnemic";
import type { Toast } from "../page/toast";
import type { Session } from "../session";
import { reason } from "../page/reason";

/** So many commits are looked through at once for one that can be undone. */
const PAGE = 20;

/** What became of a change: nothing, one item, or several in one or more commits. */
export type Changed = Action | readonly Action[] | undefined;

export class Changes {
  readonly #session: Session;
  readonly #toast: Toast;
  /** The commits of each change made here that took several, in order: they are undone together. */
  readonly #made: (readonly string[])[] = [];

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

  /** The same for commits: together they are one change. */
  committed(text: string, commits: readonly (string | undefined)[], focusFrom?: HTMLElement): void {
    const made = [...new Set(commits.filter((commit) => commit !== undefined))];
    if (made.length === 0) return this.#toast.show("Nothing changed.");
    this.note(made);
    this.#toast.show(text, { label: "Undo", run: () => this.#undo(made) }, focusFrom);
  }

  /** Takes note of commits that are one change, and were told already. */
  note(commits: readonly string[]): void {
    if (commits.length > 1) this.#made.push(commits);
  }

  /** Makes a change that may take several calls, and tells it. Rejects when one of them fails. */
  async together(text: string, change: () => Promise<unknown>): Promise<void> {
    this.committed(text, (await this.gather(change)).commits);
  }

  /** Runs something, and answers with its result what it committed. */
  async gather<Result>(work: () => Promise<Result>): Promise<{ result: Result; commits: string[] }> {
    const commits: string[] = [];
    const stop = this.#session.onCommit((commit) => void commits.push(commit));
    try {
      return { result: await work(), commits };
    } finally {
      stop();
    }
  }

  /** Takes the last change back. */
  async undoLast(): Promise<void> {
    const last = await this.#last().catch((error: unknown) => this.failed("Could not read what happened.", error));
    if (last === null) this.#toast.show("There is nothing to undo.");
    else if (last) await this.#undo(this.#made.find((made) => made.includes(last.commitId)) ?? [last.commitId]);
  }

  /** The last commit that can be taken back, whether made by hand, by learning or by a tool. */
  async #last(): Promise<Commit | null> {
    for (let before: string | undefined; ;) {
      const page = await this.#session.user.commits.list({ causes: ["user", "extract", "tool"], before, limit: PAGE });
      const last = page.find(({ undoable }) => undoable);
      if (last || page.length < PAGE) return last ?? null;
      before = page.at(-1)?.commitId;
    }
  }

  /** Tells something that there is nothing to do about. */
  said(text: string): void {
    this.#toast.show(text);
  }

  failed(text: string, error: unknown): void {
    this.#toast.show(`${text} ${reason(error)}`);
  }

  /** What was undone can be done again. */
  async #undo(commits: readonly string[]): Promise<void> {
    try {
      const undone = await this.#reverse(commits);
      this.#toast.show("Undone.", undone.length === 0 ? undefined : { label: "Redo", run: () => this.#redo(undone) });
    } catch (error) {
      this.failed("Could not undo this.", error);
    }
  }

  async #redo(undone: readonly string[]): Promise<void> {
    try {
      this.committed("Redone.", await this.#reverse(undone));
    } catch (error) {
      this.failed("Could not redo this.", error);
    }
  }

  /** Undoes commits, the latest first, for a later one may rest on an earlier. Answers the commits it took. */
  async #reverse(commits: readonly string[]): Promise<string[]> {
    const made: (string | undefined)[] = [];
    for (const commit of [...commits].reverse()) made.push((await this.#session.user.undo(commit)).commitId);
    return made.filter((commit) => commit !== undefined);
  }
}
