/** Tools for models: what a model may do with a memory, in the shapes that models' interfaces take. */
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
    /** False only where an argument may be of any type. */
    strict: boolean;
    /** When strict, what may be left out is required and may be null instead. */
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

/** What a definition looks like, by format. */
export interface ToolDefinitions {
  openai: OpenAiTool;
  anthropic: AnthropicTool;
  mcp: McpTool;
}

/** Which tools. */
export interface ToolOptions extends CallOptions {
  /** Default: all sets. Those of the profile are never there while the memory has no schema. */
  readonly include?: readonly ToolSet[] | undefined;
}

/** How to call a tool. */
export interface ToolCallOptions extends CallOptions {
  /** The conversation the model is in. Default: `"default"`. */
  readonly threadId?: string | undefined;
}

/** What came of a call. */
export interface ToolResult {
  /** Whether it was done; when not, nothing was changed. */
  ok: boolean;
  /** What to tell the model: text or JSON, at most 2000 tokens. */
  result: string;
  /** True when it was not done; absent otherwise. */
  isError?: boolean;
}
