/** Embedding models behind OpenAI's embeddings interface. */
import { EmbedderError } from "../errors.js";
import type { Embedder } from "../models.js";
import { post, Refusal, type OpenAIServer } from "./openai-server.js";

/** Which embedding model to ask, and where. */
export interface OpenAIEmbeddings extends OpenAIServer {
  /** Asks for shorter vectors, of models that can. Default: the model's own length. */
  readonly dimensions?: number | undefined;
}

interface Embeddings {
  readonly data?: ReadonlyArray<{ readonly index?: number; readonly embedding?: number[] }>;
}

/**
 * An embedding model behind OpenAI's embeddings interface. Its id is the model's name, with the dimensions when they are given.
 *
 * @returns An object for the option `embed`; it throws `EmbedderError` with the status and the beginning of the server's answer.
 *
 * @example
 * ```ts
 * import { openMemory } from "mnemic";
 * import { openAIEmbeddings } from "mnemic/adapters";
 *
 * const embed = openAIEmbeddings({ baseUrl: "http://localhost:11434/v1", model: "nomic-embed-text" });
 * const memory = await openMemory({ name: "chat", storage: "memory", embed });
 * await memory.close();
 * ```
 */
export function openAIEmbeddings(embeddings: OpenAIEmbeddings): Embedder {
  const { model, dimensions } = embeddings;
  return {
    id: dimensions === undefined ? model : `${model}@${dimensions}`,
    async embed(texts, { signal }) {
      const body = { model, input: texts, encoding_format: "float", ...(dimensions !== undefined && { dimensions }) };
      const answer = await post(embeddings, "/embeddings", body, signal);
      if (answer instanceof Refusal) {
        throw new EmbedderError(`${model}: ${answer.message}`, { details: { status: answer.status } });
      }
      return vectors(answer as Embeddings, texts.length);
    },
  };
}

/** The vectors in the order of the texts; servers may answer them in any order. */
function vectors({ data = [] }: Embeddings, count: number): number[][] {
  const ordered: number[][] = [];
  for (const [place, { index = place, embedding }] of data.entries()) {
    if (embedding !== undefined) ordered[index] = embedding;
  }
  if (data.length !== count || ordered.length !== count || Object.keys(ordered).length !== count) {
    throw new EmbedderError(`the server returned ${data.length} vectors for ${count} texts`);
  }
  return ordered;
}
