import { ollamaEmbeddings } from "mnemic/embedders";

/** An embedder with a server in its place: bundlers read the whole entry, also what runs Transformers.js, which is not installed here. */
const embed = ollamaEmbeddings({
  model: "toy",
  fetch: async (_, { body }) => Response.json({ embeddings: JSON.parse(body).input.map((text) => [1, text.length]) }),
});

/** What every app here does with its memory, so that each module of the engine is loaded; it answers what can be seen of it. */
export async function converse(openMemory, options = {}) {
  const key = await crypto.subtle.importKey("raw", new Uint8Array(32).fill(7), "AES-GCM", false, ["encrypt", "decrypt"]);
  const memory = await openMemory({ name: "conversation", embed, encryption: { key }, ...options });
  const user = memory.scope({ userId: "alice" });
  const { threadId } = await user.remember({ role: "user", content: "I live in Porto and have a dog." });
  await memory.idle();
  const learned = (await user.facts.list()).map(({ text }) => text).sort();
  const { text } = await user.recall("Where do I live?");
  await user.forget({ threadId });
  const forgotten = (await user.facts.list()).length === 0;
  const { by } = await memory.encryption.status();
  const { kind } = memory.storage;
  const { byPurpose } = await memory.usage();
  await memory.close();
  return { kind, learned, recalled: text.includes("Porto"), forgotten, encrypted: by, embedded: byPurpose.embed?.failures === 0 };
}

/** The conversation of a page, and one more with each of these options; shown as `told`, with what went wrong in its place. */
export async function show(openMemory, ...others) {
  try {
    const told = [await converse(openMemory)];
    for (const [place, options] of others.entries()) told.push(await converse(openMemory, { name: `other-${place}`, ...options }));
    globalThis.told = told;
  } catch (error) {
    globalThis.told = String(error.stack);
  }
}
