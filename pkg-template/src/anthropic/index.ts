/**
 * A memory for Anthropic's SDK: its memory tool, whose files are documents of the user, and the tools of the memory.
 *
 * @packageDocumentation
 */
export { memoryTool, type AnthropicMemoryTool, type FileUser, type MemoryToolOptions } from "./memory-tool.js";
export type { FileCommand } from "./files.js";
export { memoryTools, type AnthropicRunnableTool } from "./tools.js";
export type { MemoryToolsOptions, ToolUser } from "../user.js";
