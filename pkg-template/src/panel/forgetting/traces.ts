/** What else tells something: replies that repeat it or list it among what was recalled, and the same words as the topics keep them. */
import type { ForgottenRecord } from "../../forget.js";
import type { Page } from "../../tiers.js";
import type { Source, StoredMessage } from "../../types.js";
import type { User } from "../tools.js";

/** Fewer characters than these stand in too many other words. */
const LEAST_CHARACTERS = 3;
/** What ids look like. */
const ID = /[0-9a-f]{32}/g;
/** The most that one call hands out. */
const MOST = 1000;

/** The messages that some words stand in. */
export async function messagesBehind(user: User, sources: readonly Source[]): Promise<ForgottenRecord[]> {
  const known = new Set(sources.map(({ messageId }) => messageId));
  const threads = new Set(sources.map(({ threadId }) => threadId).filter((threadId) => threadId !== ""));
  const messages = await Promise.all([...threads].map((threadId) => messagesOf(user, threadId)));
  return messages.flat().filter(({ id }) => known.has(id)).map(recordOf);
}

/** The other records that tell what some records tell: `texts` are their words, `ids` their own. */
export async function tracesOf(user: User, ids: ReadonlySet<string>, texts: readonly string[]): Promise<ForgottenRecord[]> {
  const words = texts.map(fold).filter((text) => text.length >= LEAST_CHARACTERS);
  const holds = (text: string): boolean => words.some((word) => text.includes(word));
  const found: ForgottenRecord[] = [];
  for (const { threadId } of await user.threads.list()) {
    for (const message of await messagesOf(user, threadId)) {
      if (ids.has(message.id) || message.role === "user") continue;
      // What was recalled and called for a reply is kept beside it.
      const kept = JSON.stringify(message.metadata);
      const isTold = holds(fold(messageText(message))) || holds(fold(unquoted(message.metadata))) || (kept.match(ID) ?? []).some((id) => ids.has(id));
      if (isTold) found.push(recordOf(message));
    }
  }
  return found;
}

/** What the topics keep of some messages, or of a whole chat. */
export async function pagesOf(user: User, messages: ReadonlySet<string>, threadId?: string): Promise<ForgottenRecord[]> {
  if (messages.size === 0 && threadId === undefined) return [];
  // Read-only, so that looking makes no topic hotter.
  const { recent, pages } = await user.readOnly().tiers.retrieve("everything", { topSegments: MOST, topPages: MOST, topKnowledge: 1 });
  const all = new Map<string, Page>([...recent, ...pages].map((page) => [page.id, page]));
  const isOf = ({ metadata }: Page): boolean => messages.has(String(metadata["messageId"])) || (threadId !== undefined && metadata["threadId"] === threadId);
  return [...all.values()].filter(isOf).map(({ id, query, createdAt }) => ({ id, kind: "page", text: query, createdAt }));
}

export async function messagesOf(user: User, threadId: string): Promise<StoredMessage[]> {
  const messages: StoredMessage[] = [];
  for (;;) {
    const page = await user.threads.messages(threadId, { limit: MOST, offset: messages.length, order: "asc" });
    messages.push(...page);
    if (page.length < MOST) return messages;
  }
}

/** The words of a message, whose content is a text or a list of parts. */
export function messageText({ content }: Pick<StoredMessage, "content">): string {
  if (typeof content === "string") return content;
  return content.flatMap((part) => (part.type === "text" && typeof part.text === "string" ? [part.text] : [])).join("\n");
}

function recordOf(message: StoredMessage): ForgottenRecord {
  const { id, threadId, createdAt } = message;
  return { id, kind: "message", text: messageText(message), threadId, createdAt };
}

/** All texts in something, one after another, without what JSON puts around them. */
function unquoted(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "object" && value !== null ? Object.values(value).map(unquoted).join("\n") : "";
}

function fold(text: string): string {
  return text.trim().toLowerCase();
}
