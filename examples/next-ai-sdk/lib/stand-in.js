/** A model for trying the app without a key: it tells what it is told to remember, word by word. */

const reason = { unified: "stop", raw: "stop" };
const usage = { inputTokens: { total: 0 }, outputTokens: { total: 0 } };

function replyTo(prompt) {
  const remembered = prompt.flatMap(({ role, content }) => (role === "system" ? content.split("\n") : [])).filter((line) => line.startsWith("- "));
  const question = prompt.findLast(({ role }) => role === "user").content.map(({ text }) => text).join(" ");
  return `${remembered.length > 0 ? `I remember:\n${remembered.join("\n")}\n` : ""}You said: ${question}`;
}

export const standIn = {
  specificationVersion: "v4",
  provider: "example",
  modelId: "stand-in",
  supportedUrls: {},
  async doGenerate({ prompt }) {
    return { content: [{ type: "text", text: replyTo(prompt) }], finishReason: reason, usage, warnings: [] };
  },
  async doStream({ prompt, abortSignal }) {
    const words = replyTo(prompt).split(/(?<=\s)/).map((delta) => ({ type: "text-delta", id: "1", delta }));
    const parts = [{ type: "stream-start", warnings: [] }, { type: "text-start", id: "1" }, ...words, { type: "text-end", id: "1" }];
    const left = [...parts, { type: "finish", finishReason: reason, usage }];
    const stream = new ReadableStream({
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, 30));
        if (abortSignal?.aborted) return controller.error(abortSignal.reason);
        controller.enqueue(left.shift());
        if (left.length === 0) controller.close();
      },
    });
    return { stream };
  },
};
