/**
 * What this entry needs of the AI SDK's types, written down so that the package depends on no version of it: the shapes of the
 * specifications v3 (version 6) and v4 (version 7), as far as they are read here.
 */

/** A message of a prompt. */
export interface PromptMessage {
  readonly role: string;
  readonly content: unknown;
}

/** The options of a call of a language model. */
export interface ModelCall {
  readonly prompt: readonly PromptMessage[];
  readonly abortSignal?: AbortSignal | undefined;
  readonly providerOptions?: { readonly [provider: string]: unknown } | undefined;
}

/** What a language model answers at once. */
export interface GeneratedAnswer {
  readonly content: ReadonlyArray<{ readonly type: string }>;
  readonly finishReason: unknown;
}

/** What a language model answers in parts. */
export interface StreamedAnswer {
  readonly stream: ReadableStream<StreamPart>;
}

/** A part of a streamed answer. */
export interface StreamPart {
  readonly type: string;
}

/** A value of any shape, to look into. */
export type Loose = Readonly<Record<string, unknown>>;

/** A list of values of any shape; empty when it is none. */
export const looseList = (value: unknown): readonly Loose[] =>
  Array.isArray(value) ? (value as unknown[]).filter((part): part is Loose => typeof part === "object" && part !== null) : [];

/** A text, or nothing when it is none. */
export const textIn = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** Why an answer ended, such as `"tool-calls"`. */
export function reasonOf({ finishReason }: { readonly finishReason?: unknown }): unknown {
  const { unified = finishReason } = Object(finishReason) as { unified?: unknown };
  return unified;
}
