import { consumeStream, convertToModelMessages, streamText, wrapLanguageModel } from "ai";
import { memoryMiddleware, saveMessages } from "mnemic/ai-sdk";
import { currentUser, withUser } from "../../../lib/memory.js";
import { chatModel } from "../../../lib/model.js";

export async function POST(request) {
  const { id: threadId, messages } = await request.json();
  const prompt = await convertToModelMessages(messages);
  return withUser(currentUser(request), (user, done) => {
    const middleware = memoryMiddleware(user, { threadId, remember: false });
    const result = streamText({
      model: wrapLanguageModel({ model: chatModel, middleware }),
      system: "You are a friendly assistant. Answer briefly.",
      messages: prompt,
      abortSignal: request.signal,
    });
    return result.toUIMessageStreamResponse({
      originalMessages: messages,
      generateMessageId: () => crypto.randomUUID(),
      consumeSseStream: consumeStream, // so that `onFinish` is called also when the page is closed
      onFinish: ({ messages }) => saveMessages(user, threadId, messages).finally(done),
    });
  });
}
