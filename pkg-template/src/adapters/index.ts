/**
 * Adapters to language models that many apps use. Each is a small function; bring your own where it does not fit. Those to embedding
 * models are in `mnemic/embedders`.
 *
 * @packageDocumentation
 */
export { builtInModel } from "./built-in-model.js";
export { openAICompatible, type OpenAIModel } from "./openai-model.js";
export type { OpenAIServer } from "../server.js";
export { workersAI } from "./workers-ai.js";
export type { WorkersAIBinding, WorkersAIModel } from "../workers-ai.js";
