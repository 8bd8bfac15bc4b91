/** Temporary chats and what waits for a yes, as a person meets them in the demo. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Demo } from "./support/demo.mjs";
import { calling, saying, startEndpoint } from "./support/endpoint.mjs";
import { choose, onPage } from "./support/privacy.mjs";
import { placesOf } from "./support/stored.mjs";

let demo;
before(async () => { demo = await Demo.start(); });
after(() => demo?.close());

test("a temporary chat reads the memory, keeps nothing, and is dropped", async () => {
  const user = await demo.open();
  const { page } = user;
  await user.say("I live in Lisbon.");
  await page.getByTestId("temporary-chat").click();
  await user.sees(page.getByTestId("temporary-bar"), "Nothing said here is kept");
  assert.equal(await page.getByTestId("temporary-save").isDisabled(), true);
  await user.sees(await user.say("Where do I live?"), "Lisbon");
  await user.sees(await user.say("I love xylophones."), "I keep nothing of it");
  await user.tab("facts");
  await user.sees(user.facts, "Lisbon");
  assert.equal(await user.facts.count(), 1);
  assert.deepEqual(await placesOf(page, "xylophone"), []);
  // It waits while another chat is looked at.
  await page.getByTestId("threads").getByRole("button", { name: /^I live in Lisbon/ }).click();
  await page.getByTestId("temporary-bar").waitFor({ state: "hidden" });
  await page.getByTestId("temporary-chat").click();
  await user.sees(page.getByTestId("message-user"), "xylophones");
  await page.getByTestId("temporary-drop").click();
  await user.sees(page.getByTestId("toast"), "Nothing of it was kept");
  await page.getByTestId("welcome").waitFor();
  assert.equal(await page.getByTestId("forget-chat").count(), 1);
  assert.equal(await onPage(user, "xylophone"), false);
  await page.getByTestId("temporary-chat").click();
  await user.say("I love xylophones.");
  await user.reload();
  assert.equal(await page.getByTestId("message-user").count(), 0);
  assert.deepEqual(await placesOf(page, "xylophone"), []);
  await user.leave();
});

test("a temporary chat is kept when the user wants it, and learned from then", async () => {
  const user = await demo.open();
  const { page } = user;
  await page.getByTestId("temporary-chat").click();
  await user.say("I love xylophones.");
  // Other settings open the memory anew; the chat goes on.
  await page.getByTestId("open-settings").click();
  await page.getByTestId("save-settings").click();
  await page.getByTestId("settings-dialog").waitFor({ state: "hidden" });
  await user.sees(page.getByTestId("message-user"), "xylophones");
  await page.getByTestId("temporary-save").click();
  await user.sees(page.getByTestId("toast"), "Kept. This is an ordinary chat now.");
  await page.getByTestId("temporary-bar").waitFor({ state: "hidden" });
  await user.tab("facts");
  await user.sees(user.facts, "xylophones");
  await user.reload();
  await user.sees(page.getByTestId("message-user"), "xylophones");
  await user.leave();
});

/** What a web page said, as an app would bring it in: it waits for the user. */
async function heldProposals() {
  const { openMemory } = await import(new URL("../../www/node_modules/mnemic/entry/node.js", import.meta.url));
  const memory = await openMemory({ name: "held", storage: "memory" });
  const user = memory.scope({ userId: "me" });
  await user.remember({ role: "user", content: "I live in Lisbon." }, { threadId: "chat-held" });
  await user.remember({ role: "user", content: "Hi! I live in Porto.", trust: "web" }, { threadId: "chat-held" });
  await memory.idle();
  const buffer = Buffer.from(await new Response(memory.export()).arrayBuffer());
  await memory.close();
  return { name: "held.mnemic", mimeType: "application/octet-stream", buffer };
}

test("what an untrusted source would change waits, and says where it comes from", async () => {
  const user = await demo.open();
  const { page } = user;
  await choose(user, await heldProposals());
  await page.getByTestId("restore-replace").check();
  await page.getByTestId("restore-start").click();
  await user.sees(page.getByTestId("restore-outcome"), "The memory is what the backup holds");
  await page.getByTestId("restore-close").click();
  await user.sees(page.getByTestId("waiting"), "to review");
  await page.getByTestId("waiting").click();
  const proposal = page.getByTestId("proposal").first();
  await user.sees(proposal.getByTestId("held"), "From the web: it would change what is trusted more than its source");
  await user.sees(proposal, "Porto");
  await user.tab("facts");
  await user.sees(user.facts, "Lisbon");
  await user.leave();
});

test("a model answers in a temporary chat; it reads the memory, and what it would change is refused", async () => {
  const endpoint = await startEndpoint();
  try {
    const user = await demo.open();
    const { page } = user;
    await user.say("I live in Lisbon.");
    await user.connect(endpoint);
    await page.getByTestId("temporary-chat").click();
    const answers = [calling([["facts_add", { text: "The user plays the xylophone." }]]), saying("Xylophones are lovely.")];
    endpoint.chat = () => (answers.length > 1 ? answers.shift() : answers[0]);
    const reply = await user.say("I play the xylophone.");
    await user.sees(reply, "Xylophones are lovely.");
    await user.sees(reply.getByTestId("calls").locator("summary"), /facts_add\s*failed/);
    const { messages } = endpoint.requests.filter(({ response_format: format }) => !format).at(-1);
    assert.match(JSON.stringify(messages), /Lisbon.*I play the xylophone/s);
    assert.deepEqual(await placesOf(page, "xylophone"), []);
    await user.tab("facts");
    await user.sees(user.facts, "Lisbon");
    assert.equal(await user.facts.filter({ hasText: "xylophone" }).count(), 0);
    await user.leave();
  } finally {
    await endpoint.close();
  }
});
