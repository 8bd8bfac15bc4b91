/**
 * A memory's tools for OpenAI's SDK, and for every server with its interface.
 *
 * @packageDocumentation
 */
export { memoryTools, responseTools, type MemoryToolsOptions, type OpenAiResponseTool, type OpenAiRunnableTool, type ToolUser } from "./tools.js";
export { toolMessages, toolOutputs, type ToolMessage, type ToolOutput } from "./calls.js";
