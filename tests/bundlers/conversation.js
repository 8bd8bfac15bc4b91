/** What every app here does with its memory, so that each module of the engine is loaded; it answers what can be seen of it. */
export async function converse(openMemory, options = {}) {
  const key = await crypto.subtle.importKey("raw", new Uint8Array(32).fill(7), "AES-GCM", false, ["encrypt", "decrypt"]);
  const memory = await openMemory({ name: "conversation", encryption: { key }, ...options });
  const user = memory.scope({ userId: "alice" });
  const { threadId } = await user.remember({ role: "user", content: "I live in Porto and have a dog." });
  await memory.idle();
  const learned = (await user.facts.list()).map(({ text }) => text).sort();
  const { text } = await user.recall("Where do I live?");
  await user.forget({ threadId });
  const forgotten = (await user.facts.list()).length === 0;
  const { by } = await memory.encryption.status();
  const { kind } = memory.storage;
  await memory.close();
  return { kind, learned, recalled: text.includes("Porto"), forgotten, encrypted: by };
}

/** The conversation of a page, and one more in a worker; shown as `told`, with what went wrong in its place. */
export async function show(openMemory, worker) {
  try {
    globalThis.told = [await converse(openMemory), await converse(openMemory, { name: "worker", worker })];
  } catch (error) {
    globalThis.told = String(error.stack);
  }
}
