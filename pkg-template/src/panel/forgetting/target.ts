/** What somebody wants to be forgotten, and all that has to do with it. */
import type { ForgetSelector, Forgotten, ForgottenKind, ForgottenRecord } from "../../forget.js";
import type { Source } from "../../types.js";
import type { User } from "../tools.js";
import { sumOf } from "./counts.js";
import { messagesBehind, messagesOf, pagesOf, tracesOf } from "./traces.js";

export type Target =
  /** Things that are remembered, or messages. */
  | { readonly ids: readonly string[] }
  /** A conversation. */
  | { readonly threadId: string }
  /** Everything about some words; the user chooses from what is found. */
  | { readonly words: string }
  | { readonly everything: true };

/** A record that goes only if the user wants it to. */
export interface Choice {
  readonly record: ForgottenRecord;
  /** Whether it is chosen before the user says anything. */
  readonly isMeant: boolean;
  /** Whether it says more than what is meant. */
  readonly saysMore?: boolean;
}

/** What is learned from messages. */
const LEARNED: ReadonlySet<ForgottenKind> = new Set(["fact", "field", "entity", "relation", "episode", "trait"]);

/** How many records are listed at most. */
export const MOST_LISTED = 200;
/** The most ids that one call takes. */
const MOST_IDS = 10_000;

/** What the user may choose beside what is meant anyway. */
export async function choicesFor(user: User, target: Target): Promise<Choice[]> {
  if ("everything" in target) return [];
  if ("words" in target) return aboutWords(user, target.words);
  const found = await wouldGo(user, "ids" in target ? { ids: target.ids } : target);
  const behind = "ids" in target ? await behindItems(user, found.filter(({ id, kind }) => target.ids.includes(id) && kind !== "message")) : [];
  const told = [...found, ...behind.map(({ record }) => record)];
  const words = await Promise.all(told.filter(({ kind }) => kind !== "message").map((record) => wordsOf(user, record)));
  const traces = await tracesOf(user, new Set(told.map(({ id }) => id)), words.flat());
  return [...behind, ...traces.map((record) => ({ record, isMeant: true }))].slice(0, MOST_LISTED);
}

/** What was learned from the same words as some items, and the messages with those words, which may say more than that. */
async function behindItems(user: User, items: readonly ForgottenRecord[]): Promise<Choice[]> {
  const quotes = (await Promise.all(items.map(({ id }) => user.explain(id)))).flatMap(({ source }) => source);
  const own = new Set(items.map(({ id }) => id));
  const messages = await messagesBehind(user, quotes);
  const along = await Promise.all(messages.map(({ id }) => wouldGo(user, { ids: [id] })));
  const learned = [...new Map(along.flat().filter(({ id, kind }) => LEARNED.has(kind) && !own.has(id)).map((record) => [record.id, record])).values()];
  const isTwin = await Promise.all(learned.map(async ({ id }) => {
    const { source } = await user.explain(id);
    return source.length > 0 && source.every((from) => quotes.some((quote) => covers(quote, from)));
  }));
  const twins = learned.filter((_, index) => isTwin[index]);
  const saysNoMore = (index: number): boolean => (along[index] ?? []).every(({ id, kind }) => !LEARNED.has(kind) || own.has(id) || twins.some((twin) => twin.id === id));
  return [
    ...twins.map((record) => ({ record, isMeant: true })),
    ...messages.map((record, index) => (saysNoMore(index) ? { record, isMeant: true } : { record, isMeant: false, saysMore: true })),
  ];
}

async function wouldGo(user: User, selector: ForgetSelector): Promise<ForgottenRecord[]> {
  return (await user.forget(selector, { preview: true, limit: 1000 })).found ?? [];
}

/** The words by which replies tell a record: of a field its values, not how they are stored. */
async function wordsOf(user: User, { id, kind, text }: ForgottenRecord): Promise<string[]> {
  const value = kind === "field" ? (await user.items.get(id))?.value : undefined;
  return value === undefined ? [text] : [value].flat().map(String);
}

async function aboutWords(user: User, words: string): Promise<Choice[]> {
  const { found = [] } = await user.forget({ query: words }, { limit: MOST_LISTED });
  const traces = await tracesOf(user, new Set(found.map(({ id }) => id)), [words]);
  const records = [...new Map([...found, ...traces].map((record) => [record.id, record])).values()];
  const folded = words.trim().toLowerCase();
  const isLiteral = ({ text }: ForgottenRecord): boolean => text.toLowerCase().includes(folded);
  const traced = new Set(traces.map(({ id }) => id));
  // What is only alike is for the user to choose.
  return records.slice(0, MOST_LISTED).map((record) => ({ record, isMeant: isLiteral(record) || traced.has(record.id) }));
}

/** What to forget, with what was chosen; none when that is nothing. */
async function selectorsFor(user: User, target: Target, chosen: readonly ForgottenRecord[]): Promise<ForgetSelector[]> {
  if ("everything" in target) return [{ scope: true }];
  const threadId = "threadId" in target ? target.threadId : undefined;
  const own = "ids" in target ? target.ids : threadId === undefined ? [] : (await messagesOf(user, threadId)).map(({ id }) => id);
  const isLong = threadId !== undefined && own.length > MOST_IDS / 2;
  const named = [...own, ...chosen.map(({ id }) => id)];
  const pages = await pagesOf(user, new Set(named), threadId);
  const ids = [...new Set([...(isLong ? chosen.map(({ id }) => id) : named), ...pages.map(({ id }) => id)])].slice(0, MOST_IDS);
  return [...(ids.length > 0 ? [{ ids }] : []), ...(isLong ? [{ threadId }] : [])];
}

/** What would go; nothing is changed. */
export async function preview(user: User, target: Target, chosen: readonly ForgottenRecord[]): Promise<Forgotten> {
  const selectors = await selectorsFor(user, target, chosen);
  return together(await Promise.all(selectors.map((selector) => user.forget(selector, { preview: true, limit: 1000 }))));
}

export async function forget(user: User, target: Target, chosen: readonly ForgottenRecord[]): Promise<Forgotten> {
  const selectors = await selectorsFor(user, target, chosen);
  const receipts: Forgotten[] = [];
  for (const selector of selectors) receipts.push(await user.forget(selector));
  return together(receipts);
}

function together(receipts: readonly Forgotten[]): Forgotten {
  const none: Forgotten = { forgotten: {}, rewritten: {}, commits: 0, found: [] };
  return receipts.reduce((sum, { forgotten, rewritten, commits, found = [], at }) => ({
    forgotten: sumOf(sum.forgotten, forgotten), rewritten: sumOf(sum.rewritten, rewritten), commits: sum.commits + commits,
    found: [...(sum.found ?? []), ...found], ...(at !== undefined && { at }),
  }), none);
}

/** Whether one quote holds another, or is held by it. */
function covers(one: Source, other: Source): boolean {
  return one.messageId === other.messageId && (one.quote.includes(other.quote) || other.quote.includes(one.quote));
}
