/** An app as small as one can be: it opens a memory with a model behind an endpoint, and shows what is remembered. */
import { openMemory } from "mnemic";
import { openAICompatible } from "mnemic/adapters";
import profile from "./profile.json";

const baseUrl = new URLSearchParams(location.search).get("model");
const llm = openAICompatible({ baseUrl, model: "recorded" });
const memory = await openMemory({ name: "proof", llm, profiles: { "user-profile": profile }, extraction: { trigger: { messages: 1 } } });

function line(text, quote) {
  const item = document.createElement("li");
  item.textContent = text;
  if (quote) item.append(Object.assign(document.createElement("q"), { textContent: quote }));
  return item;
}

const place = (id) => document.getElementById(id);

/** Shows what is known of a user, and what is recalled for a question. */
async function show(user, question) {
  const { fields } = (await user.profiles.get())["user-profile"];
  place("profile").replaceChildren(
    ...Object.entries(fields).map(([name, { value, source }]) => line(`${name}: ${[value].flat().join(", ")}`, source[0]?.quote)),
  );
  const facts = await user.facts.list();
  place("facts").replaceChildren(...facts.map(({ text, source }) => line(text, source[0]?.quote)));
  if (question !== undefined) {
    place("question").textContent = question;
    place("recall").textContent = (await user.recall(question, { limit: 6 })).text;
  }
  place("usage").textContent = JSON.stringify(await memory.usage(), null, 2);
}

globalThis.proof = { memory, show, user: (userId) => memory.scope({ userId }) };
