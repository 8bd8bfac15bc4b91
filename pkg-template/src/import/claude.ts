/** `conversations.json` of a Claude data export: conversations as lists of messages. */
import { isRecord } from "../plain.js";
import type { FailedItem, MessageItem, Reader } from "./format.js";
import { begins, defined, listIn, malformed, own, text, time } from "./shape.js";

export const claude: Reader = {
  format: "claude",
  recognises: (data) =>
    Array.isArray(own(data, "chat_messages")) || begins(listIn(data, "conversations"), (item) => "chat_messages" in item),
  *read(data) {
    const list = Array.isArray(own(data, "chat_messages")) ? [data] : (listIn(data, "conversations") ?? []);
    for (const [index, conversation] of list.entries()) yield* messages(conversation, `[${index}]`);
  },
};

function* messages(conversation: unknown, place: string): Iterable<MessageItem | FailedItem> {
  const threadId = text(own(conversation, "uuid"));
  const list = own(conversation, "chat_messages");
  if (threadId === undefined || !Array.isArray(list)) {
    return yield malformed(place, "a conversation has a uuid and chat_messages");
  }
  const title = text(own(conversation, "name"));
  for (const [index, message] of list.entries()) {
    const at = `${place}.chat_messages[${index}]`;
    const id = text(own(message, "uuid"));
    const sender = own(message, "sender");
    if (id === undefined || (sender !== "human" && sender !== "assistant")) {
      yield malformed(at, "a message has a uuid, and a sender that is human or assistant");
      continue;
    }
    const content = said(message);
    if (content === "") continue;
    yield {
      kind: "message",
      place: at,
      threadId,
      message: defined({
        id,
        role: sender === "human" ? ("user" as const) : sender,
        content,
        createdAt: time(own(message, "created_at")),
        metadata: defined({ source: "claude", title }),
      }),
    };
  }
}

/** The words of a message: its text parts or its text, and what was read from the files it came with. */
function said(message: unknown): string {
  const parts = (listIn(own(message, "content")) ?? []).filter((part) => own(part, "type") === "text");
  const texts = parts.map((part) => own(part, "text"));
  const files = (listIn(own(message, "attachments")) ?? []).filter(isRecord).map((file) => own(file, "extracted_content"));
  const all = texts.some((part) => text(part) !== undefined) ? texts : [own(message, "text")];
  return [...all, ...files].filter((part) => typeof part === "string" && part.trim() !== "").join("\n");
}
