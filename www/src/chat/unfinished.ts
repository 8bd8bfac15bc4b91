/** The calls made for a reply that broke off: what they changed is changed, so they are not made again, and not forgotten over a reload. */
import { keepOnDevice, readDevice } from "../page/device";
import { keptCalls, type MadeCall, readCalls } from "../replies/tool-calls";

const KEY = "mnemic-demo-unfinished";

/** Keeps the calls made for a message in place of those for an earlier one. */
export function keepUnfinished(messageId: string, calls: readonly MadeCall[]): void {
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
