import type { MadeCall } from "../replies/tool-calls";

/** A message on its way: being saved, being answered, or stuck at one of the two. */
export type Turn =
  | { readonly state: "saving"; readonly text: string }
  | { readonly state: "unsaved"; readonly text: string; readonly error: string }
  | { readonly state: "answering"; readonly text: string; readonly calls: readonly MadeCall[] }
  | { readonly state: "unanswered"; readonly error: string };

/** Whether something is going on that can be waited for. */
export function isBusy(turn: Turn | undefined): boolean {
  return turn?.state === "saving" || turn?.state === "answering";
}
