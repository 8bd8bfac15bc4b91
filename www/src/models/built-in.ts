/** The browser's own model, where there is one (the Prompt API). */
import { type Llm, type Model, ModelError, type ReplyOptions, type Turn } from "./model";

export type Availability = "available" | "downloadable" | "downloading" | "unavailable";

interface LanguageModelSession {
  prompt(turns: readonly Turn[], options?: { signal?: AbortSignal; responseConstraint?: object }): Promise<string>;
  promptStreaming(turns: readonly Turn[], options?: { signal?: AbortSignal }): ReadableStream<string>;
  destroy(): void;
}

interface LanguageModelFactory {
  availability(): Promise<Availability>;
  create(options?: { signal?: AbortSignal }): Promise<LanguageModelSession>;
}

/** What the browser says about its model; `unavailable` when it has no such thing. */
export async function builtInAvailability(): Promise<Availability> {
  return (await factory()?.availability()) ?? "unavailable";
}

export function builtInModel(): Model {
  return { label: "The browser's built-in model", llm: extract, reply };
}

async function reply(turns: readonly Turn[], { signal, onText }: ReplyOptions): Promise<string> {
  const session = await open(signal);
  try {
    const reader = session.promptStreaming(turns, { signal }).getReader();
    let text = "";
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      text += piece.value;
      onText(text);
    }
    return text;
  } finally {
    session.destroy();
  }
}

async function extract(request: Parameters<Llm>[0]): Promise<string> {
  const { messages, schema, signal } = request;
  const session = await open(signal);
  try {
    const constraint = schema && { responseConstraint: schema };
    return await session.prompt(messages as Turn[], { ...(signal && { signal }), ...constraint });
  } finally {
    session.destroy();
  }
}

async function open(signal: AbortSignal | undefined): Promise<LanguageModelSession> {
  const model = factory();
  if (!model || (await model.availability()) === "unavailable") {
    throw new ModelError("This browser's built-in model is not available any more. Choose another model in the settings.");
  }
  return model.create(signal && { signal });
}

function factory(): LanguageModelFactory | undefined {
  return (globalThis as { LanguageModel?: LanguageModelFactory }).LanguageModel;
}
