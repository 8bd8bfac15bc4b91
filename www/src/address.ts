/** Which chat is open stands in the page's address, so that reload, back and forward work. */
import { TEMPORARY } from "./chat/chat";

const PREFIX = "#chat-";

/** The chat that the address names, or a new one. */
export function threadInAddress(): string {
  return location.hash.startsWith(PREFIX) || location.hash === `#${TEMPORARY}` ? location.hash.slice(1) : newThread();
}

export function newThread(): string {
  return `chat-${Date.now().toString(36)}`;
}

/** Names a chat in the address; as a step of its own, unless it is the one the page began with. */
export function nameInAddress(threadId: string, step: boolean): void {
  if (location.hash === `#${threadId}`) return;
  if (step) history.pushState(null, "", `#${threadId}`);
  else history.replaceState(null, "", `#${threadId}`);
}
