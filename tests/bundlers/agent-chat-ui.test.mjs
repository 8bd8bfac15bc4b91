/** Agent Chat UI as npm has it, with the memory of our patch: built, and used with a server of LangGraph. */
import assert from "node:assert/strict";
import { cp, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, openPage } from "../package/support/browser.mjs";
import { serve } from "../package/support/server.mjs";
import { root } from "../package/support/tarball.mjs";
import { startAgentServer } from "./support/agent-server.mjs";
import { installInto, run } from "./support/project.mjs";

const example = join(root, "examples/agent-chat-ui");
const packages = join(example, "node_modules");
const patch = join(example, "memory.patch");

let app, browser, page, complaints, agent, site;

before(async () => {
  app = await mkdtemp(join(tmpdir(), "mnemic-agent-chat-ui-"));
  await installInto(example);
  await cp(join(packages, "create-agent-chat-app/templates/vite"), app, { recursive: true });
  await symlink(packages, join(app, "node_modules"));
  await run("agent-chat-ui", "git", ["apply", patch], { cwd: app });
  for (const tool of [["typescript/bin/tsc", "--noEmit", "-p", "tsconfig.app.json"], ["vite/bin/vite.js", "build"]]) {
    await run("agent-chat-ui", process.execPath, [join(packages, tool[0]), ...tool.slice(1)], { cwd: app });
  }
  agent = await startAgentServer();
  site = await serve(join(app, "dist"), { types: { ".svg": "image/svg+xml" } });
  browser = await launch();
  const context = await browser.newContext();
  // Its page asks for a file that upstream does not have.
  await context.route("**/src/styles.css", (route) => route.fulfill({ contentType: "text/css" }));
  ({ page, complaints } = await openPage(context, chats()));
});

after(async () => {
  await browser?.close();
  await site?.close();
  await agent?.close();
  if (app) await rm(app, { recursive: true });
});

/** The address of the app, with no thread open. */
const chats = (more = "") => `${site.url}?apiUrl=${encodeURIComponent(agent.url)}&assistantId=agent${more}`;

/** Sends a message, and waits until the answer is whole. */
async function say(words) {
  await page.getByPlaceholder("Type your message...").fill(words);
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText(`You said: ${words}`, { exact: true }).waitFor();
  await page.getByRole("button", { name: "Send" }).waitFor();
}

const MEMORY = "What is remembered about the user, as data:\n";
const isMemory = ({ content }) => content.startsWith(MEMORY);

test("the patch has at most 100 lines", async () => {
  const lines = (await readFile(patch, "utf8")).split("\n").filter((line) => /^[+-]/.test(line) && !/^(---|\+\+\+) /.test(line));
  assert.ok(lines.length > 0 && lines.length <= 100, `${lines.length} lines`);
});

test("what is said in one thread is in the panel, and goes to the server with a question in another one, after a reload", async () => {
  await say("I live in Lisbon.");
  assert.deepEqual(agent.runs[0].input.messages.map(({ content }) => content), [`${MEMORY}Nothing that matters here.`, "I live in Lisbon."]);
  await page.getByRole("button", { name: "What is remembered" }).click();
  const panel = page.locator("mnemic-panel");
  await panel.getByRole("tab", { name: "Facts" }).click();
  await panel.getByText("The user lives in Lisbon.").first().waitFor();

  await page.goto(chats());
  await say("Where do I live?");
  const [memory, question] = agent.runs[1].input.messages;
  assert.match(memory.content, /<memory>[^]*\n- The user lives in Lisbon\./);
  assert.equal(question.content, "Where do I live?");
  assert.notEqual(agent.runs[1].thread_id, agent.runs[0].thread_id);
  await page.locator("li", { hasText: "The user lives in Lisbon." }).waitFor();
  assert.deepEqual(complaints, []);
});

test("a thread has one message with the memory, the first and unseen, and is called by what was said", async () => {
  await say("And what is my name?");
  const { messages } = await agent.valuesOf(agent.runs[1].thread_id);
  assert.deepEqual(messages.map(isMemory), [true, false, false, false, false]);
  await page.goto(chats("&chatHistoryOpen=true"));
  await page.getByRole("button", { name: "Where do I live?" }).click();
  await page.getByText("And what is my name?", { exact: true }).waitFor();
  assert.equal(await page.getByText(MEMORY.trim()).count(), 0);
  assert.deepEqual(complaints, []);
});

test("a message that is edited goes with the memory too, and leaves one of it in the thread", async () => {
  await page.getByRole("button", { name: "Edit" }).last().click();
  await page.getByRole("textbox").first().fill("And where do I live now?");
  await page.getByRole("button", { name: "Submit" }).click();
  await page.getByText("You said: And where do I live now?", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Send" }).waitFor();
  const { thread_id, checkpoint, input } = agent.runs.at(-1);
  assert.ok(checkpoint.checkpoint_id);
  assert.match(input.messages[0].content, /\n- The user lives in Lisbon\./);
  const { messages } = await agent.valuesOf(thread_id);
  assert.deepEqual(messages.map(isMemory), [true, false, false, false, false]);
  assert.deepEqual(complaints, []);
});

test("when the memory cannot be opened, the chat goes on without it", async () => {
  const context = await browser.newContext();
  await context.route(/\.wasm$/, (route) => route.abort());
  const { page } = await openPage(context, chats());
  await page.getByPlaceholder("Type your message...").fill("Hello!");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("You said: Hello!", { exact: true }).waitFor();
  assert.deepEqual(agent.runs.at(-1).input.messages.map(({ content }) => content), ["Hello!"]);
  await context.close();
});
