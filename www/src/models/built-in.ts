/** The browser's own model, where there is one (the Prompt API). */
import { builtInModel } from "mnemic/adapters";
import type { Answer, Model, ReplyOptions, Turn } from "./model";
import { ModelError } from "./model-error";

const GONE = "This browser's built-in model is not ready. Download it, or choose another model, in the settings.";

/** Browsers ask which language the answers are to be checked for, and know few. */
const LANGUAGES = { expectedOutputs: [{ type: "text", languages: ["en"] }] };

export type Availability = "available" | "downloadable" | "downloading" | "unavailable";

interface Prompt {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

interface PromptSession {
  promptStreaming(turns: readonly Prompt[], options: { signal: AbortSignal }): ReadableStream<string>;
  destroy(): void;
}

interface PromptApi {
  availability(options: typeof LANGUAGES): Promise<Availability>;
  create(options: { signal?: AbortSignal; initialPrompts?: readonly Prompt[] } & typeof LANGUAGES): Promise<PromptSession>;
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
  takesTools: false,
  async llm(request) {
    const llm = await builtInModel();
    if (!llm) throw new ModelError(GONE);
    return llm(request);
  },
  reply,
};

async function reply(turns: readonly Turn[], { signal, onText }: ReplyOptions): Promise<Answer> {
  if ((await builtInAvailability()) !== "available") throw new ModelError(GONE);
  const said = turns.flatMap(({ role, content }) => (role === "tool" || content === "" ? [] : [{ role, content }]));
  const session = await promptApi()?.create({ ...LANGUAGES, signal, initialPrompts: said.filter(({ role }) => role === "system") });
  if (!session) throw new ModelError(GONE);
  try {
    const reader = session.promptStreaming(said.filter(({ role }) => role !== "system"), { signal }).getReader();
    let text = "";
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      text += piece.value;
      onText(text);
    }
    return { text, calls: [] };
  } finally {
    session.destroy();
  }
}

function promptApi(): PromptApi | undefined {
  return (globalThis as { LanguageModel?: PromptApi }).LanguageModel;
}
