/** Requests to Cloudflare's Workers AI. */

/** What is used of a binding to Workers AI: `env.AI`. */
export interface WorkersAIBinding {
  run(model: never, inputs: never, options: never): unknown;
}

/** Which model to ask. */
export interface WorkersAIModel {
  /** Such as `@cf/meta/llama-3.3-70b-instruct-fp8-fast`. */
  readonly model: string;
  /** The id of an AI Gateway that requests go through. Default: none. */
  readonly gateway?: string | undefined;
}

/** What a model answers to its inputs. */
export async function run(ai: WorkersAIBinding, { model, gateway }: WorkersAIModel, inputs: object, signal: AbortSignal): Promise<unknown> {
  const options = { signal, ...(gateway !== undefined && { gateway: { id: gateway } }) };
  return ai.run(model as never, inputs as never, options as never);
}

/** What a binding has thrown, in words. */
export const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
