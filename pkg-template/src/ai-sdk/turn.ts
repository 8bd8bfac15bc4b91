/** Which turn of a thread a call of a model belongs to: the last message of the user, and what was answered since. */
import type { StoredMessage } from "../types.js";
import type { PromptMessage } from "./model.js";
import { contentOf, keptParts, wordsOf } from "./parts.js";

/** One side of a conversation until the other one speaks. */
interface Speech {
  readonly role: "user" | "assistant";
  readonly words: string;
  /** What of the thread it is; empty in a prompt. */
  readonly messages: readonly StoredMessage[];
}

/** The last message of the user in a prompt. */
export interface Asked {
  readonly content: string | ReturnType<typeof keptParts>;
  readonly words: string;
  /** What was answered since: the earlier steps of a loop of tools. */
  readonly answered: ReturnType<typeof keptParts>;
  /** What was said before, and with it. */
  readonly speeches: readonly Speech[];
}

/** Where a turn stands in its thread. */
export interface Place {
  /** The message of the user; absent when the thread does not have it. */
  readonly asked?: StoredMessage;
  /** The reply; absent when the thread does not have it. */
  readonly reply?: StoredMessage;
  /** The messages of the thread that the model is sent. */
  readonly sent: readonly StoredMessage[];
}

/** What a prompt asks; undefined when nobody says anything in it. */
export function askedIn(prompt: readonly PromptMessage[]): Asked | undefined {
  const last = prompt.findLastIndex(({ role }) => role === "user");
  const message = prompt[last];
  if (message === undefined) return undefined;
  const parts = keptParts(message.content);
  if (wordsOf(parts).trim() === "") return undefined;
  const content = contentOf(parts);
  const spoken = prompt.slice(0, last + 1).flatMap(({ role, content }) => said(role, contentOf(keptParts(content))) ?? []);
  const answered = prompt.slice(last + 1).flatMap(({ content }) => keptParts(content));
  return { content, words: wordsOf(content), answered, speeches: joined(spoken) };
}

/**
 * Finds a turn in the last messages of a thread, oldest first. It is there when the thread has its message: with the id that the app gives
 * it, or without one by what was said. A thread whose last message is the question waits for its reply; the steps of a loop of tools
 * follow the newest such question; and where the reply is there, what was said before must be the same.
 */
export function placeOf(asked: Asked, thread: readonly StoredMessage[], messageId: string | undefined): Place {
  const speeches = joined(thread.flatMap((message) => said(message.role, message.content, message) ?? []));
  const isSent = ({ role, words }: Speech): boolean => asked.speeches.some((speech) => speech.role === role && isSame(words, speech.words));
  const sent = speeches.filter(isSent).flatMap(({ messages }) => messages);
  const found = speeches.findLastIndex((speech, index) =>
    messageId === undefined ? isTurn(asked, speeches, index) : speech.messages.some(({ messageId: own, id }) => (own ?? id) === messageId),
  );
  const question = speeches[found]?.messages.at(-1);
  const reply = speeches[found + 1]?.messages.at(-1);
  return { ...(question && found >= 0 && { asked: question, ...(reply && { reply }) }), sent };
}

function isTurn({ words, answered, speeches: prompt }: Asked, thread: readonly Speech[], index: number): boolean {
  const speech = thread[index];
  if (speech?.role !== "user" || !isSame(speech.words, words)) return false;
  if (answered.length > 0 || index === thread.length - 1) return true;
  const before = prompt.slice(0, -1);
  const earlier = thread.slice(Math.max(0, index - before.length), index);
  if (earlier.length === 0) return index === 0 && thread.length <= 2;
  return earlier.every(({ role, words }, place) => {
    const same = before[before.length - earlier.length + place];
    return same?.role === role && isSame(words, same.words);
  });
}

function said(role: string, content: unknown, message?: StoredMessage): Speech | undefined {
  if (role !== "user" && role !== "assistant") return undefined;
  return { role, words: wordsOf(content), messages: message === undefined ? [] : [message] };
}

/** An assistant's messages in a row are one speech: a prompt has a message for each step. A user's stand for themselves. */
function joined(speeches: readonly Speech[]): Speech[] {
  const all: Speech[] = [];
  for (const speech of speeches) {
    const last = all.at(-1);
    if (speech.role === "user" || last?.role !== "assistant") all.push(speech);
    else {
      const words = [last.words, speech.words].filter((text) => text !== "").join("\n");
      all[all.length - 1] = { role: "assistant", words, messages: [...last.messages, ...speech.messages] };
    }
  }
  return all;
}

/** Whether words are those that were stored, where secrets are masked, such as `[card]`. */
function isSame(stored: string, words: string): boolean {
  if (stored === words) return true;
  const pieces = stored.split(/\[[a-z][a-z -]*\]/);
  if (pieces.length === 1) return false;
  let at = 0;
  for (const [index, piece] of pieces.entries()) {
    const found = index === 0 ? (words.startsWith(piece) ? 0 : -1) : index === pieces.length - 1 ? lastPlace(words, piece, at) : words.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return true;
}

const lastPlace = (words: string, piece: string, from: number): number =>
  words.endsWith(piece) && words.length - piece.length >= from ? words.length - piece.length : -1;

/** How many messages of a thread to look at for a prompt. */
export const lookedAt = (prompt: readonly PromptMessage[]): number => Math.min(200, 20 + prompt.length);
