/** The memory's tools, as the tool runner of Anthropic's SDK takes them. */
import { checkedTools, type MemoryToolsOptions, type ToolUser } from "../user.js";
import type { AnthropicTool } from "../tools.js";

/** A tool that runs by itself. */
export interface AnthropicRunnableTool extends AnthropicTool {
  /**
   * Runs a call. Answers what to tell the model.
   *
   * @throws Error when the call is wrong, with what to tell the model; nothing was changed.
   */
  run(input: unknown): Promise<string>;
  parse(input: unknown): unknown;
}

/**
 * The tools with which a model reads and changes a memory, for `client.beta.messages.toolRunner`.
 *
 * @throws InvalidInputError when the user or an option is none.
 *
 * @example
 * ```ts no-run
 * import Anthropic from "@anthropic-ai/sdk";
 * import { memoryTools } from "mnemic/anthropic";
 * const message = await new Anthropic().beta.messages.toolRunner({
 *   model: "claude-sonnet-5-5",
 *   max_tokens: 1024,
 *   tools: await memoryTools(user, { include: ["facts"] }),
 *   messages: [{ role: "user", content: "Please note that I sail every summer." }],
 * });
 * console.log(message.content);
 * ```
 */
export async function memoryTools(user: ToolUser, options: MemoryToolsOptions = {}): Promise<AnthropicRunnableTool[]> {
  const { include, threadId } = checkedTools(user, options);
  const definitions = await user.tools("anthropic", { include });
  return definitions.map((definition) => ({
    ...definition,
    parse: (input) => input,
    async run(input) {
      const { ok, result } = await user.callTool(definition.name, input, { include, threadId });
      if (!ok) throw new Error(result);
      return result;
    },
  }));
}
