/** The memory's tools, as the tool runner of Anthropic's SDK takes them. */
import { known } from "../plain.js";
import type { Scope } from "../scope.js";
import type { AnthropicTool, ToolOptions } from "../tools.js";

/** A user's memory: what `memory.scope()` gives, or a client of one on Cloudflare. */
export type ToolUser = Pick<Scope, "tools" | "callTool">;

/** Options of `memoryTools`. */
export interface MemoryToolsOptions extends Pick<ToolOptions, "include"> {
  /** The conversation the model is in. Default: `"default"`. */
  readonly threadId?: string | undefined;
}

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
  known(options, ["include", "threadId"]);
  const { include, threadId } = options;
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
