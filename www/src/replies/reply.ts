/** What answers a message: the connected model, or without one the memory itself. */
import type { RecallItem } from "mnemic";
import type { Session } from "../session";
import type { WindowReport } from "../window/parts";
import { clipped, fitting } from "./fitting";
import { replyFromMemory } from "./from-memory";
import { replyFromModel } from "./from-model";
import type { MadeCall } from "./tool-calls";

/** The message to answer, already stored. */
export interface Asked {
  readonly messageId: string;
  readonly threadId: string;
  readonly text: string;
  /** The replies before it, oldest first. */
  readonly earlier: readonly string[];
  /** The calls that were made for it before an earlier attempt broke off. */
  readonly calls: readonly MadeCall[];
}

/** A recalled item as it is kept with the reply that used it. */
export type Recalled = Pick<RecallItem, "kind" | "id" | "text" | "score" | "terms"> & { readonly relevance?: number | undefined };

export interface Reply {
  readonly text: string;
  readonly recalled: readonly Recalled[];
  readonly calls?: readonly MadeCall[];
  /** How the last request filled the window. */
  readonly window?: WindowReport;
}

export interface ReplyProgress {
  readonly signal: AbortSignal;
  onText(text: string): void;
  /** Called with all calls so far, each time one more was made. */
  onCalls(calls: readonly MadeCall[]): void;
  /** Called with each request that is sent. */
  onSent(report: WindowReport): void;
}

/** A query longer than this says nothing more precisely. */
const QUERY_CHARACTERS = 4000;
/** Enough to recognise a recalled item by, the longest first that lets all be kept with a reply. */
const SUMMARY_CHARACTERS = [300, 120, 50, 20];
const SUMMARY_BYTES = 7 * 1024;

export function answer(session: Session, asked: Asked, progress: ReplyProgress): Promise<Reply> {
  return session.model ? replyFromModel(session, session.model, asked, progress) : replyFromMemory(session, asked, progress);
}

/** What to search the memory for. */
export function queryOf({ text }: Pick<Asked, "text">): string {
  return text.slice(0, QUERY_CHARACTERS);
}

export function summarise(items: readonly Recalled[]): Recalled[] {
  return fitting(SUMMARY_CHARACTERS, SUMMARY_BYTES, (most) => items.map(({ kind, id, text, score, relevance, terms }) => ({ kind, id, text: shortened(text, most), score, relevance, terms })));
}

/** Enough of a text to know it by. Recalled lines come as a list for the prompt. */
export function shortened(line: string, characters = 300): string {
  return clipped(line.replace(/^- /, ""), characters);
}
