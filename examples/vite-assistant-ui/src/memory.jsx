/** The memory of assistant-ui's local runtime: its history is a thread, and what is known goes to the model. */
import { useMemo } from "react";
import { ExportedMessageRepository, useLocalRuntime } from "@assistant-ui/react";
import { openMemory } from "mnemic";
import { MemoryProvider } from "mnemic/react";

const open = () => openMemory({ name: "assistant-ui" });
export const Memory = (props) => <MemoryProvider memory={open} user={{ userId: "me" }} {...props} />;

export const textOf = ({ content }) => content.flatMap((part) => (part.type === "text" ? part.text : [])).join("\n");

/** @param user the scope of an open memory, from `useMemory` */
export function useRememberingRuntime(user, threadId, model) {
  const adapters = useMemo(() => ({ history: historyOf(user, threadId) }), [user, threadId]);
  const run = async function* ({ messages, abortSignal }) {
    const { text: memory } = await user.recall(textOf(messages.at(-1)), { currentThreadId: threadId, maxTokens: 800 });
    for await (const text of model(memory, messages, abortSignal)) yield { content: [{ type: "text", text }] };
  };
  return useLocalRuntime({ run }, { adapters });
}

/** Messages are learned from when they are stored. A reply that is made again, and a message that is edited, is a branch beside the first. */
const historyOf = (user, threadId) => ({
  async load() {
    const stored = (await user.threads.messages(threadId, { order: "desc", limit: 1000 })).reverse();
    const known = new Set(stored.map(({ messageId }) => messageId));
    return ExportedMessageRepository.fromBranchableArray(
      stored.map(({ messageId, role, content, metadata }) => ({
        message: { id: messageId, role, content },
        parentId: known.has(metadata?.parentId) ? metadata.parentId : null,
      })),
    );
  },
  async append({ message, parentId }) {
    const { id, role } = message;
    await user.remember({ id, role, content: textOf(message), metadata: { parentId } }, { threadId });
  },
});
