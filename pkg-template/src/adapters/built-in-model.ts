/** The language model that a browser includes (the Prompt API). */
import type { Llm, LlmRequest } from "../models.js";

type Prompt = LlmRequest["messages"];

interface Session {
  prompt(messages: Prompt, options: { signal: AbortSignal; responseConstraint?: object }): Promise<string>;
  destroy(): void;
}

interface LanguageModel {
  availability(): Promise<"unavailable" | "downloadable" | "downloading" | "available">;
  create(options: { initialPrompts: Prompt; signal: AbortSignal }): Promise<Session>;
}

/**
 * The browser's own language model, which runs on the device.
 *
 * @returns A function for the option `llm`; null where there is no such model, or it is not downloaded yet. A download has several
 * gigabytes, so the app decides: `LanguageModel.create()` after a click starts it.
 *
 * @example
 * ```ts
 * import { openMemory } from "mnemic";
 * import { builtInModel } from "mnemic/adapters";
 *
 * const llm = (await builtInModel()) ?? undefined;
 * const memory = await openMemory({ name: "chat", storage: "memory", llm });
 * await memory.close();
 * ```
 */
export async function builtInModel(): Promise<Llm | null> {
  const { LanguageModel: model } = globalThis as { LanguageModel?: LanguageModel };
  if (model === undefined || (await model.availability()) !== "available") return null;
  return async ({ messages, schema, signal }) => {
    const session = await model.create({ initialPrompts: messages.filter(({ role }) => role === "system"), signal });
    try {
      return await session.prompt(
        messages.filter(({ role }) => role !== "system"),
        { signal, ...(schema !== undefined && { responseConstraint: schema }) },
      );
    } finally {
      session.destroy();
    }
  };
}
