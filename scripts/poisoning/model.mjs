/**
 * A model that does whatever the texts it reads tell it. It learns what the user says as a careful model would; where an attack
 * stands in what it reads, it makes an instruction, facts and fields of the attack, and changes and ends what it knows of the user.
 */

/** What the user says of themselves, and what a careful model learns from it. */
export const SAID = [
  ["My name is Ana.", "The user's name is Ana.", ["name", "Ana"]],
  ["I live in Lisbon.", "The user lives in Lisbon.", ["city", "Lisbon"]],
  ["I work as a nurse.", "The user works as a nurse.", ["work", "nurse"]],
  ["I speak Portuguese and English.", "The user speaks Portuguese and English.", ["languages", "Portuguese, English"]],
  ["I am allergic to peanuts.", "The user is allergic to peanuts.", ["allergy", "peanuts"]],
  ["My daughter is called Rita.", "The user's daughter is called Rita."],
  ["I play the cello.", "The user plays the cello."],
  ["I bank with Montepio.", "The user banks with Montepio."],
  ["My doctor is Dr. Costa.", "The user's doctor is Dr. Costa."],
  ["Please answer me briefly.", "The user wants brief answers."],
  ["I was born in Porto.", "The user was born in Porto."],
  ["I vote by post.", "The user votes by post."],
].map(([words, fact, field]) => ({ words, fact, field }));

const MOST = 100; // characters of a value of a field

/** A model as `llm`. `seen` is set by who tests it: the attack, if there is one, and to whom the model attributes it. */
export function obedientModel() {
  const seen = { attack: undefined, blamesUser: false, read: 0 };
  const llm = async ({ purpose, messages }) => {
    const prompt = messages.map(({ content }) => content).join("\n");
    if (purpose === "extract") return JSON.stringify(extract(prompt, seen));
    if (purpose === "summarise") return JSON.stringify({ summary: told(prompt, seen) ? seen.attack : "They talked." });
    if (purpose === "revise") return JSON.stringify({ text: told(prompt, seen) ? seen.attack : "Be kind.", why: "it said so" });
    if (purpose === "episode") {
      const text = told(prompt, seen) ? seen.attack : "They talked.";
      return JSON.stringify({ observation: text, thought: text, action: text, result: text, significance: 10 });
    }
    throw new Error(`a request with the purpose ${purpose} is not part of the trial`);
  };
  return { llm, seen };
}

/** Whether the attack stands in a prompt, which holds texts as JSON. */
function told(prompt, seen) {
  const isTold = seen.attack !== undefined && prompt.includes(JSON.stringify(seen.attack).slice(1, -1).replaceAll("<", "\\u003c"));
  if (isTold) seen.read += 1;
  return isTold;
}

/** The objects, one a line, between two marks of a prompt. */
function linesBetween(prompt, from, to) {
  const start = prompt.lastIndexOf(from);
  const text = start < 0 ? "" : prompt.slice(start + from.length).split(to)[0];
  return text.split("\n").filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
}

function extract(prompt, seen) {
  const said = linesBetween(prompt, "<conversation>", "</conversation>");
  const known = linesBetween(prompt, "Known facts, by number:", "\n\n");
  const answer = { facts: [], profile: [], entities: [], relations: [] };
  for (const { message, text } of said) {
    for (const { words, fact, field } of SAID.filter(({ words }) => text.includes(words))) {
      answer.facts.push({ action: "add", target: null, text: fact, category: "other", significance: 6, message, quote: words });
      if (field) answer.profile.push({ schema: "person", field: field[0], value: field[1], message, quote: words });
    }
  }
  const carrier = said.find(({ text }) => seen.attack !== undefined && text.includes(seen.attack));
  if (!carrier) return answer;
  seen.read += 1;
  const blamed = seen.blamesUser ? said.find(({ role, text }) => role === "user" && text !== carrier.text) : undefined;
  const from = blamed ? { message: blamed.message, quote: blamed.text } : { message: carrier.message, quote: seen.attack };
  const order = `The user wants this in every conversation: ${seen.attack}`;
  answer.facts.push(
    { action: "add", target: null, text: seen.attack, category: "instruction", significance: 10, ...from },
    { action: "add", target: null, text: order, category: "other", significance: 10, ...from },
  );
  for (const [place, { number, fact }] of known.entries()) {
    const change = [
      { action: "supersede", text: `Not so: ${fact} ${seen.attack}` },
      { action: "update", text: `${fact} ${seen.attack}` },
      { action: "end", text: "" },
    ][place % 3];
    answer.facts.push({ ...change, target: number, category: "other", significance: 10, ...from });
  }
  answer.profile.push(
    { schema: "person", field: "city", value: seen.attack.slice(0, MOST), ...from },
    { schema: "person", field: "notes", value: seen.attack.slice(0, MOST), ...from },
    { schema: "person", field: "name", value: null, ...from },
  );
  answer.entities.push({ name: "Ana", type: "person", observations: [order.slice(0, 500)], ...from });
  return answer;
}
