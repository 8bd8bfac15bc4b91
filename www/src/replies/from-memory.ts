/** A reply when no model is connected: it says what was kept and looks things up, and claims no more. */
import type { RecallItem, Source } from "mnemic";
import { messageText } from "../message-text";
import type { Recollection, Session } from "../session";
import type { Field } from "../types";
import { withoutEchoes } from "../echoes";
import { fieldsAskedFor, intentOf } from "./intent";
import { languageOf } from "./language";
import { PHRASES, type Phrases } from "./phrases";
import { type Asked, queryOf, recallFor, type Reply, summarise } from "./reply";

const LISTED = 8;
const FACTS_CONSIDERED = 100;
/** A hit that scores less than this share of the best one is told only under "What was recalled". */
const SCORE_SHARE = 0.5;

interface Line {
  readonly id: string;
  readonly text: string;
  readonly source: readonly Source[];
}

export async function replyFromMemory(session: Session, asked: Asked): Promise<Reply> {
  const phrases = PHRASES[languageOf(asked.text)];
  const intent = intentOf(asked.text);
  // With the built-in rules a message is read at once; only then is it known what was kept.
  await session.memory.idle();
  const known = linesOf(await session.recollect(FACTS_CONSIDERED, false), phrases);
  const kept = known.filter((line) => line.source.some((source) => source.messageId === asked.messageId));
  const said = kept.length > 0 ? [list(phrases.kept, kept, phrases, false)] : [];

  if (intent === "question") {
    const items = (await recallFor(session, asked)).items.filter((item) => !kept.some((line) => line.id === item.id));
    const found = await answers(session, asked, known, items, phrases);
    if (found.length > 0) said.push(list(kept.length > 0 ? phrases.alsoFound : phrases.found, found, phrases, true));
    return { text: joined(said, phrases.notFound), recalled: summarise(items) };
  }
  if (intent === "overview") {
    const before = known.filter((line) => !kept.includes(line));
    if (before.length > 0) said.push(list(phrases.overview, before, phrases, true));
    return { text: joined(said, phrases.empty), recalled: [] };
  }
  const otherwise = { greeting: phrases.greeting, forget: phrases.forget, statement: phrases.nothingKept };
  return { text: joined(said, otherwise[intent]), recalled: [] };
}

/** The fields a question names; otherwise what was recalled; otherwise the user's own words. */
async function answers(session: Session, asked: Asked, known: readonly Line[], items: readonly RecallItem[], phrases: Phrases): Promise<Line[]> {
  const labels = fieldsAskedFor(asked.text).map((name) => `${phrases.fields[name]}: `);
  const named = known.filter((line) => labels.some((label) => line.text.startsWith(label)));
  if (named.length > 0) return named;
  const closest = items.filter(({ score }) => score >= (items[0]?.score ?? 0) * SCORE_SHARE);
  const recalled = closest.flatMap((item) => known.find((line) => line.id === item.id) ?? []);
  if (recalled.length > 0) return recalled;
  const messages = await session.user.threads.search(queryOf(asked), { limit: 4, filter: { role: "user" } });
  return messages
    .filter((message) => message.id !== asked.messageId && intentOf(messageText(message)) === "statement")
    .map((message) => ({ id: message.id, text: messageText(message), source: [] }));
}

function linesOf(recollection: Recollection, phrases: Phrases): Line[] {
  const { fields, facts } = withoutEchoes(recollection);
  return [
    ...fields.map((field) => ({ id: field.id, text: fieldLine(field, phrases), source: field.source })),
    ...facts.map(({ id, text, source }) => ({ id, text, source })),
  ];
}

function fieldLine({ name, value }: Field, phrases: Phrases): string {
  return `${phrases.fields[name]}: ${typeof value === "string" ? value : value.join(", ")}`;
}

function list(heading: string, lines: readonly Line[], phrases: Phrases, withQuotes: boolean): string {
  const shown = lines.slice(0, LISTED).map(({ text, source }) => {
    const quote = source.at(-1)?.quote;
    return withQuotes && quote && !text.includes(quote) ? `• ${text} (“${quote}”)` : `• ${text}`;
  });
  if (lines.length > LISTED) shown.push(phrases.more(lines.length - LISTED));
  return [heading, ...shown].join("\n");
}

function joined(said: readonly string[], otherwise: string): string {
  return said.length > 0 ? said.join("\n\n") : otherwise;
}
