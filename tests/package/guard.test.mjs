/** The guard as a user of Node meets it: what is handed over, what is stored, and what the answers say. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { mnemic } from "./support/installed.mjs";

const CARD = "4111 1111 1111 1111";

test("a secret is masked in what is stored, sent and answered", async () => {
  const sent = [];
  const llm = async ({ messages }) => {
    sent.push(...messages.map(({ content }) => content));
    return JSON.stringify({ facts: [], profile: [] });
  };
  const memory = await mnemic.openMemory({ name: "masked", storage: "memory", llm, guard: { nationalIds: ["us"] } });
  const user = memory.scope({ userId: "ana" });
  const messages = [
    { role: "user", content: "hello" },
    { role: "user", content: [{ type: "text", text: `my card is ${CARD}, my SSN 219-09-9999` }] },
    { role: "assistant", content: null, toolCalls: [{ id: "1", function: { name: "pay", arguments: `{"password":"open sesame"}` } }] },
  ];
  const { masked } = await user.generate({ messages, threadId: "bank" });
  assert.deepEqual(masked, [
    { index: 1, kind: "card" },
    { index: 1, kind: "nationalId" },
    { index: 2, kind: "password" },
  ]);
  // Without the ids of messages: a random one may hold four digits of the card.
  const told = (await user.threads.messages("bank")).map(({ content, toolCalls }) => ({ content, toolCalls }));
  const stored = JSON.stringify(told);
  assert.match(stored, /my card is \[card\], my SSN \[national id\]/);
  assert.doesNotMatch(stored + sent.join(), /4111|219-09|sesame/);
  assert.ok(sent.length > 0);
  assert.deepEqual((await user.facts.add(`The user pays with ${CARD}`)).masked, ["card"]);
  await memory.close();
});

test("a secret is refused by option", async () => {
  const memory = await mnemic.openMemory({ name: "refused", storage: "memory", guard: { secrets: "refuse" } });
  const user = memory.scope({ userId: "ana" });
  const error = await user.remember({ role: "user", content: `my card is ${CARD}` }).catch((error) => error);
  assert.ok(error instanceof mnemic.SecretError);
  assert.deepEqual([error.code, error.details.kind, error.details.index], ["Secret", "card", 0]);
  assert.doesNotMatch(`${error.message} ${JSON.stringify(error.details)}`, /4111/);
  assert.deepEqual(await user.threads.list(), []);
  await memory.close();
});
