/** A turn of a chat: what is recalled for it, what the model is sent, and what is stored. */
import type { Scope } from "../scope.js";
import type { GivenMessage, RecallOptions } from "../types.js";

/**
 * Your model: takes what is remembered, which belongs into the system message as data, and the last 50 messages of the thread, oldest first,
 * with the one to reply to at the end.
 */
export type ReplyingModel = (remembered: string, messages: GivenMessage[]) => Promise<string> | string;

/** Options of a turn: those of `recall`. Default: `{ maxTokens: 800, sections: { significant: 0.2 } }`. */
export type SendOptions = Omit<RecallOptions, "currentThreadId" | "messages" | "signal">;

/** How many messages of a thread its model is sent before the one to reply to. */
const MOST_SENT = 50;

export async function sendIn(user: Scope, threadId: string, content: string, model: ReplyingModel, { filter, ...options }: SendOptions = {}): Promise<string> {
  const sent = (await user.threads.messages(threadId, { order: "desc", limit: MOST_SENT })).reverse();
  // The model is sent these anyway. What was said earlier in a long chat is found like anything else.
  const unsent = { id: { $nin: sent.map(({ id }) => id) } };
  const { text } = await user.recall(content, {
    maxTokens: 800,
    sections: { significant: 0.2 },
    ...options,
    ...(options.rewrite && { messages: sent }),
    filter: filter === undefined ? unsent : { $and: [filter, unsent] },
  });
  const last = sent.at(-1);
  // A message that has no reply yet and is sent again is the same one.
  const isAgain = last?.role === "user" && last.content === content;
  if (!isAgain) await user.remember({ role: "user", content }, { threadId });
  const reply = await model(text, isAgain ? sent : [...sent, { role: "user", content }]);
  await user.remember({ role: "assistant", content: reply }, { threadId });
  return reply;
}
