/** What answers a message: the connected model, or without one the memory itself. */
import type { RecallItem } from "mnemic";
import type { Turn } from "../models/model";
import type { Session } from "../session";
import { NOT_BY_MEMORY } from "../signature";
import { replyFromMemory } from "./from-memory";
import { replyFromModel } from "./from-model";

/** The message to answer, already stored. */
export interface Asked {
  readonly messageId: string;
  readonly threadId: string;
  readonly text: string;
  /** The turns before it, oldest first. */
  readonly earlier: readonly Turn[];
}

/** A recalled item as it is kept with the reply that used it. */
export type Recalled = Pick<RecallItem, "kind" | "id" | "text" | "score" | "terms">;

export interface Reply {
  readonly text: string;
  readonly recalled: readonly Recalled[];
}

export interface ReplyProgress {
  readonly signal: AbortSignal;
  onText(text: string): void;
}

/** A query longer than this says nothing more precisely. */
const QUERY_CHARACTERS = 4000;
/** Enough to recognise a recalled item by; what is kept with a reply has to stay small. */
const SUMMARY_CHARACTERS = 300;

export function answer(session: Session, asked: Asked, progress: ReplyProgress): Promise<Reply> {
  return session.model ? replyFromModel(session, session.model, asked, progress) : replyFromMemory(session, asked, progress);
}

/** What the memory has on a message, without the message itself. */
export async function recallFor(session: Session, asked: Asked, signal?: AbortSignal): Promise<{ text: string; items: RecallItem[] }> {
  const { text, items } = await session.user.recall(queryOf(asked), { maxTokens: 1000, limit: 12, threadId: asked.threadId, filter: NOT_BY_MEMORY, signal });
  return { text, items: items.filter((item) => item.id !== asked.messageId) };
}

/** What to search the memory for. */
export function queryOf({ text }: Pick<Asked, "text">): string {
  return text.slice(0, QUERY_CHARACTERS);
}

export function summarise(items: readonly Recalled[]): Recalled[] {
  return items.map(({ kind, id, text, score, terms }) => ({ kind, id, text: shortened(text), score, terms }));
}

/** Enough of a text to know it by. Recalled lines come as a list for the prompt. */
export function shortened(line: string): string {
  const text = line.replace(/^- /, "");
  return text.length > SUMMARY_CHARACTERS ? `${text.slice(0, SUMMARY_CHARACTERS)}…` : text;
}
