/** What the memory finds for a query: facts and messages in one list, best first. */
import type { RecallItem, StoredMessage } from "mnemic";
import { messageText } from "./message-text";
import { NOT_BY_MEMORY } from "./signature";
import type { User } from "./types";

export type Finding = Pick<RecallItem, "kind" | "id" | "text" | "score" | "relevance" | "terms" | "createdAt" | "source"> & {
  /** Who said it, of a message. */
  readonly role?: StoredMessage["role"];
};

export async function findings(user: User, query: string, limit: number, signal?: AbortSignal): Promise<Finding[]> {
  const [facts, messages] = await Promise.all([
    user.facts.search(query, { limit, signal }),
    user.threads.search(query, { limit, filter: NOT_BY_MEMORY, signal }),
  ]);
  const found: Finding[] = [
    ...facts.map(({ id, text, score, relevance, terms, createdAt, source }) => ({ kind: "fact" as const, id, text, score, relevance, terms, createdAt, source })),
    ...messages.map((message) => {
      const { id, role, threadId, score, relevance, terms, createdAt } = message;
      return { kind: "message" as const, id, role, text: messageText(message), score, relevance, terms, createdAt, source: [{ messageId: id, threadId, quote: "" }] };
    }),
  ];
  // Scores compare within one search, relevance compares both. A fact is a message boiled down: of equals it comes first, as it does here.
  return found.sort((one, other) => other.relevance - one.relevance).slice(0, limit);
}
