/** Whole prompts, as an app and the clients of the providers meet them. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createProject } from "./support/project.mjs";

let project, mnemic, memory, user;

before(async () => {
  project = await createProject();
  mnemic = await project.import('export * from "mnemic";');
  memory = await mnemic.openMemory({
    name: "assembly",
    storage: "memory",
    context: { instructions: "You are a mate." },
    profiles: { user: { type: "object", properties: { name: { type: "string" } } } },
  });
  user = memory.scope({ userId: "ada" });
  await user.profiles.set("user", "name", "Ada");
  await user.facts.add("Ada's boat is called Petrel");
  await user.remember(
    [
      { role: "user", content: "Hello!" },
      { role: "assistant", content: "Hello, Ada." },
    ],
    { threadId: "today", learn: false },
  );
});

after(async () => {
  await memory?.close();
  await project?.remove();
});

const QUESTION = "What is my boat called?";
const asked = { threadId: "today", query: QUESTION, maxTokens: 1000 };

test("a prompt is a text, or messages of the providers", async () => {
  const prompt = await user.context.assemble(asked);
  const [{ createdAt }] = await user.facts.list();
  assert.equal(
    prompt.text,
    [
      "You are a mate.\n",
      "<memory>",
      "Profile:",
      "- name: Ada",
      "Facts:",
      `- Ada's boat is called Petrel (said ${new Date(createdAt).toISOString().slice(0, 10)})`,
      "</memory>\n",
      "<conversation>",
      "user: Hello!",
      "assistant: Hello, Ada.",
      "</conversation>\n",
      QUESTION,
    ].join("\n"),
  );
  assert.deepEqual(prompt.items.map(({ section, kind }) => `${section} ${kind}`), [
    "profile field", "facts fact", "messages message", "messages message",
  ]);
  const openai = await user.context.assemble({ ...asked, as: "openai" });
  assert.deepEqual(openai.messages.map(({ role }) => role), ["system", "user", "assistant", "user"]);
  const anthropic = await user.context.assemble({ ...asked, as: "anthropic" });
  assert.equal(anthropic.system.map(({ text }) => text).join(""), openai.messages[0].content);
  assert.deepEqual(anthropic.messages.map(({ role }) => role), ["user", "assistant", "user"]);
});

test("the limit is hard, also as the app counts", async () => {
  const counting = await mnemic.openMemory({ name: "counting", storage: "memory", countTokens: (text) => text.length });
  const counted = counting.scope({ userId: "ada" });
  for (let number = 0; number < 30; number += 1) await counted.facts.add(`Fact ${number} about a boat`);
  for (let maxTokens = 60; maxTokens < 700; maxTokens += 37) {
    const { text, tokens, sections } = await counted.context.assemble({ query: "boat?", maxTokens });
    assert.equal(tokens, text.length);
    assert.ok(text.length <= maxTokens, `${text.length} of ${maxTokens}`);
    assert.ok(sections.find(({ name }) => name === "facts").dropped > 0);
  }
  await counting.close();
});

test("sections are weighed, and what cannot be is refused", async () => {
  const sections = { facts: 0, messages: { maxTokens: 7, priority: 99 } };
  const { text } = await user.context.assemble({ ...asked, sections });
  assert.ok(!text.includes("Petrel") && !text.includes("Hello"));
  for (const wrong of [
    { ...asked, maxTokens: 0 },
    { ...asked, sections: { fact: 1 } },
    { ...asked, sections: { facts: 2 } },
    { ...asked, as: "html" },
    { ...asked, threadId: "" },
    { ...asked, tokens: 5 },
  ]) {
    await assert.rejects(user.context.assemble(wrong), { code: "InvalidInput" }, JSON.stringify(wrong));
  }
  const long = { query: "word ".repeat(200), maxTokens: 50 };
  await assert.rejects(user.context.assemble(long), { code: "BudgetExceeded" });
});
