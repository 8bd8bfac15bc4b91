/**
 * A memory's tools for OpenAI's SDK, and for every server with its interface.
 *
 * @packageDocumentation
 */
export { memoryTools, responseTools, type OpenAiResponseTool, type OpenAiRunnableTool } from "./tools.js";
export { toolMessages, toolOutputs, type ToolMessage, type ToolOutput } from "./calls.js";
export type { MemoryToolsOptions, ToolUser } from "../user.js";
