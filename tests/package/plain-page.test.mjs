/** The example of a plain page, used as its README says: no build, and a policy that allows nothing inline. */
import assert from "node:assert/strict";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, openPage } from "./support/browser.mjs";
import { createProject } from "./support/project.mjs";
import { serve } from "./support/server.mjs";
import { root } from "./support/tarball.mjs";

let project, server, browser;

before(async () => {
  project = await createProject();
  await cp(join(root, "examples/plain-page"), project.folder, { recursive: true, filter: (path) => !path.includes("node_modules") });
  server = await serve(project.folder);
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await server?.close();
  await project?.remove();
});

const line = (page, words) => page.locator("#messages p", { hasText: words });
const fact = (page, words) => page.getByTestId("fact").filter({ hasText: words });

/** Sends a message, and waits for the answer. */
async function say(page, words) {
  await page.getByRole("textbox", { name: "Message" }).fill(words);
  await page.getByRole("button", { name: "Send" }).click();
  await line(page, `You said: ${words}`).waitFor();
}

test("what is said in one chat is in the panel, remembered in another one, and there after a reload and in a second tab", async () => {
  const context = await browser.newContext();
  const [{ page, complaints }, other] = [await openPage(context, server.url), await openPage(context, server.url)];
  await say(page, "I live in Lisbon.");
  for (const tab of [page, other.page]) await fact(tab, "The user lives in Lisbon.").waitFor();

  await page.getByRole("button", { name: "New chat" }).click();
  await line(page, "I live in Lisbon.").first().waitFor({ state: "detached" });
  await say(page, "Where do I live?");
  const answer = /^I remember:\n- The user lives in Lisbon\.[^]*You said: Where do I live\?$/;
  assert.match(await line(page, "You said").textContent(), answer);

  await page.reload();
  await line(page, "You said").waitFor();
  assert.match(await line(page, "You said").textContent(), answer);

  await fact(page, "Lisbon").getByTestId("delete-fact").click();
  for (const tab of [page, other.page]) await fact(tab, "Lisbon").waitFor({ state: "detached" });
  assert.deepEqual([complaints, other.complaints], [[], []]);
  await context.close();
});

test("a memory that cannot be opened is a problem that the page tells", async () => {
  const context = await browser.newContext();
  await context.route(/\.wasm$/, (route) => route.abort());
  const { page } = await openPage(context, server.url);
  await page.getByRole("alert").filter({ hasText: "mnemic_bg.wasm" }).waitFor();
  assert.ok(await page.getByRole("button", { name: "Send" }).isDisabled());
  await context.close();
});
