import { openMemory } from "mnemic";
import { MemoryProvider, useMemory, useThread } from "mnemic/react";

const open = () => openMemory({ name: "my-chat" });
export const Memory = (props) => <MemoryProvider memory={open} user={{ userId: "me" }} {...props} />;

export function useChat(threadId, model) {
  const [{ user }, thread] = [useMemory(), useThread(threadId)];
  async function send(content) {
    if (!user || !thread.data) throw thread.error ?? new Error("The memory is still being opened");
    const { text } = await user.recall(content, { currentThreadId: threadId, maxTokens: 800 });
    await thread.remember({ role: "user", content });
    const reply = await model(text, [...thread.data, { role: "user", content }]);
    await thread.remember({ role: "assistant", content: reply });
  }
  return { ...thread, send };
}
