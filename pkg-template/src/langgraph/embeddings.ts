/** LangChain's embeddings, for a memory. */
import type { EmbeddingsInterface } from "@langchain/core/embeddings";
import type { Embedder } from "../models.js";

/**
 * An embedder for `openMemory`, of an embedding model of LangChain.
 *
 * @param id the model and its dimensions, such as `"text-embedding-3-small:1536"`: vectors of different ids are never compared
 *
 * @example
 * ```ts
 * import { FakeEmbeddings } from "@langchain/core/utils/testing";
 * import { openMemory } from "mnemic";
 * import { langChainEmbeddings } from "mnemic/langgraph";
 *
 * const memory = await openMemory({ name: "agent", storage: "memory", embed: langChainEmbeddings(new FakeEmbeddings(), "fake:4") });
 * await memory.close();
 * ```
 */
export function langChainEmbeddings(embeddings: EmbeddingsInterface, id: string): Embedder {
  return {
    id,
    embed: (texts, { purpose }) =>
      purpose === "query" ? Promise.all(texts.map((text) => embeddings.embedQuery(text))) : embeddings.embedDocuments(texts),
  };
}
