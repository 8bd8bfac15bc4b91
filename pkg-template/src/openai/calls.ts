/** The calls of an answer, carried out. */
import { isList, kind, refused } from "../plain.js";
import { checkedTools, type MemoryToolsOptions, type ToolUser } from "../user.js";

/** The answer to a call of chat completions. */
export interface ToolMessage {
  role: "tool";
  tool_call_id: string;
  content: string;
}

/** The answer to a call of the Responses API. */
export interface ToolOutput {
  type: "function_call_output";
  call_id: string;
  output: string;
}

/**
 * Carries out the calls of the memory's tools in a message of chat completions, in their order. Calls of other tools are yours.
 *
 * @returns the messages to send after it, one for each call.
 * @throws InvalidInputError when the user, the message or an option is none.
 *
 * @example
 * ```ts
 * import { toolMessages } from "mnemic/openai";
 * const message = { tool_calls: [{ id: "1", type: "function", function: { name: "facts_add", arguments: '{"text":"Alice sails"}' } }] };
 * const [answer] = await toolMessages(user, message, { include: ["facts"] });
 * console.log(answer?.tool_call_id, answer?.content);
 * ```
 */
export async function toolMessages(
  user: ToolUser,
  message: { readonly tool_calls?: ReadonlyArray<{ readonly id: string; readonly type: string; readonly function?: unknown }> | null | undefined },
  options: MemoryToolsOptions = {},
): Promise<ToolMessage[]> {
  // A whole completion has no calls: with it a loop would end before the first.
  const isMessage = Object(message) === message && !("choices" in message);
  if (!isMessage) throw refused("message", kind(message), "pass completion.choices[0].message");
  const calls = (message.tool_calls ?? []).map(({ id, function: called }) => {
    const { name, arguments: args } = Object(called) as { name?: unknown; arguments?: unknown };
    return { id, name, args };
  });
  return (await carriedOut(user, calls, options)).map(({ id, result }) => ({ role: "tool", tool_call_id: id, content: result }));
}

/**
 * Carries out the calls of the memory's tools in the output of the Responses API, in their order. Calls of other tools are yours.
 *
 * @returns what to send as the next input, one item for each call; empty when the model called none.
 * @throws InvalidInputError when the user, the output or an option is none.
 *
 * @example
 * ```ts no-run
 * import OpenAI from "openai";
 * import { responseTools, toolOutputs } from "mnemic/openai";
 * const client = new OpenAI();
 * const tools = await responseTools(user);
 * let response = await client.responses.create({ model: "gpt-5-mini", tools, input: "Where do I live?" });
 * for (let input; (input = await toolOutputs(user, response.output)).length > 0; ) {
 *   response = await client.responses.create({ model: "gpt-5-mini", tools, input, previous_response_id: response.id });
 * }
 * console.log(response.output_text);
 * ```
 */
export async function toolOutputs(user: ToolUser, output: ReadonlyArray<{ readonly type: string }>, options: MemoryToolsOptions = {}): Promise<ToolOutput[]> {
  if (!isList(output)) throw refused("output", kind(output), "pass response.output");
  const calls = output
    .filter(({ type }) => type === "function_call")
    .map((item) => {
      const { call_id: id, name, arguments: args } = item as { type: string; call_id?: unknown; name?: unknown; arguments?: unknown };
      return { id: String(id), name, args };
    });
  return (await carriedOut(user, calls, options)).map(({ id, result }) => ({ type: "function_call_output", call_id: id, output: result }));
}

interface Call {
  readonly id: string;
  readonly name: unknown;
  readonly args: unknown;
}

async function carriedOut(user: ToolUser, calls: readonly Call[], options: MemoryToolsOptions): Promise<Array<{ id: string; result: string }>> {
  const { include, threadId } = checkedTools(user, options);
  if (calls.length === 0) return [];
  const names = new Set<unknown>((await user.tools("openai", { include })).map((tool) => tool.function.name));
  const answers: Array<{ id: string; result: string }> = [];
  for (const { id, name, args } of calls.filter(({ name }) => names.has(name))) {
    const { result } = await user.callTool(name as string, args, { include, threadId });
    answers.push({ id, result });
  }
  return answers;
}
