/** The example for Next.js and the AI SDK, built and used as its README says: a page with `useChat`, a route that streams. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { root } from "../package/support/tarball.mjs";
import { launch, openPage } from "../package/support/browser.mjs";
import { installInto, run, withServer } from "./support/project.mjs";

const app = join(root, "examples/next-ai-sdk");
const script = join(app, "node_modules/next/dist/bin/next");
const ADDRESS = /(http:\/\/localhost:\d+)/;

let browser, memories;

before(async () => {
  memories = await mkdtemp(join(tmpdir(), "mnemic-next-ai-sdk-"));
  await installInto(app);
  await rm(join(app, ".next"), { recursive: true, force: true });
  await run("next-ai-sdk", process.execPath, [script, "build"], { cwd: app });
  browser = await launch();
});

after(async () => {
  await browser?.close();
  if (memories) await rm(memories, { recursive: true });
});

/** Starts the app, and answers what `use` does with a page of it. */
const withPage = (use) =>
  withServer([script, "start", "--port", "0"], { cwd: app, env: { MEMORIES: memories, OPENAI_API_KEY: "" } }, ADDRESS, async (url) => {
    const context = await browser.newContext();
    try {
      const { page, complaints } = await openPage(context, `${url}/?thread=first`);
      await use(page, (thread) => page.goto(`${url}/?thread=${thread}`));
      assert.deepEqual(complaints, []);
    } finally {
      await context.close();
    }
  });

/** The messages that a page shows. */
const shown = (page) => page.locator("p[data-role]").allTextContents();

/** Sends a message; answers every state of the last line until the reply is whole. */
async function say(page, words) {
  // React must have taken the form over, or what is typed is lost.
  await page.waitForFunction(() => Object.keys(document.querySelector("form")).some((key) => key.startsWith("__reactProps")));
  await page.evaluate(() => {
    globalThis.states = [];
    const last = () => [...document.querySelectorAll('p[data-role="assistant"]')].at(-1)?.textContent;
    new MutationObserver(() => states.at(-1) !== last() && states.push(last())).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  const before = (await shown(page)).length;
  await page.getByLabel("Message").fill(words);
  await page.getByRole("button", { name: "Send" }).click();
  await page.waitForFunction((count) => document.querySelectorAll("p[data-role]").length === count, before + 2);
  await page.waitForSelector('main[data-status="ready"]');
  return page.evaluate(() => states.filter(Boolean));
}

const first = ["You: I live in Lisbon.", "Assistant: You said: I live in Lisbon."];

test("what is said in one chat is streamed, recalled in another one, and there after a reload", async () => {
  await withPage(async (page, open) => {
    const states = await say(page, "I live in Lisbon.");
    assert.ok(states.length >= 3, `the reply came at once: ${JSON.stringify(states)}`);
    for (const [index, state] of states.slice(1).entries()) assert.ok(state.startsWith(states[index]), `${state} after ${states[index]}`);
    assert.deepEqual(await shown(page), first);
    await open("second");
    await say(page, "Where do I live?");
    const second = await shown(page);
    assert.match(second[1], /^Assistant: I remember:\n- .*Lisbon/);
    await page.reload();
    assert.deepEqual(await shown(page), second);
    await open("first");
    assert.deepEqual(await shown(page), first);
  });
});

test("the server may be started again; a reply is made again in its place, and one that is stopped is kept as far as it came", async () => {
  await withPage(async (page, open) => {
    assert.deepEqual(await shown(page), first);
    await page.getByRole("button", { name: "Again" }).click();
    await page.waitForFunction((reply) => [...document.querySelectorAll("p[data-role]")].at(-1).textContent !== reply, first[1]);
    await page.waitForSelector('main[data-status="ready"]');
    const again = await shown(page);
    await page.reload();
    assert.deepEqual([again.length, await shown(page)], [2, again]);

    await open("third");
    const words = Array.from({ length: 300 }, (_, index) => `word ${index}`).join(" ");
    await page.waitForFunction(() => Object.keys(document.querySelector("form")).some((key) => key.startsWith("__reactProps")));
    await page.getByLabel("Message").fill(words);
    await page.getByRole("button", { name: "Send" }).click();
    await page.waitForFunction(() => /word 1 /.test(document.querySelector('p[data-role="assistant"]')?.textContent));
    await page.getByRole("button", { name: "Stop" }).click();
    // The server stores it on its own time.
    let stopped = [];
    for (let reloads = 0; stopped.length < 2 && reloads < 200; reloads += 1) {
      await page.reload();
      stopped = await shown(page);
    }
    assert.equal(stopped[0], `You: ${words}`);
    assert.match(stopped[1], /You said: word 0 word 1 /);
    assert.doesNotMatch(stopped[1], /word 299/);
  });
});
