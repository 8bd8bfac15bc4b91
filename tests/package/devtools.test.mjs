/** `<mnemic-devtools>` on a plain page with a strict policy, as its user sees it; with the engine in the page and in a worker. */
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { after, before, test } from "node:test";
import { launch, openPage } from "./support/browser.mjs";
import { faultsOf } from "./support/panel.mjs";
import { createProject } from "./support/project.mjs";
import { serve } from "./support/server.mjs";

const pictures = fileURLToPath(new URL("../../artifacts/screenshots/devtools/", import.meta.url));
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'";
const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
  <title>Devtools</title><link rel="icon" href="favicon.ico"></head><body><main></main><script type="module" src="page.js"></script></body></html>`;

/** Opens what the address of the page asks for; its model learns a fact, and then fails. */
const SCRIPT = `
  import { openMemory } from "./node_modules/mnemic/entry/browser.js";
  import { define } from "./node_modules/mnemic/devtools/index.js";
  const asked = JSON.parse(decodeURIComponent(location.hash.slice(1)) || "{}");
  Object.assign(document.documentElement, asked.html);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("body { margin: 0; color: CanvasText; background: Canvas; font-family: sans-serif; }");
  document.adoptedStyleSheets = [sheet];
  const answers = [{ content: JSON.stringify({ facts: [{ action: "add", target: null, text: "Ana sails.", significance: 6, message: 1 }], profile: [] }), usage: { inputTokens: 1_000_000, outputTokens: 500_000 } }];
  const llm = async () => {
    if (answers.length > 0) return answers.shift();
    throw new Error("<b>offline</b>");
  };
  const embed = { id: "<i>toy</i>", embed: async (texts) => (await globalThis.held, texts.map(({ length }) => [1, length])) };
  const memory = await openMemory({ name: "devtools", llm, embed, extraction: { trigger: { messages: 1 } }, ...asked.options });
  const user = memory.scope({ userId: "<u>ana</u>" });
  const devtools = document.createElement("mnemic-devtools");
  devtools.memory = memory;
  if (asked.prices) devtools.prices = asked.prices;
  devtools.addEventListener("mnemic-error", ({ detail }) => globalThis.failures.push(detail.message));
  document.querySelector("main").append(devtools);
  // What was set before the element is known counts too.
  define();
  define();
  Object.assign(globalThis, { memory, user, devtools, failures: [] });
`;

let project, server, browser;

before(async () => {
  project = await createProject({ "page.html": PAGE, "page.js": SCRIPT, "favicon.ico": "" });
  server = await serve(project.folder, { headers: { "content-security-policy": POLICY } });
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await server?.close();
  await project?.remove();
});

async function open({ context: options = {}, ...asked } = {}) {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(15_000);
  const { page, complaints } = await openPage(context, `${server.url}page.html#${encodeURIComponent(JSON.stringify(asked))}`);
  await page.waitForFunction(() => globalThis.devtools?.shadowRoot.querySelector(".pairs"));
  return {
    page,
    async leave() {
      assert.deepEqual(complaints, []);
      await context.close();
    },
  };
}

/** Something in every section. */
async function fill(page) {
  await page.evaluate(async () => {
    await user.generate({ messages: { role: "user", content: "I sail. <script>alert(1)</script>" } });
    await user.recall("who sails?");
    await user.remember({ role: "user", content: "\u202EI row" });
    await memory.idle();
    await user.facts.add("").catch(() => {});
    const extra = await user.facts.add("What is forgotten");
    await user.forget({ query: "nothing of this kind" });
    await devtools.refresh();
  });
}

for (const worker of [false, true]) {
  test(`everything inside is shown live, ${worker ? "from a worker" : "from the page"}`, async () => {
    const prices = { input: 2, output: 4, embedding: 1, currency: "EUR" };
    const { page, leave } = await open({ prices, options: { worker, keepPrompts: true } });
    const tab = (name) => page.getByRole("tab", { name: new RegExp(`^${name}`) }).click();
    await page.getByTestId("log").getByText("Last commit").waitFor();
    await page.evaluate(() => user.generate({ messages: { role: "user", content: "I sail." } }));
    await tab("Requests");
    const request = page.getByTestId("request").filter({ hasText: "extract" });
    await request.waitFor();
    await request.getByText("€4.00").waitFor();
    await request.locator("summary").click();
    await request.locator("pre").filter({ hasText: "I sail." }).waitFor();
    await request.locator("pre").filter({ hasText: "Ana sails." }).waitFor();
    // What is open stays open, and keeps the focus, while more comes.
    await page.evaluate(() => user.recall("who sails?"));
    await page.getByTestId("request").filter({ hasText: "embed" }).first().waitFor();
    assert.ok(await request.locator("details[open]").count());
    assert.equal(await page.evaluate(() => devtools.shadowRoot.activeElement?.localName), "summary");
    await tab("Spans");
    // What comes above moves what is below it, and a click between would miss.
    await page.locator(".span:not(.child)").filter({ hasText: "recall" }).waitFor();
    const trace = page.getByTestId("trace").filter({ hasText: "generate" });
    await trace.getByTestId("span").filter({ hasText: "chat" }).waitFor();
    const chat = trace.locator(".child").filter({ hasText: "chat" });
    await chat.locator("summary").click();
    await chat.getByText("gen_ai.usage.input_tokens").waitFor();
    await tab("Indexes");
    await page.getByTestId("indexes").getByText("<i>toy</i>").waitFor();
    await page.evaluate(() => user.remember({ role: "user", content: "I row." }));
    await tab("Queue");
    const job = page.getByTestId("job").filter({ hasText: "learning" });
    await job.getByText("<b>offline</b>").waitFor();
    await job.getByText("userId: <u>ana</u>").waitFor();
    assert.equal(await page.evaluate(() => devtools.shadowRoot.querySelectorAll("b, i, u, script, img").length), 0);
    await leave();
  });
}

