/** A model for trying the agent without a key: it does what plain words ask for, and tells what it is told to remember. */
import { AIMessage } from "@langchain/core/messages";
import { FakeChatModel } from "@langchain/core/utils/testing";

/** What to say, and which tools to call, after these messages. */
function answerTo(messages) {
  const last = messages.at(-1);
  if (last.getType() === "tool") return { content: last.content };
  const [, fact] = /^remember that (.+)/i.exec(last.content) ?? [];
  if (fact) return { tool_calls: [{ id: `call-${messages.length}`, name: "remember", args: { text: fact } }] };
  const [, to, text] = /^tell (\w+) that (.+)/i.exec(last.content) ?? [];
  if (to) return { tool_calls: [{ id: `call-${messages.length}`, name: "send", args: { to, text } }] };
  const [known] = messages.flatMap((message) => (message.getType() === "system" ? message.content.split("\n").filter((line) => line.startsWith("- ")) : []));
  return { content: known ? `I remember: ${known.slice(2)}` : "I do not know anything about that." };
}

class StandIn extends FakeChatModel {
  async _generate(messages) {
    const message = new AIMessage({ content: "", ...answerTo(messages) });
    return { generations: [{ message, text: message.content }] };
  }
}

export const model = new StandIn({});
