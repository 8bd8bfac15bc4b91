/** The browser's own model, where there is one (the Prompt API). */
import { builtInModel } from "mnemic/adapters";
import { type Model, ModelError, type ReplyOptions, type Turn } from "./model";

const GONE = "This browser's built-in model is not ready. Download it, or choose another model, in the settings.";

/** Browsers ask which language the answers are to be checked for, and know few. */
const LANGUAGES = { expectedOutputs: [{ type: "text", languages: ["en"] }] };

export type Availability = "available" | "downloadable" | "downloading" | "unavailable";

interface PromptSession {
  promptStreaming(turns: readonly Turn[], options: { signal: AbortSignal }): ReadableStream<string>;
  destroy(): void;
}

interface PromptApi {
  availability(options: typeof LANGUAGES): Promise<Availability>;
  create(options: { signal?: AbortSignal; initialPrompts?: readonly Turn[] } & typeof LANGUAGES): Promise<PromptSession>;
}

/** What the browser says about its model; `unavailable` when it has no such thing. */
export async function builtInAvailability(): Promise<Availability> {
  return (await promptApi()?.availability(LANGUAGES)) ?? "unavailable";
}

/** Has the browser fetch its model, which takes minutes and gigabytes; only after a click. */
export async function downloadBuiltIn(): Promise<void> {
  const session = await promptApi()?.create(LANGUAGES);
  session?.destroy();
}

export const builtIn: Model = {
  label: "the browser's built-in model",
  isOnDevice: true,
  async llm(request) {
    const llm = await builtInModel();
    if (!llm) throw new ModelError(GONE);
    return llm(request);
  },
  reply,
};

async function reply(turns: readonly Turn[], { signal, onText }: ReplyOptions): Promise<string> {
  if ((await builtInAvailability()) !== "available") throw new ModelError(GONE);
  const session = await promptApi()?.create({ ...LANGUAGES, signal, initialPrompts: turns.filter(({ role }) => role === "system") });
  if (!session) throw new ModelError(GONE);
  try {
    const reader = session.promptStreaming(turns.filter(({ role }) => role !== "system"), { signal }).getReader();
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

function promptApi(): PromptApi | undefined {
  return (globalThis as { LanguageModel?: PromptApi }).LanguageModel;
}
