/** What every part of the panel works with. */
import type { Session } from "../session";
import type { Changes } from "./changes";
import type { ShowSource } from "./sources";

export interface Tools {
  readonly session: Session;
  readonly changes: Changes;
  readonly showSource: ShowSource;
  /** The chat that is open. */
  currentThread(): string;
}
