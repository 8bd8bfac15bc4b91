/** The example for Vite and assistant-ui, built and used as its README says: a chat in the browser that remembers. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { viteApp } from "./support/vite-app.mjs";

let app;

before(async () => {
  app = await viteApp("vite-assistant-ui");
});

after(() => app?.close());

const messages = (page) => page.locator("[data-role]").allTextContents();
const line = (page, words) => page.locator("[data-role]", { hasText: words });
const fact = (page, words) => page.locator("aside li", { hasText: words });

/** Sends a message, and waits until the reply is whole. */
async function say(page, words, reply = `You said: ${words}`) {
  await page.getByLabel("Message").fill(words);
  await page.getByRole("button", { name: "Send" }).click();
  await line(page, reply).waitFor();
  await page.getByRole("button", { name: "Send" }).waitFor();
}

test("what is said in one chat is streamed, remembered in another one, and there after a reload and in a second tab", async () => {
  await app.withPage({ args: ["preview"] }, async (page, open) => {
    await page.evaluate(() => {
      globalThis.states = [];
      const last = () => document.querySelector('[data-role="assistant"]')?.textContent;
      new MutationObserver(() => states.at(-1) !== last() && states.push(last())).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    await say(page, "I live in Lisbon.");
    const states = (await page.evaluate(() => states)).filter(Boolean);
    assert.ok(states.length >= 3, `the reply came at once: ${JSON.stringify(states)}`);
    await fact(page, "The user lives in Lisbon.").waitFor();

    await page.getByRole("button", { name: "Second chat" }).click();
    await line(page, "I live in Lisbon.").first().waitFor({ state: "detached" });
    await say(page, "Where do I live?");
    const second = await messages(page);
    assert.equal(second.length, 2);
    assert.match(second[1], /^I remember:\n- The user lives in Lisbon\.[^]*You said: Where do I live\?$/);

    await page.reload();
    await line(page, "You said: I live in Lisbon.").waitFor();
    assert.deepEqual(await messages(page), ["I live in Lisbon.", "You said: I live in Lisbon."]);
    await page.getByRole("button", { name: "Second chat" }).click();
    await line(page, "You said: Where do I live?").waitFor();
    assert.deepEqual(await messages(page), second);

    const tab = await open();
    await fact(tab, "Lisbon").waitFor();
    await page.getByRole("button", { name: "Delete: The user lives in Lisbon." }).click();
    for (const shown of [page, tab]) await fact(shown, "Lisbon").waitFor({ state: "detached" });
  });
});

test("a reply that is stopped is kept as far as it came, and the chat goes on after it", async () => {
  await app.withPage({ args: ["preview"] }, async (page) => {
    const words = Array.from({ length: 200 }, (_, index) => `word ${index}`).join(" ");
    await page.getByLabel("Message").fill(words);
    await page.getByRole("button", { name: "Send" }).click();
    await line(page, "You said: word 0 word 1 ").waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await say(page, "Enough!");
    const shown = await messages(page);
    assert.equal(shown.length, 4);
    assert.doesNotMatch(shown[1], /word 199/);
    await page.reload();
    await line(page, "You said: Enough!").waitFor();
    assert.deepEqual(await messages(page), shown);
  });
});

test("a reply that is made again is a branch beside the first one, also after a reload", async () => {
  await app.withPage({ args: ["preview"] }, async (page) => {
    await say(page, "My sister is called Mia.");
    await page.getByRole("button", { name: "Again" }).click();
    await page.getByText("2 of 2").waitFor();
    await page.getByRole("button", { name: "Send" }).waitFor();
    await page.reload();
    await page.getByText("2 of 2").waitFor();
    await page.getByRole("button", { name: "The reply before" }).click();
    await page.getByText("1 of 2").waitFor();
    assert.deepEqual(await messages(page), ["My sister is called Mia.", "You said: My sister is called Mia."]);
  });
});

test("developed: a model with OpenAI's interface is told what is remembered, and its stream is shown", async () => {
  const asked = [];
  const model = createServer(async (request, response) => {
    for (const name of ["origin", "headers"]) response.setHeader(`access-control-allow-${name}`, "*");
    if (request.method === "OPTIONS") return response.end();
    asked.push({ url: request.url, ...(await json(request)) });
    response.setHeader("content-type", "text/event-stream");
    for (const content of ["You ", "live in ", "Lisbon."]) response.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`);
    response.end('data: {"choices":[]}\n\ndata: [DONE]\n\n');
  });
  await once(model.listen(0, "127.0.0.1"), "listening");
  try {
    const env = { VITE_MODEL_URL: `http://localhost:${model.address().port}/v1`, VITE_MODEL: "small" };
    await app.withPage({ args: [], env }, async (page) => {
      await say(page, "I live in Lisbon.", "You live in Lisbon.");
      await fact(page, "The user lives in Lisbon.").waitFor();
      await page.getByRole("button", { name: "Second chat" }).click();
      await line(page, "I live in Lisbon.").first().waitFor({ state: "detached" });
      await say(page, "Where do I live?", "You live in Lisbon.");
      const { url, model, messages } = asked.at(-1);
      assert.deepEqual([url, model, messages.map(({ role }) => role)], ["/v1/chat/completions", "small", ["system", "user"]]);
      assert.match(messages[0].content, /- The user lives in Lisbon\./);
    });
  } finally {
    model.closeAllConnections();
    model.close();
  }
});
