/**
 * Embedding models for the option `embed`: in this page or process, on a server, or at Cloudflare. Each sends texts in batches, checks
 * what comes back, keeps the vectors of texts it has embedded already, and answers them as `Float32Array`.
 *
 * @packageDocumentation
 */
export type { EmbedderLimits, ModelEmbedder } from "./embedder.js";
export { ollamaEmbeddings, type OllamaEmbeddings } from "./ollama-embeddings.js";
export { openAIEmbeddings, type OpenAIEmbeddings } from "./openai-embeddings.js";
export type { DownloadProgress, EmbedderProgress, EmbedProgress } from "./progress.js";
export type { TextPrefixes } from "./prefixes.js";
export { transformersEmbeddings, type TransformersEmbedder, type TransformersEmbeddings, type TransformersModule } from "./transformers-embeddings.js";
export { workersAIEmbeddings, type WorkersAIEmbeddings } from "./workers-ai-embeddings.js";
export type { RequestLimits } from "./requests.js";
export type { TextPurpose } from "../models.js";
export type { OpenAIServer, Server } from "../server.js";
export type { WorkersAIBinding, WorkersAIModel } from "../workers-ai.js";
