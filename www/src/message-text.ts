/** The words of a stored message, whose content is a string or a list of parts. */
import type { StoredMessage } from "mnemic";

export function messageText({ content }: Pick<StoredMessage, "content">): string {
  if (typeof content === "string") return content;
  return content.flatMap((part) => (part.type === "text" && typeof part.text === "string" ? [part.text] : [])).join("\n");
}
