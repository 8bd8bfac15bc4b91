/** What every part of the panel works with. */
import type { Target } from "../forgetting/target";
import type { Session } from "../session";
import type { Changes } from "./changes";
import type { ShowSource } from "./sources";

export interface Tools {
  readonly session: Session;
  readonly changes: Changes;
  readonly showSource: ShowSource;
  /** Shows what would be forgotten, and asks. `after` is called when that is over, with whether something went. */
  forget(target: Target, after?: (forgotten: boolean) => void): void;
  /** The chat that is open. */
  currentThread(): string;
}
