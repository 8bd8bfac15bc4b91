/** The memory's tools in the forms of OpenAI's interfaces. */
import { checkedTools, type MemoryToolsOptions, type ToolUser } from "../user.js";
import type { OpenAiTool, ToolParameters } from "../tools.js";

/** A tool of chat completions that runs by itself. */
export interface OpenAiRunnableTool {
  type: "function";
  function: OpenAiTool["function"] & {
    /** Runs a call with the arguments as the model wrote them. Answers what to tell the model, also when the call is wrong. */
    function: (args: string) => Promise<string>;
  };
}

/** A tool of the Responses API. */
export interface OpenAiResponseTool {
  type: "function";
  name: string;
  description: string;
  strict: boolean;
  parameters: ToolParameters;
}

/**
 * The tools with which a model reads and changes a memory, for `client.chat.completions.runTools`.
 *
 * @throws InvalidInputError when the user or an option is none.
 *
 * @example
 * ```ts no-run
 * import OpenAI from "openai";
 * import { memoryTools } from "mnemic/openai";
 * const runner = new OpenAI().chat.completions.runTools({
 *   model: "gpt-5-mini",
 *   tools: await memoryTools(user, { include: ["facts"] }),
 *   messages: [{ role: "user", content: "Please note that I sail every summer." }],
 * });
 * console.log(await runner.finalContent());
 * ```
 */
export async function memoryTools(user: ToolUser, options: MemoryToolsOptions = {}): Promise<OpenAiRunnableTool[]> {
  const { include, threadId } = checkedTools(user, options);
  const definitions = await user.tools("openai", { include });
  return definitions.map((definition) => ({
    type: "function",
    function: {
      ...definition.function,
      async function(args) {
        const { result } = await user.callTool(definition.function.name, args, { include, threadId });
        return result;
      },
    },
  }));
}

/**
 * The same tools for `client.responses.create`. Answer the calls of its response with `toolOutputs`.
 *
 * @throws InvalidInputError when the user or an option is none.
 *
 * @example
 * ```ts
 * import { responseTools } from "mnemic/openai";
 * const tools = await responseTools(user, { include: ["facts"] });
 * console.log(tools[0]?.name); // "facts_search"
 * ```
 */
export async function responseTools(user: ToolUser, options: MemoryToolsOptions = {}): Promise<OpenAiResponseTool[]> {
  const { include } = checkedTools(user, options);
  const definitions = await user.tools("openai", { include });
  return definitions.map(({ function: { name, description, strict, parameters } }) => ({ type: "function", name, description, strict, parameters }));
}
