/** The calls made for a reply that broke off: what they changed is changed, so they are not made again, and not forgotten over a reload. */
import { dropFromDevice, keepOnDevice, readDevice } from "../page/device";
import { keptCalls, type MadeCall, readCalls } from "../replies/tool-calls";

const KEY = "mnemic-demo-unfinished";

/** Whether nothing of the kind may be kept outside of the memory, because that is locked. */
let isForbidden = false;

/** Keeps the calls made for a message in place of those for an earlier one. */
export function keepUnfinished(messageId: string, calls: readonly MadeCall[]): void {
  if (isForbidden) return;
  keepOnDevice(KEY, JSON.stringify({ messageId, calls: keptCalls(calls) }));
}

/** The calls made for a message whose reply broke off; none for any other. */
export function unfinishedCalls(messageId: string): MadeCall[] {
  try {
    const kept = JSON.parse(readDevice(KEY) ?? "null") as { messageId?: unknown; calls?: unknown } | null;
    return kept?.messageId === messageId ? readCalls(kept.calls) : [];
  } catch {
    return [];
  }
}

/** Lets go of what is kept, in which may stand what is forgotten. */
export function forgetUnfinished(): void {
  dropFromDevice(KEY);
}

/** From now on nothing is kept, or it may be again. */
export function forbidUnfinished(forbidden: boolean): void {
  isForbidden = forbidden;
  if (forbidden) forgetUnfinished();
}
