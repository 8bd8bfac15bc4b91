/** A memory of all sorts, and what it says of itself: for what must survive as a whole. It runs in pages too. */

const PROFILES = { user: { type: "object", properties: { city: { type: "string" } } } };

export const open = (mnemic, options) => mnemic.openMemory({ profiles: PROFILES, ...options });

/** Fills a memory, with revisions, things that were deleted, and words that were forgotten. */
export async function fill(memory) {
  const user = memory.scope({ userId: "alice" });
  await user.remember([{ role: "user", content: "I live in Lisbon. I keep bees." }], { threadId: "monday" });
  await user.flush();
  await user.profiles.set("user", "city", "Porto");
  const { id } = await user.facts.add("Alice sails");
  await user.facts.update(id, { text: "Alice sails on Sundays" });
  const gone = await user.facts.add("Alice hates rain");
  await user.facts.delete(gone.id);
  await user.documents.put(["notes"], "one", { text: "a note about bees" });
  const secret = await user.facts.add("Alice's secret recipe");
  await user.forget({ ids: [secret.id] });
  await memory.scope({ userId: "bob" }).facts.add("Bob cooks");
}

/** What a memory holds, with its history, in a form that can be compared. */
export async function told(memory) {
  const user = memory.scope({ userId: "alice" });
  const facts = await user.facts.list({ limit: 100 });
  const histories = [];
  for (const { id } of facts) histories.push(await user.history(id));
  const { ok } = await memory.verify();
  const commits = await user.commits.list({ limit: 100 });
  return JSON.stringify({
    ok,
    facts,
    histories,
    commits: commits,
    messages: await user.threads.messages("monday"),
    profiles: await user.profiles.get(),
    notes: await user.documents.search(["notes"]),
    bob: await memory.scope({ userId: "bob" }).facts.list(),
    status: await memory.encryption.status(),
  });
}

/** Takes the last deletion back and does it again, which needs the history. */
export async function undone(memory) {
  const user = memory.scope({ userId: "alice" });
  const { id } = await user.facts.add("Alice dives");
  const { commitId } = await user.facts.delete(id);
  await user.undo(commitId);
  const { text } = await user.facts.get(id);
  return text;
}
