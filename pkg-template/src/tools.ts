/** Tools with which a model uses a memory, in the formats of model APIs. */
import type { CallOptions } from "./types.js";

/** A set of tools: `"context"` are the functions of the virtual context. */
export type ToolSet = "facts" | "profile" | "graph" | "context";

/** The JSON Schema of a tool's arguments. */
export interface ToolParameters {
  type: "object";
  properties: Record<string, object>;
  required: string[];
  additionalProperties: false;
  [keyword: string]: unknown;
}

/** A function tool of chat completions. */
export interface OpenAiTool {
  type: "function";
  function: {
    name: string;
    description: string;
    /** False only if an argument may have any type. */
    strict: boolean;
    /** If strict, optional arguments are required and may be null. */
    parameters: ToolParameters;
  };
}

/** A tool of the Messages API. */
export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: ToolParameters;
}

/** A tool of the Model Context Protocol. */
export interface McpTool {
  name: string;
  title: string;
  description: string;
  inputSchema: ToolParameters;
  annotations: {
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
}

/** Tool definitions by format. */
export interface ToolDefinitions {
  openai: OpenAiTool;
  anthropic: AnthropicTool;
  mcp: McpTool;
}

/** Options of `tools`. */
export interface ToolOptions extends CallOptions {
  /** Which sets. Default: all. The profile tools exist only if the memory has a profile schema. */
  readonly include?: readonly ToolSet[] | undefined;
}

/** Options of `callTool`. */
export interface ToolCallOptions extends CallOptions {
  /** The sets whose tools the model may call: what you gave to `tools`. Calls of other tools are refused. Default: all sets. */
  readonly include?: readonly ToolSet[] | undefined;
  /** The conversation the model is in. Default: `"default"`. */
  readonly threadId?: string | undefined;
  /** At most so many tokens of `result`, 100 to 1 000 000. Default: 2000. */
  readonly maxTokens?: number | undefined;
}

/** The result of a tool call. */
export interface ToolResult {
  /** Whether it was carried out; if not, nothing was changed. */
  ok: boolean;
  /**
   * The result for the model, at most `maxTokens`: text, JSON, or one JSON object per line. If JSON is too long, whole items are
   * left out and counted in `truncated`.
   */
  result: string;
  /** True when it was not carried out; absent otherwise. */
  isError?: boolean;
}
