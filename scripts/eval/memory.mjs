/** Sets in a memory of the built package. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Failure } from "../program.mjs";

const PROFILE = { type: "object", properties: { name: { type: "string", description: "The user's name" } } };

/** `openMemory` of a built package, such as pkg/. */
export async function engineOf(packageFolder) {
  const { openMemory } = await import(pathToFileURL(join(packageFolder, "entry/node.js")).href);
  return openMemory;
}

/**
 * A set, remembered: every conversation of it is a scope, every session a thread.
 *
 * @param {boolean} withVectors whether the set's vectors are used, instead of what the engine makes itself
 * @param {{text: string}[]} others facts that belong to no question, for every scope
 * @returns {Promise<{scopes: {conversation: object, scope: object, idOf: Map<string, string>}[], close(): Promise<void>}>} `scope`
 *   leaves no trace of what is read; `idOf` has the ids of the set by those of the engine
 */
export async function remember(openMemory, set, { withVectors = false, others = [] } = {}) {
  const embed = withVectors ? { id: "all-MiniLM-L6-v2", embed: (texts) => texts.map((text) => set.vectors.get(text)) } : undefined;
  // Vectors are of whole texts, also of those that look like secrets.
  const options = { storage: "memory", guard: { secrets: "keep" }, extraction: { auto: false }, profiles: { profile: PROFILE } };
  const memory = await openMemory({ name: set.name, ...options, ...(embed && { embed }) });
  const scopes = [];
  for (const conversation of set.conversations) {
    const scope = memory.scope({ conversation: conversation.conv });
    for (const [field, value] of Object.entries(set.profile ?? {})) await scope.profiles.set("profile", field, value);
    const idOf = await fill(scope, conversation, others);
    scopes.push({ conversation, scope: scope.readOnly(), idOf });
  }
  await memory.idle();
  const { unembedded } = await memory.usage();
  if (unembedded > 0) throw new Failure(`${unembedded} memories of ${set.name} would be searched without a vector`);
  return { scopes, close: () => memory.close() };
}

const at = ({ date_time: time }) => Date.parse(`${time}Z`);

/** Remembers the facts, in the order of time, and the sessions of a conversation; answers the set's ids by the engine's. */
async function fill(scope, { facts, sessions }, others) {
  const idOf = new Map();
  const given = facts.map((fact) => ({ text: fact.text, validFrom: at(fact), sourceId: fact.id }));
  given.sort((a, b) => a.validFrom - b.validFrom);
  const all = [...given, ...others];
  for (let start = 0; start < all.length; start += 1000) await scope.facts.import(all.slice(start, start + 1000));
  const byText = new Map(facts.map(({ id, text }) => [text, id]));
  for (let offset = 0; facts.length > 0; offset += 1000) {
    const page = await scope.facts.list({ limit: 1000, offset });
    for (const { id, text } of page) if (byText.has(text)) idOf.set(id, byText.get(text));
    if (page.length < 1000) break;
  }
  if (idOf.size !== facts.length) throw new Failure(`${facts.length} facts became ${idOf.size}: some have equal wording, or are not valid now`);
  for (const [session, turns] of sessions) {
    const messages = turns.map((turn) => ({
      id: turn.id, role: turn.speaker === "assistant" ? "assistant" : "user", content: turn.text, createdAt: at(turn),
    }));
    const { messageIds } = await scope.remember(messages, { threadId: `session-${session}`, learn: false });
    messageIds.forEach((id, place) => idOf.set(id, turns[place].id));
  }
  return idOf;
}

/** How well something fits, comparable between questions where the engine says so. */
const fit = ({ relevance, score }) => relevance ?? score;

/**
 * What searching finds for a question, best first: facts or messages in the order they are found, both together by how well they fit; as
 * `{id, score}` with the ids of the set. `id` is undefined for what does not belong to it.
 */
export async function search({ conversation, scope, idOf }, question, limit) {
  const lists = [];
  if (conversation.facts.length > 0) lists.push(await scope.facts.search(question, { limit }));
  if (conversation.sessions.size > 0) lists.push(await scope.threads.search(question, { limit }));
  const hits = lists.flat().map((hit) => ({ id: idOf.get(hit.id), score: fit(hit) }));
  if (lists.length > 1) hits.sort((a, b) => b.score - a.score);
  return hits.slice(0, limit);
}

/** What recall tells by default for a question: the facts and messages in it as `{id, score}`, and `known` if the engine says it. */
export async function recall({ scope, idOf }, question) {
  const { items, known } = await scope.recall(question);
  const told = items.filter(({ kind }) => kind === "fact" || kind === "message");
  return { hits: told.map((item) => ({ id: idOf.get(item.id), score: fit(item) })), known };
}
