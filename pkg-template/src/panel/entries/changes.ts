/** Changes: each one made by hand is told in a notice that can take it back, and the last of all can be taken back at any time. */
import type { ChangeEvent } from "../../events.js";
import type { Commit } from "../../commits.js";
import { scopeKey } from "../../live/scope.js";
import type { Action } from "../../types.js";
import { reason } from "../page/element.js";
import type { Toast } from "../page/toast.js";
import type { Key, Words } from "../texts/words.js";
import type { User } from "../tools.js";

/** So many commits are looked through at once for one that can be undone. */
const PAGE = 20;
/** How the engine sorts what was said: nothing in it is the user's to take back. */
const SORTING = new Set<ChangeEvent["changes"][number]["kind"]>(["task", "page", "segment", "summary"]);

/** What became of a change: nothing, one item, or several in one or more commits. */
export type Changed = Action | readonly Action[] | undefined;

export class Changes {
  readonly #user: User;
  readonly #words: Words;
  readonly #toast: Toast;
  readonly #changed: () => void;
  readonly #gatherers = new Set<string[]>();
  readonly #forgotten = new Set<string>();
  /** The commits of each change made here that took several, in order: they are undone together. */
  readonly #made: (readonly string[])[] = [];

  /** `changed` is called after each change, for where nothing else tells of it. */
  constructor(user: User, words: Words, toast: Toast, changed: () => void) {
    this.#user = user;
    this.#words = words;
    this.#toast = toast;
    this.#changed = changed;
  }

  /** Takes note of a commit that the memory tells of. */
  heard({ commitId, scope, cause, changes, remote }: ChangeEvent): void {
    if (scopeKey(scope) !== scopeKey(this.#user.scope)) return;
    if (cause === "forget") for (const { id, action } of changes) if (action === "deleted") this.#forgotten.add(id);
    const isKept = (cause === "user" || cause === "tool") && changes.some(({ kind }) => !SORTING.has(kind));
    if (isKept && !remote) for (const gathered of this.#gatherers) gathered.push(commitId);
  }

  /** Whether something was forgotten since the panel is there. */
  isForgotten(id: string): boolean {
    return this.#forgotten.has(id);
  }

  /** Makes a change and tells it, or why it could not be made. `focusFrom` is where the focus goes on when the control used is gone. */
  async make(done: Key, change: () => Promise<Changed>, focusFrom?: HTMLElement): Promise<boolean> {
    try {
      this.done(done, await change(), focusFrom);
      return true;
    } catch (error) {
      this.failed("notDone", error);
      return false;
    }
  }

  /** Tells what was done and offers to undo it. */
  done(done: Key, changed: Changed, focusFrom?: HTMLElement): void {
    const actions: readonly Action[] = Array.isArray(changed) ? changed : changed === undefined ? [] : [changed as Action];
    this.#committed(done, actions.map(({ commitId }) => commitId), focusFrom);
  }

  /** Makes a change that may take several calls, and tells it as one. Rejects when one of them fails. */
  async together(done: Key, change: () => Promise<unknown>): Promise<void> {
    const commits: string[] = [];
    this.#gatherers.add(commits);
    try {
      await change();
    } finally {
      this.#gatherers.delete(commits);
    }
    this.#committed(done, commits);
  }

  /** Tells something that there is nothing to do about. */
  said(key: Key): void {
    this.#toast.show(this.#words.of(key));
  }

  failed(key: Key, error: unknown): void {
    this.#toast.show(`${this.#words.of(key)} ${reason(error)}`);
  }

  /** Takes the last change back. */
  async undoLast(): Promise<void> {
    const last = await this.#last().catch((error: unknown) => this.failed("notRead", error));
    if (last === null) this.said("nothingToUndo");
    else if (last) await this.#undo(this.#made.find((made) => made.includes(last.commitId)) ?? [last.commitId]);
  }

  /** The last commit that can be taken back, whether made by hand, by learning or by a tool. */
  async #last(): Promise<Commit | null> {
    for (let before: string | undefined; ;) {
      const page = await this.#user.commits.list({ causes: ["user", "extract", "tool"], before, limit: PAGE });
      const last = page.find(({ undoable }) => undoable);
      if (last || page.length < PAGE) return last ?? null;
      before = page.at(-1)?.commitId;
    }
  }

  #committed(done: Key, commits: readonly (string | undefined)[], focusFrom?: HTMLElement): void {
    const made = [...new Set(commits.filter((commit) => commit !== undefined))];
    this.#changed();
    if (made.length === 0) return this.said("nothingChanged");
    if (made.length > 1) this.#made.push(made);
    this.#toast.show(this.#words.of(done), { label: this.#words.of("undo"), run: () => this.#undo(made) }, focusFrom);
  }

  /** What was undone can be done again. */
  async #undo(commits: readonly string[]): Promise<void> {
    try {
      const undone = await this.#reverse(commits);
      this.#toast.show(this.#words.of("undone"), undone.length === 0 ? undefined : { label: this.#words.of("redo"), run: () => this.#redo(undone) });
    } catch (error) {
      this.failed("notUndone", error);
    }
    this.#changed();
  }

  async #redo(undone: readonly string[]): Promise<void> {
    try {
      this.#committed("redone", await this.#reverse(undone));
    } catch (error) {
      this.failed("notUndone", error);
    }
  }

  /** Undoes commits, and answers the commits that it took. */
  async #reverse(commits: readonly string[]): Promise<string[]> {
    return (await this.#user.undo(commits)).flatMap(({ commitId }) => commitId ?? []);
  }
}
