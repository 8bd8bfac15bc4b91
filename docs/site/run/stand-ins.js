/**
 * The models a snippet takes for granted: one that chats and learns, an embedder, a server that offers both, and Anthropic's. Tests
 * hand this function to a page as text, so it names nothing of this file.
 */
export function standIns() {
  globalThis.asked = [];
  globalThis.yourModel = async (messages) => {
    asked.push(messages.map(({ content }) => content).join("\n"));
    const { content } = messages.at(-1);
    if (!content.includes("<conversation>")) return `You said: ${content}`;
    const fact = { action: "add", text: "The user keeps bees.", category: "personal info", significance: 6, message: 1 };
    return JSON.stringify({ facts: [{ ...fact, quote: "I keep bees" }] });
  };
  globalThis.yourEmbedder = async (texts) => texts.map((text) => [1, text.length, text.codePointAt(0)]);
  const extract = async (texts) => ({ dims: [texts.length, 3], data: Float32Array.from((await yourEmbedder(texts)).flat()) });
  // Its model calls the tool it is given for facts.
  const runTools = ({ tools }) => ({
    finalContent: () => tools.find((tool) => tool.function.name === "facts_add").function.function('{"text":"The user sails every summer"}'),
  });
  globalThis.yourOpenAI = { chat: { completions: { runTools } } };
  globalThis.yourTransformers = { pipeline: async () => extract };
  const fetched = globalThis.fetch;
  globalThis.fetch = async (url, request) => {
    if (String(url) === "https://api.anthropic.com/v1/messages") {
      const { system, messages, tools, tool_choice: forced } = JSON.parse(request.body);
      const input = JSON.parse(await yourModel([{ content: system }, ...messages]));
      if (tools[0].input_schema.type !== "object" || forced.name !== tools[0].name) return new Response("no such tool", { status: 400 });
      return Response.json({ content: [{ type: "tool_use", name: forced.name, input }], usage: { input_tokens: 9, output_tokens: 9 } });
    }
    if (String(url) === "http://localhost:4318/v1/traces") {
      const [{ scopeSpans: [{ spans }] }] = JSON.parse(request.body).resourceSpans;
      return Response.json({}, { status: spans.length > 0 ? 200 : 400 });
    }
    if (!String(url).startsWith("http://localhost:11434/")) return fetched(url, request);
    const { messages, input } = JSON.parse(request.body);
    if (String(url).endsWith("/api/embed")) return Response.json({ embeddings: await yourEmbedder(input) });
    if (messages) return Response.json({ choices: [{ message: { content: await yourModel(messages) } }] });
    return Response.json({ data: (await yourEmbedder(input)).map((embedding, index) => ({ index, embedding })) });
  };
}
