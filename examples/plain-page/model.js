/**
 * A model for trying the page: it tells what it is told to remember. Ask yours in its place, with `memory` in the system message, as
 * data, and the messages of the thread; and add its address to `connect-src` in index.html.
 */
export async function model(memory, messages) {
  const lines = memory.split("\n").filter((line) => line.startsWith("- "));
  return `${lines.length > 0 ? `I remember:\n${lines.join("\n")}\n` : ""}You said: ${messages.at(-1).content}`;
}
