/** What every part of the panel works with. */
import type { Source } from "mnemic";
import type { Changes } from "../changes";
import type { Session } from "../session";

export type ShowSource = (source: Source) => void;

export interface Tools {
  readonly session: Session;
  readonly changes: Changes;
  readonly showSource: ShowSource;
  /** The chat that is open. */
  currentThread(): string;
}
