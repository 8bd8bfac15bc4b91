/** What a model has answered, as the engine takes it. */

/** The tokens that a server counted. */
export interface Tokens {
  readonly prompt_tokens?: number;
  readonly completion_tokens?: number;
}

/** The words or calls of an answer, one of which it has; an object when it has calls or tells its tokens. */
export function reply(content: string | undefined, toolCalls: readonly object[], tokens: Tokens | null | undefined): string | object {
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = tokens ?? {};
  const counted = inputTokens !== undefined && outputTokens !== undefined && { usage: { inputTokens, outputTokens } };
  if (toolCalls.length > 0) return { ...(content !== undefined && { content }), toolCalls, ...counted };
  return counted ? { content, ...counted } : (content as string);
}
