/** Providers whose language models have a memory. */
import { kind, refused } from "../plain.js";
import { memoryMiddleware, type MemoryMiddleware, type MemoryMiddlewareOptions } from "./middleware.js";
import type { GeneratedAnswer, ModelCall, StreamedAnswer } from "./model.js";
import type { MemoryUser } from "./user.js";

/** What of a language model is called. */
interface LanguageModel {
  doGenerate(call: ModelCall): PromiseLike<GeneratedAnswer>;
  doStream(call: ModelCall): PromiseLike<StreamedAnswer>;
}

/**
 * A provider of the AI SDK whose language models have a memory: `remembering("gpt-5-mini")` in place of `openai("gpt-5-mini")`, and
 * likewise `remembering.chat(...)` and `remembering.languageModel(...)`. What else it makes, such as embedding models, it makes as before.
 *
 * @throws InvalidInputError when an option is unknown or out of its range.
 *
 * @example
 * ```ts no-run
 * import { customProvider, gateway, generateText } from "ai";
 * import { memoryProvider } from "mnemic/ai-sdk";
 *
 * const models = customProvider({ languageModels: { fast: gateway("openai/gpt-5-mini") } });
 * const remembering = memoryProvider(models, user, { threadId: "today" });
 * const { text } = await generateText({ model: remembering.languageModel("fast"), prompt: "Where do I live?" });
 * console.log(text);
 * ```
 */
export function memoryProvider<Provider extends object>(provider: Provider, user: MemoryUser, options: MemoryMiddlewareOptions = {}): Provider {
  if (Object(provider) !== provider) throw refused("provider", kind(provider), "pass one such as openai");
  const middleware = memoryMiddleware(user, options);
  const made = (value: unknown): unknown => (isLanguageModel(value) ? remembering(value, middleware) : value);
  return new Proxy(provider, {
    apply: (target, self, values: unknown[]) => made(Reflect.apply(target as (...values: unknown[]) => unknown, self, values)),
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? (...values: unknown[]) => made(Reflect.apply(value, target, values)) : value;
    },
  });
}

function isLanguageModel(value: unknown): value is LanguageModel {
  const { doGenerate, doStream } = Object(value) as Partial<LanguageModel>;
  return typeof doGenerate === "function" && typeof doStream === "function";
}

/** The same model, with a memory around what it is asked. */
function remembering(model: LanguageModel, middleware: MemoryMiddleware): LanguageModel {
  const own: LanguageModel = {
    doGenerate: (params) => middleware.wrapGenerate({ params, model }),
    doStream: (params) => middleware.wrapStream({ params, model }),
  };
  return new Proxy(model, {
    get: (target, name) => (Object.hasOwn(own, name) ? own[name as keyof LanguageModel] : (Reflect.get(target, name) as unknown)),
  });
}
