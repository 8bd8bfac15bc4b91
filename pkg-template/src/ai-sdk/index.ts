/**
 * Memory for apps on the AI SDK, versions 6 and 7: a middleware and a provider for language models, tools, and the history of
 * `useChat`. Nothing of the AI SDK is imported.
 *
 * @packageDocumentation
 */
export { loadMessages, saveMessages, type ChatUIMessage, type LoadMessagesOptions, type LoadedToolPart, type LoadedUIMessage, type LoadedUIPart, type SavedMessages } from "./history.js";
export { memoryMiddleware, type MemoryMiddleware, type MemoryMiddlewareOptions } from "./middleware.js";
export { memoryProvider } from "./provider.js";
export { memoryTools, type MemoryTool, type MemoryToolSchema } from "./tools.js";
export type { MemoryToolsOptions, ToolUser } from "../user.js";
export type { MemoryFailure } from "./exchange.js";
export type { GeneratedAnswer, ModelCall, PromptMessage, StreamedAnswer, StreamPart } from "./model.js";
export type { MemoryUser } from "./user.js";
