/** What stands on a tab. */
import type { Inspection } from "../../types.js";

export interface Section {
  readonly element: HTMLElement;
  /** Shows what there is now. Answers how much that is, for the tab. */
  update(inspection: Inspection): number | undefined;
}
