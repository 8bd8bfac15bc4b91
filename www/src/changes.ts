/** What the app itself did, by learning or by taking something in: told in a notice that can take it back. */
import { reason, type Toast } from "./page/shared";
import type { Session } from "./session";

export class Changes {
  readonly #session: Session;
  readonly #toast: Toast;

  constructor(session: Session, toast: Toast) {
    this.#session = session;
    this.#toast = toast;
  }

  /** Tells of commits, which are one change, and offers to undo it. */
  committed(text: string, commits: readonly (string | undefined)[]): void {
    const made = [...new Set(commits.filter((commit) => commit !== undefined))];
    this.#toast.show(text, made.length === 0 ? undefined : { label: "Undo", run: () => this.#undo(made) });
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

  /** Undoes commits, and answers the commits that it took. */
  async #reverse(commits: readonly string[]): Promise<string[]> {
    return (await this.#session.user.undo(commits)).flatMap(({ commitId }) => commitId ?? []);
  }
}