// A call's own span comes last, and closed what was opened of its requests.
test("what is open of a call stays open when more comes of it", async () => {
  const { page, leave } = await open();
  await page.evaluate(() => {
    globalThis.held = new Promise((go) => (globalThis.letGo = go));
    globalThis.recalled = user.recall("who sails?", { rewrite: true });
  });
  await page.getByRole("tab", { name: /^Spans/ }).click();
  const request = page.locator(".child").filter({ hasText: "chat" }).first();
  const own = page.locator(".span:not(.child)").filter({ hasText: "recall" });
  await request.locator("summary").click();
  assert.equal(await own.count(), 0, "the call goes on");
  await page.evaluate(async () => (letGo(), await recalled));
  await own.waitFor();
  await request.getByText("gen_ai.usage.input_tokens").waitFor();
  await leave();
});

test("without keepPrompts the page says so, and without prices it says nothing of costs", async () => {
  const { page, leave } = await open();
  await fill(page);
  await page.getByRole("tab", { name: /^Requests/ }).click();
  await page.getByTestId("requests").getByText("keepPrompts: true").waitFor();
  assert.equal(await page.getByTestId("requests").getByText(/\$|Cost/).count(), 0);
  assert.equal(await page.getByTestId("requests").locator("pre").count(), 0);
  await leave();
});

test("what was taken out of the page listens no more, and what cannot be read is told", async () => {
  const { page, leave } = await open();
  const spans = () => page.evaluate(() => devtools.shadowRoot.querySelectorAll("[data-testid=span]").length);
  await page.evaluate(() => user.facts.add("Ana sails"));
  await page.getByRole("tab", { name: /^Spans/ }).click();
  await page.getByTestId("span").filter({ hasText: "facts.add" }).waitFor();
  await page.evaluate(() => memory.idle().then(() => devtools.refresh()));
  const before = await spans();
  await page.evaluate(async () => {
    devtools.remove();
    await user.facts.add("Ana rows");
    await memory.idle();
    document.querySelector("main").append(devtools);
    await devtools.refresh();
  });
  assert.equal(await spans(), before);
  await page.evaluate(async () => {
    await memory.close();
    await devtools.refresh();
  });
  await page.getByRole("alert").filter({ hasText: "closed" }).waitFor();
  assert.match((await page.evaluate(() => failures)).join(), /closed/);
  await leave();
});

test("tabs are reached by keys, from right to left too", async () => {
  for (const [html, key] of [[{}, "ArrowRight"], [{ dir: "rtl", lang: "ar" }, "ArrowLeft"]]) {
    const { page, leave } = await open({ html });
    await page.getByRole("tab", { name: "Log" }).focus();
    await page.keyboard.press(key);
    assert.equal(await page.getByRole("tab", { name: "Indexes" }).getAttribute("aria-selected"), "true");
    await leave();
  }
});

for (const [name, context, html] of [
  ["light", { viewport: { width: 1100, height: 760 } }, {}],
  ["dark", { viewport: { width: 1100, height: 760 }, colorScheme: "dark" }, {}],
  ["phone", { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }, {}],
  ["right to left", { viewport: { width: 360, height: 740 }, colorScheme: "dark" }, { dir: "rtl", lang: "ar" }],
]) {
  test(`nothing is wrong for assistive technology, and nothing overflows: ${name}`, async () => {
    const { page, leave } = await open({ context, html, prices: { input: 2, output: 4 }, options: { keepPrompts: true } });
    await fill(page);
    mkdirSync(pictures, { recursive: true });
    for (const tab of ["Log", "Indexes", "Queue", "Requests", "Spans"]) {
      await page.getByRole("tab", { name: new RegExp(`^${tab}`) }).click();
      for (const summary of await page.getByRole("tabpanel").locator("summary").all()) await summary.click();
      assert.deepEqual(await faultsOf(page), [], `${tab}, ${name}`);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${tab} is too wide, ${name}`);
      await page.screenshot({ path: `${pictures}${name}-${tab}.png` });
    }
    await leave();
  });
}
