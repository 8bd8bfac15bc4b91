/**
 * Many messages of a chat with a limit of memory, the same in every runtime: they are stored, and used by a fresh process or object.
 * Answers milliseconds, megabytes of WebAssembly memory after each step, and what is counted and stored.
 */
import { query, text } from "../corpus.mjs";
import { expect } from "../timing.mjs";

const scope = { userId: "alice" };
const MESSAGES_PER_CALL = 100;
const RECALLS = 10;
/** What users and assistants write, in characters. */
const LENGTHS = [120, 400];
const NAMED = /rq$/;

/** What message `number` says: a text with a name of its own, and words that others say too. */
function content(number) {
  const length = LENGTHS[number % LENGTHS.length];
  let said = text(number);
  for (let next = 31 * number + 1; said.length < length; next += 17) {
    said += ` ${text(next).split(" ").filter((word) => !NAMED.test(word)).join(" ")}`;
  }
  return said.slice(0, length);
}

const message = (number) => ({ role: number % 2 ? "assistant" : "user", content: content(number) });

/**
 * Runs one step of {@link import("./work.mjs").run}.
 *
 * @param {{count: number, maxMemoryBytes: number, doing: "fill" | "use", isOwn?: boolean}} step `isOwn` for vectors of an application's embedder
 */
export async function messages({ openMemory, storage, mebibytes, timed, embedder }, { doing, count, maxMemoryBytes, isOwn = false }) {
  const { id, embed } = embedder;
  const options = { name: "messages", ...storage("messages"), maxMemoryBytes, ...(isOwn && { embed: { id, embed } }) };
  const megabytes = () => (mebibytes() * 2 ** 20) / 1e6;
  const found = {};
  let memory;
  found.open = await timed(1, async () => (memory = await openMemory(options)));
  const user = memory.scope(scope);
  if (doing === "fill") {
    found.fill = await timed(1, async () => {
      for (let first = 0; first < count; first += MESSAGES_PER_CALL) {
        const said = Array.from({ length: MESSAGES_PER_CALL }, (_, place) => message(first + place));
        await user.remember(said, { learn: false, threadId: `thread ${first}` });
        if (isOwn) await memory.idle();
      }
      await memory.idle();
    });
  } else {
    found.opened = megabytes();
    const recall = async (number) => {
      const target = (number * 7919 + 1) % count;
      const { text: block } = await user.recall(query(target), { limit: 20, maxTokens: 5000 });
      // Of what is alike in many words not every one is told.
      expect(block.includes("\n- "), `recall finds nothing of message ${target}`);
    };
    found.first = await timed(1, () => recall(0));
    found.recalled = megabytes();
    found.recall = await timed(RECALLS, (number) => recall(number + 1));
    found.remember = await timed(RECALLS, (number) => user.remember([message(count + 2 * number), message(count + 2 * number + 1)], { threadId: "today" }));
    await memory.idle();
    found.remembered = megabytes();
    const [{ id }] = await user.threads.search(query(7919 + 1), { limit: 1 });
    found.forget = await timed(1, () => user.forget({ ids: [id] }));
  }
  found.used = megabytes();
  const { memory: taken, bytes } = await memory.health();
  Object.assign(found, { counted: taken.bytes / 1e6, stored: bytes.memory / 1e6 });
  await memory.close();
  return found;
}
