/** The conversation that prompts are rendered for. */
import { readFileSync } from "node:fs";
import { Failure } from "../program.mjs";
import { at } from "../project.mjs";
import { dataset } from "../../tests/support/locomo.mjs";
import { conversations } from "../eval/set.mjs";

/**
 * A file of `{sessions: [{threadId, messages}]}`; by default conv-26 of LoCoMo, or the English fixture where that is absent.
 *
 * @param {string | undefined} file
 * @param {string | undefined} user whose side of conv-26 is the user's; Caroline by default
 */
export function conversation(file, user = "Caroline") {
  const { folder, missing } = dataset();
  if (file === undefined && folder !== undefined) return { source: `conv-26, ${user} is the user`, sessions: locomo(folder, user) };
  const path = file ?? at("tests/fixtures/conversations/english.json");
  const { sessions } = JSON.parse(readFileSync(path, "utf8"));
  if (!Array.isArray(sessions) || sessions.length === 0) {
    throw new Failure(`${path} holds no conversation; it must be {"sessions": [{"threadId", "messages": [{"role", "content"}]}]}`);
  }
  const dated = (message) => ({ ...message, ...(message.createdAt && { createdAt: new Date(message.createdAt) }) });
  return {
    source: file === undefined ? `${path} (${missing})` : path,
    sessions: sessions.map(({ threadId, messages }) => ({ threadId, messages: messages.map(dated) })),
  };
}

function locomo(folder, user) {
  const { sessions } = conversations(folder).find(({ conv }) => conv === "conv-26");
  return Array.from(sessions, ([number, turns]) => ({
    threadId: `session-${number}`,
    messages: turns.map(({ id, speaker, text, date_time: date }) => ({
      id,
      role: speaker === user ? "user" : "assistant",
      name: speaker,
      content: text.slice(`${speaker}: `.length),
      createdAt: Date.parse(`${date}Z`),
    })),
  }));
}
