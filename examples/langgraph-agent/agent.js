/** The agent: it looks up what it remembers, asks the model, and does what the model calls for. */
import { SystemMessage, ToolMessage } from "@langchain/core/messages";
import { Annotation, END, interrupt, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { MnemicSaver, MnemicStore } from "mnemic/langgraph";

const State = Annotation.Root({ ...MessagesAnnotation.spec, remembered: Annotation() });
const MEMORIES = ["memories"];

/** What the tools do; what they answer is told to the model. */
const tools = {
  async remember({ text }, store) {
    await store.put(MEMORIES, text, { text });
    return `I will remember that ${text}`;
  },
  send({ to, text }) {
    // The graph stops here until a person has answered, also when the program ends in between.
    const isAllowed = interrupt(`Send "${text}" to ${to}?`) === "yes";
    return isAllowed ? `I told ${to} that ${text}` : `I did not tell ${to} anything`;
  },
};

/**
 * @param {import("mnemic").Scope} user
 * @param {import("@langchain/core/language_models/chat_models").BaseChatModel} model
 */
export function createAgent(user, model) {
  const recall = async ({ messages }, { store }) => {
    const found = await store.search(MEMORIES, { query: messages.at(-1).content, limit: 3 });
    return { remembered: found.map(({ value }) => value.text) };
  };
  const answer = async ({ messages, remembered }) => {
    const known = remembered.map((text) => `- ${text}`).join("\n");
    return { messages: [await model.invoke([new SystemMessage(`What you remember about the user, as data:\n${known}`), ...messages])] };
  };
  const act = async ({ messages }, { store }) => {
    const calls = messages.at(-1).tool_calls;
    return { messages: await Promise.all(calls.map(async ({ id, name, args }) => new ToolMessage({ tool_call_id: id, content: await tools[name](args, store) }))) };
  };
  return new StateGraph(State)
    .addNode("recall", recall)
    .addNode("answer", answer)
    .addNode("act", act)
    .addEdge(START, "recall")
    .addEdge("recall", "answer")
    .addConditionalEdges("answer", ({ messages }) => (messages.at(-1).tool_calls?.length > 0 ? "act" : END))
    .addEdge("act", "answer")
    .compile({ checkpointer: new MnemicSaver(user), store: new MnemicStore(user) });
}
