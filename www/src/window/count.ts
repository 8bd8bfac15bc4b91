/** Tokens as the memory counts them. */
import type { User } from "../types";

const NO_LIMIT = 1_000_000;
/** What a message costs beside its text. */
const MESSAGE_TOKENS = 4;

export async function tokensOf(user: User, text: string): Promise<number> {
  const { tokens } = await user.threads.trim({ messages: [{ role: "user", content: text }], maxTokens: NO_LIMIT });
  return tokens;
}

/** The text, or as much of its beginning as has at most so many tokens. */
export async function shortenedTo(user: User, text: string, tokens: number): Promise<string> {
  const options = { maxTokens: tokens + MESSAGE_TOKENS, strategy: "first", allowPartial: true } as const;
  const { messages: [kept] } = await user.threads.trim({ messages: [{ role: "user", content: text }], ...options });
  return kept?.content ?? "";
}
