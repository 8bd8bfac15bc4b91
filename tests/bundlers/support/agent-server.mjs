/** A LangGraph server as chat UIs speak to it: threads, their history, and runs that stream, with a graph of LangGraph behind it. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { AIMessageChunk } from "@langchain/core/messages";
import { ChatGenerationChunk } from "@langchain/core/outputs";
import { FakeChatModel } from "@langchain/core/utils/testing";
import { MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";

/** What the model answers: the lines of a list in the first message, and what was said last. */
function answerTo(messages) {
  const lines = messages[0].content.split("\n").filter((line) => line.startsWith("- "));
  return `${lines.length > 0 ? `I remember:\n\n${lines.join("\n")}\n\n` : ""}You said: ${messages.at(-1).content}`;
}

class StandIn extends FakeChatModel {
  async *_streamResponseChunks(messages, _options, run) {
    const id = randomUUID();
    for (const text of answerTo(messages).split(/(?<=\s)/)) {
      const message = new AIMessageChunk({ id, content: text });
      yield new ChatGenerationChunk({ text, message });
      await run?.handleLLMNewToken(text, undefined, undefined, undefined, undefined, { chunk: new ChatGenerationChunk({ text, message }) });
    }
  }
}

const model = new StandIn({});

/** Values as the API hands them out: messages without the classes of LangChain. */
const plain = (value) =>
  JSON.stringify(value, (_, part) => {
    if (part?.lc !== 1 || part.type !== "constructor") return part;
    const type = { HumanMessage: "human", AIMessage: "ai", AIMessageChunk: "AIMessageChunk" }[part.id.at(-1)];
    return { ...part.kwargs, type };
  });

/** The parts of its checkpoint that the API tells of a state. */
const checkpointOf = (config) => config && { checkpoint_ns: "", checkpoint_map: {}, ...config.configurable };

/**
 * Starts the server.
 *
 * @returns {Promise<{url: string, runs: object[], valuesOf(thread_id: string): Promise<object>, close(): Promise<void>}>} `runs` has the
 *   body of every request for a run with the id of its thread; `valuesOf` a thread, the graph's
 */
export async function startAgentServer() {
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("answer", async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
    .addEdge(START, "answer")
    .compile({ checkpointer: new MemorySaver() });
  const threads = [];
  const runs = [];

  async function history(thread_id) {
    const states = [];
    for await (const { values, next, config, parentConfig, tasks, createdAt, metadata } of graph.getStateHistory({ configurable: { thread_id } })) {
      states.push({ values, next, tasks, metadata, created_at: createdAt, checkpoint: checkpointOf(config), parent_checkpoint: checkpointOf(parentConfig) ?? null });
    }
    return states;
  }

  const ways = {
    "GET /info": () => ({ version: "0" }),
    async "POST /threads"() {
      threads.unshift(randomUUID());
      return { thread_id: threads[0], status: "idle", metadata: {}, values: {} };
    },
    "POST /threads/search": () => Promise.all(threads.map(async (thread_id) => ({ thread_id, ...(await graph.getState({ configurable: { thread_id } })) }))),
    "POST /threads/*/history": (_, thread) => history(thread),
    async "POST /threads/*/runs/stream"(body, thread_id, response) {
      runs.push({ thread_id, ...body });
      response.writeHead(200, { "content-type": "text/event-stream" });
      const tell = (event, data) => response.write(`event: ${event}\ndata: ${plain(data)}\n\n`);
      tell("metadata", { run_id: randomUUID() });
      const configurable = { ...body.config?.configurable, thread_id, ...(body.checkpoint && { checkpoint_id: body.checkpoint.checkpoint_id }) };
      for await (const [mode, chunk] of await graph.stream(body.input, { configurable, streamMode: ["values", "messages"] })) tell(mode, chunk);
      response.end();
    },
  };

  const server = createServer(async (request, response) => {
    for (const name of ["origin", "headers", "methods"]) response.setHeader(`access-control-allow-${name}`, "*");
    if (request.method === "OPTIONS") return response.end();
    const [, thread] = /^\/threads\/([\da-f-]{36})\//.exec(request.url) ?? [];
    const way = ways[`${request.method} ${thread ? request.url.replace(thread, "*") : request.url}`];
    try {
      if (way === undefined) throw new Error(`no ${request.method} ${request.url}`);
      const answer = await way(request.method === "POST" && (await json(request)), thread, response);
      if (!response.headersSent) response.setHeader("content-type", "application/json").end(plain(answer));
    } catch (error) {
      console.error(error);
      if (!response.headersSent) response.statusCode = 500;
      response.end();
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://localhost:${server.address().port}`,
    runs,
    valuesOf: async (thread_id) => (await graph.getState({ configurable: { thread_id } })).values,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
