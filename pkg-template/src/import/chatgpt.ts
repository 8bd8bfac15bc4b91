/** `conversations.json` of a ChatGPT data export: trees of messages, of which the branch that was open last is read. */
import { isRecord } from "../plain.js";
import type { FailedItem, MessageItem, Reader } from "./format.js";
import { begins, defined, listIn, malformed, own, seconds, text } from "./shape.js";

const ROLES = ["user", "assistant", "system", "tool"] as const;

export const chatgpt: Reader = {
  format: "chatgpt",
  recognises: (data) => isRecord(own(data, "mapping")) || begins(listIn(data, "conversations"), (item) => "mapping" in item),
  *read(data) {
    const list = isRecord(own(data, "mapping")) ? [data] : (listIn(data, "conversations") ?? []);
    for (const [index, conversation] of list.entries()) yield* messages(conversation, `[${index}]`);
  },
};

function* messages(conversation: unknown, place: string): Iterable<MessageItem | FailedItem> {
  const threadId = text(own(conversation, "conversation_id")) ?? text(own(conversation, "id"));
  const mapping = own(conversation, "mapping");
  if (threadId === undefined || !isRecord(mapping)) {
    return yield malformed(place, "a conversation has an id and a mapping");
  }
  const title = text(own(conversation, "title"));
  // Some messages have no time of their own; that of now would date what they say by years too late.
  const began = seconds(own(conversation, "create_time"));
  for (const nodeId of branch(mapping, own(conversation, "current_node"))) {
    const message = own(own(mapping, nodeId), "message");
    // The root of the tree holds none, and what is hidden was put there by the program.
    if (message === null || message === undefined || own(own(message, "metadata"), "is_visually_hidden_from_conversation") === true) {
      continue;
    }
    const at = `${place}.mapping[${JSON.stringify(nodeId)}]`;
    const role = ROLES.find((role) => role === own(own(message, "author"), "role"));
    const content = own(message, "content");
    if (role === undefined || !isRecord(content)) {
      yield malformed(at, "a message has an author with a role, and a content");
      continue;
    }
    const words = said(content);
    if (words === "") continue;
    yield {
      kind: "message",
      place: at,
      threadId,
      message: defined({
        id: text(own(message, "id")) ?? nodeId,
        role,
        content: words,
        name: text(own(own(message, "author"), "name")),
        createdAt: seconds(own(message, "create_time")) ?? began,
        metadata: defined({ source: "chatgpt", title }),
      }),
    };
  }
}

/** The ids of the nodes from the root to the one that was open last. */
function branch(mapping: Record<string, unknown>, current: unknown): string[] {
  const path: string[] = [];
  const seen = new Set<string>();
  let id = text(current) ?? lastLeaf(mapping);
  while (id !== undefined && Object.hasOwn(mapping, id) && !seen.has(id)) {
    seen.add(id);
    path.push(id);
    id = text(own(mapping[id], "parent"));
  }
  return path.reverse();
}

/** The last node without children, where nobody says which was open. */
function lastLeaf(mapping: Record<string, unknown>): string | undefined {
  const isLeaf = (id: string): boolean => (listIn(own(mapping[id], "children")) ?? []).length === 0;
  return Object.keys(mapping).findLast(isLeaf);
}

/** The words of a content: its text parts, or its text. */
function said(content: Record<string, unknown>): string {
  const parts = listIn(own(content, "parts")) ?? [own(content, "text")];
  const texts = parts.map((part) => (isRecord(part) ? own(part, "text") : part));
  return texts.filter((part) => typeof part === "string" && part.trim() !== "").join("\n");
}
