/** Embedding models behind OpenAI's embeddings interface. */
import { base64Bytes } from "../base64.js";
import { post, Refusal, type OpenAIServer } from "../server.js";
import { modelEmbedder, type EmbedderLimits, type ModelEmbedder } from "./embedder.js";
import { checked, OF_SERVER } from "./options.js";
import { refused, Requests, type RequestLimits } from "./requests.js";

/** Which embedding model to ask, where, and how much at once: by default 256 texts with 100,000 characters. */
export interface OpenAIEmbeddings extends OpenAIServer, EmbedderLimits, RequestLimits {
  /** Asks for shorter vectors, of models that can. Default: the model's own length. */
  readonly dimensions?: number | undefined;
}

interface Embeddings {
  readonly data?: ReadonlyArray<{ readonly index?: number; readonly embedding?: unknown }>;
}

/** How vectors are asked for: as bytes they are a quarter as long. Servers that know only numbers answer them, or refuse once. */
const FORMATS = ["base64", "float"] as const;

/**
 * An embedding model behind OpenAI's embeddings interface. Its id is the model's name, with the dimensions when they are given and with the
 * words that are put before documents.
 *
 * @returns An object for the option `embed`.
 * @throws InvalidInputError when an option is unknown, missing, of the wrong kind or out of its range.
 *
 * @example
 * ```ts
 * import { openMemory } from "mnemic";
 * import { openAIEmbeddings } from "mnemic/embedders";
 *
 * const embed = openAIEmbeddings({ baseUrl: "http://localhost:11434/v1", model: "nomic-embed-text" });
 * const memory = await openMemory({ name: "chat", storage: "memory", embed });
 * await memory.close();
 * ```
 */
export function openAIEmbeddings(embeddings: OpenAIEmbeddings): ModelEmbedder {
  const options = checked(embeddings, OF_SERVER, ["model", "baseUrl"]);
  const { model, dimensions } = options;
  const requests = new Requests(model, options);
  let format: 0 | 1 = 0;
  const ask = (texts: readonly string[], signal: AbortSignal, asked: 0 | 1): Promise<unknown> => {
    const body = { model, input: texts, encoding_format: FORMATS[asked], ...(dimensions !== undefined && { dimensions }) };
    return requests.make(signal, (bounded) => post(options, "/embeddings", body, bounded));
  };
  const limits = { maxTexts: 256, maxCharacters: 100_000 };
  const request = async (texts: readonly string[], signal: AbortSignal): Promise<unknown> => {
    let answer = await ask(texts, signal, format);
    if (format === 0 && answer instanceof Refusal && (answer.status === 400 || answer.status === 422)) {
      const again = await ask(texts, signal, 1);
      if (!(again instanceof Refusal)) [answer, format] = [again, 1];
    }
    if (answer instanceof Refusal) throw refused(model, answer);
    return ordered((answer ?? {}) as Embeddings);
  };
  return modelEmbedder({ model, dimensions, limits, request }, options);
}

/** The vectors in the order of the texts; servers may answer them in any order. In place of one that is missing is undefined. */
function ordered({ data }: Embeddings): unknown {
  if (!Array.isArray(data)) return data;
  const items = data as NonNullable<Embeddings["data"]>;
  const vectors = new Map(items.map((item, place) => [item?.index ?? place, decoded(item?.embedding)]));
  return items.map((_, place) => vectors.get(place));
}

/** Bytes of 32-bit floats, as base64; anything else as it is, to be judged. */
function decoded(embedding: unknown): unknown {
  if (typeof embedding !== "string") return embedding;
  try {
    return new Float32Array(base64Bytes(embedding).buffer);
  } catch {
    return embedding;
  }
}
