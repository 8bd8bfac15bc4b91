/** The middleware for language models of the AI SDK. */
import type { MnemicError } from "../errors.js";
import { known, refused, shown } from "../plain.js";
import type { RecallOptions } from "../types.js";
import { checkWhole } from "../whole.js";
import { Exchange, type ExchangeOptions, type MemoryFailure } from "./exchange.js";
import { reasonOf, type GeneratedAnswer, type Loose, type ModelCall, type StreamedAnswer } from "./model.js";
import { keptParts } from "./parts.js";
import { Reply } from "./reply.js";
import { rememberingStream } from "./stream.js";
import { checkUser, type MemoryUser } from "./user.js";

/** Options of {@link memoryMiddleware}. `providerOptions.mnemic` of a call sets `threadId`, `messageId` and `replyId` for that call. */
export interface MemoryMiddlewareOptions {
  /** The conversation. Default: `"default"`. */
  readonly threadId?: string | undefined;
  /** The most tokens of what is recalled, 1 to 1 000 000. Default: 800. */
  readonly maxTokens?: number | undefined;
  /**
   * Options of the recall; false recalls nothing. Default: significant facts have a share of 0.2. Messages that the model is sent are left
   * out in any case, and what was said last is what `rewrite` goes by.
   */
  readonly recall?: Omit<RecallOptions, "signal" | "maxTokens"> | false | undefined;
  /** Whether to store the user's message and the reply. Default: true; false where you store them yourself, as by `saveMessages`. */
  readonly remember?: boolean | undefined;
  /** Whether to learn from them. Default: true. */
  readonly learn?: boolean | undefined;
  /** Your own id for the user's message, such as that of `useChat`. Default: it is found by what was said. */
  readonly messageId?: string | undefined;
  /** Your own id for the reply. Default: the one that the thread has, or one made of that of the user's message. */
  readonly replyId?: string | undefined;
  /** How long the memory may take each time before the call goes on without it, in milliseconds, 1 to 600 000. Default: 10 000. */
  readonly timeoutMs?: number | undefined;
  /**
   * Is told what the memory could not do. The model answers all the same, unless this throws: then the call fails with that error. Without
   * it, the failure is a warning of the result.
   */
  readonly onError?: ((error: MnemicError, failure: MemoryFailure) => void | Promise<void>) | undefined;
}

/** A middleware for `wrapLanguageModel` of the AI SDK 6 and 7. */
export interface MemoryMiddleware {
  /** What version 6 asks for; version 7 takes any. */
  readonly specificationVersion: "v3";
  /** Answers at once. */
  wrapGenerate<Call extends ModelCall, Answer extends GeneratedAnswer>(options: {
    readonly params: Call;
    readonly model: { doGenerate(call: Call): PromiseLike<Answer> };
  }): Promise<Answer>;
  /** Answers in parts. */
  wrapStream<Call extends ModelCall, Answer extends StreamedAnswer>(options: {
    readonly params: Call;
    readonly model: { doStream(call: Call): PromiseLike<Answer> };
  }): Promise<Answer>;
}

const NAMES = ["threadId", "maxTokens", "recall", "remember", "learn", "messageId", "replyId", "timeoutMs", "onError"];

/**
 * Gives a language model of the AI SDK a memory. Before each call, what is known about the last message of the user goes behind the first
 * system messages. After it, that message and the reply are in the thread, once each, however many steps, attempts and requests it took:
 * with calls of tools and their results, without reasoning, and with files by their names.
 *
 * A reply that was aborted is kept as far as it came, with `metadata.aborted`. Of one that failed nothing is kept but what was asked. A
 * memory that fails does not stop the model.
 *
 * @throws InvalidInputError when an option is unknown or out of its range.
 *
 * @example
 * ```ts no-run
 * import { gateway, streamText, wrapLanguageModel } from "ai";
 * import { memoryMiddleware } from "mnemic/ai-sdk";
 *
 * const middleware = memoryMiddleware(user, { threadId: "today" });
 * const model = wrapLanguageModel({ model: gateway("openai/gpt-5-mini"), middleware });
 * const { textStream } = streamText({ model, prompt: "My name is Ana. What should I cook?" });
 * for await (const text of textStream) console.log(text);
 * ```
 */
export function memoryMiddleware(user: MemoryUser, options: MemoryMiddlewareOptions = {}): MemoryMiddleware {
  checkUser(user);
  known(options, NAMES);
  const { maxTokens = 800, recall = {}, threadId = "default", remember = true, learn = true, timeoutMs = 10_000 } = options;
  checkWhole("options.maxTokens", maxTokens, 1, 1_000_000);
  checkWhole("options.timeoutMs", timeoutMs, 1, 600_000);
  const asked = recall === false ? recall : { sections: { significant: 0.2 }, ...recall, maxTokens };
  const { messageId, replyId, onError } = options;
  const settings: ExchangeOptions = { threadId, messageId, replyId, recall: asked, remember, learn, timeoutMs, onError };
  const begin = <Call extends ModelCall>(call: Call): Promise<Exchange<Call> | undefined> =>
    Exchange.begin(user, { ...settings, ...ownOptions(call) }, call);
  return {
    specificationVersion: "v3",
    async wrapGenerate({ params, model }) {
      const exchange = await begin(params);
      if (exchange === undefined) return model.doGenerate(params);
      const answer = await ended(exchange, () => model.doGenerate(exchange.call));
      await exchange.keep(keptParts(answer.content), { isLast: reasonOf(answer) !== "tool-calls" });
      const { warnings, providerMetadata } = answer as GeneratedAnswer & { warnings?: readonly object[]; providerMetadata?: object };
      const metadata = { ...providerMetadata, mnemic: await exchange.metadata() };
      return { ...answer, warnings: [...(warnings ?? []), ...exchange.warnings()], providerMetadata: metadata };
    },
    async wrapStream({ params, model }) {
      const exchange = await begin(params);
      if (exchange === undefined) return model.doStream(params);
      const answer = await ended(exchange, () => model.doStream(exchange.call));
      return { ...answer, stream: rememberingStream(answer.stream, params.abortSignal, new Reply(exchange)) };
    },
  };
}

/** Runs a model; when it fails, the user's message is kept. */
async function ended<Answer>(exchange: Exchange<ModelCall>, work: () => PromiseLike<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    await exchange.end();
    throw error;
  }
}

/** The options of this package in those of a call. */
function ownOptions({ providerOptions }: ModelCall): Partial<ExchangeOptions> {
  const given = providerOptions?.["mnemic"];
  if (given === undefined) return {};
  const names = ["threadId", "messageId", "replyId"];
  known(given, names);
  for (const [name, value] of Object.entries(given as Loose)) {
    if (typeof value !== "string") throw refused(`providerOptions.mnemic.${name}`, shown(value), "pass a text");
  }
  return given as Partial<ExchangeOptions>;
}
