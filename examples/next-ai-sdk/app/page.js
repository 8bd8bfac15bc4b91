import { loadMessages } from "mnemic/ai-sdk";
import { currentUser, pool } from "../lib/memory.js";
import Chat from "./chat.js";

/** The history of a chat, as it is when the page is asked for. */
export const dynamic = "force-dynamic";

export default async function Page({ searchParams }) {
  const { thread = "first" } = await searchParams;
  const userId = currentUser();
  const messages = await pool.use(userId, (memory) => loadMessages(memory.scope({ userId }), thread));
  return <Chat key={thread} thread={thread} history={messages} />;
}
