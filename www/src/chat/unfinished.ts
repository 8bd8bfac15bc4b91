/** The calls made for a reply that broke off: what they changed is changed, so they are not made again, and not forgotten over a reload. */
import { dropFromDevice, keepOnDevice, readDevice } from "../page/device";
import { keptCalls, type MadeCall, readCalls } from "../replies/tool-calls";

const KEY = "mnemic-demo-unfinished";

/** Whether nothing of the kind may be stored outside of the memory, because that is locked: then it lasts as long as the page. */
let isForbidden = false;
let held: string | null = null;

/** Keeps the calls made for a message in place of those for an earlier one. */
export function keepUnfinished(messageId: string, calls: readonly MadeCall[]): void {
  const kept = JSON.stringify({ messageId, calls: keptCalls(calls) });
  if (isForbidden) held = kept;
  else keepOnDevice(KEY, kept);
}

/** The calls made for a message whose reply broke off; none for any other. */
export function unfinishedCalls(messageId: string): MadeCall[] {
  try {
    const kept = JSON.parse((isForbidden ? held : readDevice(KEY)) ?? "null") as { messageId?: unknown; calls?: unknown } | null;
    return kept?.messageId === messageId ? readCalls(kept.calls) : [];
  } catch {
    return [];
  }
}

/** Lets go of what is kept, in which may stand what is forgotten. */
export function forgetUnfinished(): void {
  held = null;
  dropFromDevice(KEY);
}

/** From now on nothing is stored, or it may be again. */
export function forbidUnfinished(forbidden: boolean): void {
  const kept = isForbidden ? held : readDevice(KEY);
  forgetUnfinished();
  isForbidden = forbidden;
  if (forbidden) held = kept;
  else if (kept !== null) keepOnDevice(KEY, kept);
}
