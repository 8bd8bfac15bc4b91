/** The memory's tools in the AI SDK's form. */
import { checkedTools, type MemoryToolsOptions, type ToolUser } from "../user.js";
import type { ToolParameters } from "../tools.js";

/** The schema of a tool's input, as a Standard Schema with JSON Schema. */
export interface MemoryToolSchema {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "mnemic";
    /** Takes every object: the memory checks it, and tells the model what is wrong. */
    readonly validate: (value: unknown) => { readonly value: Record<string, unknown> };
    readonly jsonSchema: {
      readonly input: () => Record<string, unknown>;
      readonly output: () => Record<string, unknown>;
    };
    readonly types?: { readonly input: Record<string, unknown>; readonly output: Record<string, unknown> } | undefined;
  };
}

/** A tool for `generateText`, `streamText` and agents. */
export interface MemoryTool {
  readonly title: string;
  readonly description: string;
  readonly inputSchema: MemoryToolSchema;
  /**
   * Runs a call. Answers what to tell the model.
   *
   * @throws Error when the call is wrong, with what to tell the model; nothing was changed.
   */
  readonly execute: (input: Record<string, unknown>, options: { readonly abortSignal?: AbortSignal | undefined }) => Promise<string>;
}

/**
 * The tools with which a model reads and changes a memory, in the form of the AI SDK.
 *
 * @example
 * ```ts no-run
 * import { gateway, generateText, stepCountIs } from "ai";
 * import { memoryTools } from "mnemic/ai-sdk";
 *
 * const tools = await memoryTools(user, { include: ["facts"] });
 * const { text } = await generateText({
 *   model: gateway("openai/gpt-5-mini"),
 *   tools,
 *   stopWhen: stepCountIs(5),
 *   prompt: "Please note that I sail every summer.",
 * });
 * console.log(text);
 * ```
 */
export async function memoryTools(user: ToolUser, options: MemoryToolsOptions = {}): Promise<Record<string, MemoryTool>> {
  const { include, threadId } = checkedTools(user, options);
  const definitions = await user.tools("mcp", { include });
  return Object.fromEntries(
    definitions.map(({ name, title, description, inputSchema }) => [
      name,
      {
        title,
        description,
        inputSchema: schemaOf(inputSchema),
        async execute(input, { abortSignal }) {
          const { ok, result } = await user.callTool(name, input, { include, threadId, signal: abortSignal });
          if (!ok) throw new Error(result);
          return result;
        },
      } satisfies MemoryTool,
    ]),
  );
}

function schemaOf(parameters: ToolParameters): MemoryToolSchema {
  const schema = (): Record<string, unknown> => ({ ...parameters });
  return {
    "~standard": {
      version: 1,
      vendor: "mnemic",
      validate: (value) => ({ value: value as Record<string, unknown> }),
      jsonSchema: { input: schema, output: schema },
    },
  };
}
