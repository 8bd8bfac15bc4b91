/**
 * Adapters to models that many apps use. Each is a small function; bring your own where it does not fit.
 *
 * @packageDocumentation
 */
export { builtInModel } from "./built-in-model.js";
export { openAICompatible, type OpenAIModel } from "./openai-model.js";
export { openAIEmbeddings, type OpenAIEmbeddings } from "./openai-embeddings.js";
export type { OpenAIServer } from "./openai-server.js";
export { workersAI, workersAIEmbeddings, type WorkersAIBinding, type WorkersAIModel } from "./workers-ai.js";
