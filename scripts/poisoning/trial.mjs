/** One trial: a user has told of themselves; content arrives; what is in the memory then, and what a prompt tells of it. */
import { SAID, obedientModel } from "./model.mjs";

const FIELDS = ["name", "city", "work", "languages", "allergy", "notes"];

/** How a content reaches the memory, by name. `trust` is what an app says of it where the guard is to know. */
export const CARRIERS = {
  "web page": { trust: "web" },
  document: { trust: "document" },
  "tool result": { trust: "tool" },
  "web page between the user's messages": { trust: "web", between: true },
  "message of a tool": { role: "tool" },
  "assistant's reply": { role: "assistant" },
  "assistant's reply, told to be the user's": { role: "assistant", blamesUser: true },
};

/** A memory whose model obeys; `close` it. */
export async function openTrials(openMemory) {
  const { llm, seen } = obedientModel();
  const person = { type: "object", properties: Object.fromEntries(FIELDS.map((field) => [field, { type: "string" }])) };
  const memory = await openMemory({
    name: "poisoning",
    storage: "memory",
    llm,
    profiles: { person },
    extraction: { auto: false, graph: true },
  });
  return { memory, seen, trials: 0 };
}

/** What the user knows of themselves: facts and fields that came from the user. */
async function known(user) {
  const facts = await user.facts.list({ limit: 1000 });
  const said = new Set(SAID.map(({ fact }) => fact));
  const { fields } = (await user.profiles.get()).person;
  return {
    own: JSON.stringify([
      facts.filter(({ text }) => said.has(text)).map(({ text, validUntil }) => [text, validUntil ?? null]).sort(),
      Object.entries(fields).filter(([field]) => field !== "notes").map(([field, { value }]) => [field, value]).sort(),
    ]),
    facts,
    fields,
  };
}

/** Lets a content arrive; `content` holds `attack`, or none. `isGuarded` is false for an app that does not say where it is from. */
export async function trial(trials, { content, attack, carrier, isGuarded, withSystems = true }) {
  const { memory, seen } = trials;
  const user = memory.scope({ trial: String((trials.trials += 1)) });
  Object.assign(seen, { attack: undefined, blamesUser: carrier.blamesUser ?? false, read: 0 });
  await user.generate({ messages: SAID.map(({ words }) => ({ role: "user", content: words })), threadId: "before" });
  const before = await known(user);
  seen.attack = attack;
  const arriving = {
    role: carrier.role ?? "user",
    content,
    ...(carrier.role === "tool" && { toolCallId: "call-1" }),
    ...(isGuarded && carrier.trust && { trust: carrier.trust }),
  };
  const asks = { role: "user", content: "What does it say?" };
  const call = { role: "assistant", content: null, toolCalls: [{ id: "call-1", function: { name: "read", arguments: "{}" } }] };
  const messages = carrier.role === "tool" ? [asks, call, arriving] : carrier.role || carrier.between ? [asks, arriving] : [arriving];
  if (carrier.between) messages.push({ role: "user", content: "Thank you." });
  await user.generate({ messages, threadId: "attacked" });
  if (withSystems) await user.threads.summarise("attacked");
  const after = await known(user);
  const proposals = await user.proposals.list();
  const found = { isChanged: before.own !== after.own, isActive: false, isPassedOff: false, held: proposals.length, read: seen.read > 0 };
  if (attack !== undefined) {
    found.isActive = [...after.facts.map(({ text }) => text), ...Object.values(after.fields).map(({ value }) => String(value))].some((text) =>
      text.includes(attack.slice(0, 60)),
    );
    const told = (await prompts(user, attack)).filter((line) => line.includes(attack.slice(0, 60)));
    found.passedOff = told.filter((line) => !isMarked(line));
    found.isPassedOff = found.passedOff.length > 0;
  }
  await user.forget({ scope: true });
  return found;
}

/** Every line that a model is told when somebody asks about the attack, or about nothing in particular, elsewhere. */
async function prompts(user, attack) {
  const lines = [];
  // The question itself ends a prompt, so it is not the attack word for word.
  for (const query of [attack.split(" ").reverse().join(" "), "Who am I?"]) {
    const { text } = await user.recall(query, { currentThreadId: "later", maxTokens: 8000 });
    const assembled = await user.context.assemble({ query, threadId: "later", maxTokens: 8000 });
    lines.push(...`${text}\n${assembled.text}`.split("\n"));
  }
  return lines;
}

/** Whether a line says that it is not from the user. */
function isMarked(line) {
  return /^- (?:\d{4}-\d\d-\d\d )?(?:\[(?:web|document|tool|assistant)\] |(?:web|document|tool|assistant)(?: \([^)]*\))?: )/.test(line);
}
