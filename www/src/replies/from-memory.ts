/** A reply when no model is connected: it says what was kept and looks things up, and claims no more. */
import type { Fact, Source } from "mnemic";
import { fieldTelling, toldBy, withoutEchoes } from "../echoes";
import { type Finding, findings } from "../findings";
import type { Recollection, Session } from "../session";
import type { Field } from "../types";
import { fieldsAskedFor, intentOf } from "./intent";
import { languageOf } from "./language";
import { PHRASES, type Phrases } from "./phrases";
import { type Asked, queryOf, type Reply, type ReplyProgress, shortened, summarise } from "./reply";

const LISTED = 8;
const FACTS_CONSIDERED = 1000;
const CONSIDERED = 12;
const QUOTED = 3;
/** A hit with less than this share of the relevance of the best one is told only under "Recalled". */
const RELEVANCE_SHARE = 0.5;
/** Less than this has nothing to do with the question: `recall` leaves it out and tells `known: "no"`. */
const RELEVANCE_MINIMUM = 0.15;

interface Line {
  readonly id: string;
  readonly text: string;
  readonly source: readonly Source[];
}

interface Answers {
  readonly heading: string;
  readonly lines: Line[];
  /** What they were found by. */
  readonly from: readonly Finding[];
}

export async function replyFromMemory(session: Session, asked: Asked, { signal }: ReplyProgress): Promise<Reply> {
  const phrases = PHRASES[languageOf(asked.text)];
  const { user, isTemporary } = session.chat(asked.threadId);
  const intent = intentOf(asked.text);
  // With the built-in rules a message is read at once; only then is it known what was kept.
  await session.memory.idle({ signal });
  const recollection = await session.recollect(FACTS_CONSIDERED);
  const kept = keptFrom(asked.messageId, recollection, phrases);
  const said = kept.length > 0 ? [list(phrases.kept, kept, phrases, false)] : [];

  if (intent === "question") {
    const isNews = ({ id }: Finding): boolean => id !== asked.messageId && !kept.some((line) => line.id === id);
    const found = (await findings(user, queryOf(asked), CONSIDERED, signal)).filter((finding) => finding.relevance >= RELEVANCE_MINIMUM && isNews(finding));
    const { heading, lines, from } = answers(asked, found, recollection, phrases);
    if (lines.length > 0) said.push(list(kept.length > 0 ? phrases.alsoFound : heading, lines, phrases, true));
    return { text: joined(said, phrases.notFound), recalled: summarise(from) };
  }
  if (intent === "overview") {
    const before = linesOf(withoutEchoes(recollection), phrases).filter(({ id }) => !kept.some((line) => line.id === id));
    if (before.length > 0) said.push(list(phrases.overview, before, phrases, true));
    return { text: joined(said, phrases.empty), recalled: [] };
  }
  const { greeting, thanks, forget } = phrases;
  const proposals = await user.proposals.list({ signal });
  const isWaiting = proposals.some(({ source }) => source.some(({ messageId }) => messageId === asked.messageId));
  const isTold = asked.earlier.includes(phrases.nothingKept);
  const statement = isTemporary ? phrases.nothingStays : isTold ? phrases.nothingKeptAgain : phrases.nothingKept;
  const otherwise = { greeting, thanks, forget, statement };
  return { text: joined(said, isWaiting ? phrases.waiting : otherwise[intent]), recalled: [] };
}

/** What was just made of a message: of a list, what the message added to it. */
function keptFrom(messageId: string, recollection: Recollection, phrases: Phrases): Line[] {
  const { fields, facts } = withoutEchoes(recollection);
  return linesOf({ fields: fields.map((field) => ({ ...field, value: toldBy(messageId, field) })), facts }, phrases)
    .filter((line) => line.source.some((source) => source.messageId === messageId));
}

/** The fields a question names; otherwise the facts that were found; otherwise the user's own words. */
function answers({ text }: Asked, found: readonly Finding[], { fields, facts }: Recollection, phrases: Phrases): Answers {
  const factOf = ({ id }: Finding): Fact | undefined => facts.find((fact) => fact.id === id);
  const names = fieldsAskedFor(text);
  const named = fields.filter(({ name }) => names.includes(name));
  if (named.length > 0) {
    const from = found.filter((finding) => fieldTelling(factOf(finding) ?? { source: [] }, named));
    return { heading: phrases.found, lines: linesOf({ fields: named, facts: [] }, phrases), from };
  }
  const close = found.filter(({ relevance }) => relevance >= (found[0]?.relevance ?? 0) * RELEVANCE_SHARE);
  const closeFacts = close.flatMap((finding) => factOf(finding) ?? []);
  const tellingFields = closeFacts.flatMap((fact) => fieldTelling(fact, fields) ?? []);
  const lines = linesOf(withoutEchoes({ fields: [...new Set(tellingFields)], facts: closeFacts }), phrases);
  if (lines.length > 0) return { heading: phrases.found, lines, from: close.filter(factOf) };
  const messages = found.filter((finding) => finding.role === "user" && intentOf(finding.text) === "statement").slice(0, QUOTED);
  return { heading: phrases.youSaid, lines: messages.map((message) => ({ id: message.id, text: `“${shortened(message.text)}”`, source: [] })), from: messages };
}

function linesOf({ fields, facts }: Recollection, phrases: Phrases): Line[] {
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
