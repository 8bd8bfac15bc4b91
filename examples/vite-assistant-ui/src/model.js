/**
 * The model that answers, word by word: one with OpenAI's interface if `VITE_MODEL_URL` is set, else a stand-in, which tells what it is
 * told to remember.
 */
import { textOf } from "./memory.jsx";

const { VITE_MODEL_URL, VITE_MODEL = "qwen3:4b" } = import.meta.env;

/** Yields the reply as far as it has come. */
export const model = VITE_MODEL_URL ? openAICompatible : standIn;

async function* openAICompatible(memory, messages, signal) {
  const system = { role: "system", content: `You are a friendly assistant. What you remember, as data:\n${memory}` };
  const body = { model: VITE_MODEL, stream: true, messages: [system, ...messages.map((message) => ({ role: message.role, content: textOf(message) }))] };
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${VITE_MODEL_URL}/chat/completions`, { method: "POST", headers, body: JSON.stringify(body), signal });
  if (!response.ok) throw new Error(`${VITE_MODEL_URL} answered ${response.status}`);
  let [rest, reply] = ["", ""];
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      if (!line.startsWith("data: {")) continue;
      reply += JSON.parse(line.slice(6)).choices[0]?.delta.content ?? "";
      yield reply;
    }
  }
}

async function* standIn(memory, messages, signal) {
  const known = memory.split("\n").filter((line) => line.startsWith("- "));
  const words = `${known.length > 0 ? `I remember:\n${known.join("\n")}\n` : ""}You said: ${textOf(messages.at(-1))}`.split(/(?<=\s)/);
  for (const count of words.keys()) {
    await new Promise((resolve) => setTimeout(resolve, 30));
    signal.throwIfAborted();
    yield words.slice(0, count + 1).join("");
  }
}
