/** Embedding models of Cloudflare's Workers AI. */
import { EmbedderError } from "../errors.js";
import { kind, passes, refused as refusedInput } from "../plain.js";
import { Refusal } from "../server.js";
import { messageOf, run, type WorkersAIBinding, type WorkersAIModel } from "../workers-ai.js";
import { modelEmbedder, type EmbedderLimits, type ModelEmbedder } from "./embedder.js";
import { checked, OF_REQUESTS } from "./options.js";
import { refused, Requests, type RequestLimits } from "./requests.js";

/** Which embedding model to ask, and how much at once: by default 100 texts, which is the most it takes, with 50,000 characters. */
export interface WorkersAIEmbeddings extends WorkersAIModel, EmbedderLimits, RequestLimits {}

/** It refuses texts of more than 512 tokens for these (developers.cloudflare.com/workers-ai/platform/limits). */
const SHORT = /\bbge-(small|base|large)-en/;
const SHORT_TEXT_CHARACTERS = 1500;

const CURE = 'pass the binding env.AI, which "ai": { "binding": "AI" } in wrangler.jsonc adds to env';

/** Out of capacity: the codes are those of developers.cloudflare.com/workers-ai/workers-ai-errors. */
const BUSY = /\b3040\b/;

/**
 * An embedding model of Workers AI. Its id is the model's name, with the words that are put before documents.
 *
 * @param ai The binding, `env.AI`.
 * @returns An object for the option `embed`. A model that is out of capacity is asked again, as one that answers 429.
 * @throws InvalidInputError when an option is unknown, missing, of the wrong kind or out of its range.
 *
 * @example
 * ```ts
 * import { openMemory } from "mnemic";
 * import { workersAIEmbeddings } from "mnemic/embedders";
 *
 * const env = { AI: { run: async () => ({ data: [[1, 0]] }) } }; // a Worker is given it
 * const embed = workersAIEmbeddings(env.AI, { model: "@cf/baai/bge-m3" });
 * const memory = await openMemory({ name: "chat", storage: "memory", embed });
 * await memory.close();
 * ```
 */
export function workersAIEmbeddings(ai: WorkersAIBinding, embeddings: WorkersAIEmbeddings): ModelEmbedder {
  if (!passes(() => typeof ai.run === "function")) throw refusedInput("ai", kind(ai), CURE);
  const options = checked(embeddings, ["gateway", ...OF_REQUESTS]);
  const { model } = options;
  const requests = new Requests(model, options);
  const limits = { maxTexts: 100, maxCharacters: 50_000, ...(SHORT.test(model) && { maxTextCharacters: SHORT_TEXT_CHARACTERS }) };
  const request = async (text: readonly string[], signal: AbortSignal): Promise<unknown> => {
    const answer = await requests.make(signal, async (bounded) => {
      try {
        return await run(ai, options, { text }, bounded);
      } catch (cause) {
        const message = messageOf(cause);
        if (BUSY.test(message)) return new Refusal(429, message, null);
        throw new EmbedderError(`${model}: ${message}`, { cause });
      }
    });
    if (answer instanceof Refusal) throw refused(model, answer);
    return (answer as { readonly data?: unknown } | null | undefined)?.data;
  };
  return modelEmbedder({ model, limits, request }, options);
}
