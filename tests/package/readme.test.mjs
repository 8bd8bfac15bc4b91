/** Every snippet of the documents does what it says, as a user of the packed package would run it. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { groups } from "../../scripts/test.mjs";
import { launch, openPage } from "./support/browser.mjs";
import { standIns } from "../../docs/site/run/stand-ins.js";
import { createProject } from "./support/project.mjs";
import { serve } from "./support/server.mjs";
import { anchors, documents, links, moduleOf, printed, snippets, textOf, undated } from "./support/snippets.mjs";
import { runWithSqlite } from "./support/sqlite.mjs";
import { root } from "./support/tarball.mjs";
import { bundleWorker, startWorker } from "../../scripts/workerd.mjs";

const ENTRIES = { mnemic: "entry/browser.js", "mnemic/adapters": "adapters/index.js", "mnemic/anthropic": "anthropic/index.js", "mnemic/openai": "openai/index.js", "mnemic/embedders": "embedders/index.js", "mnemic/slim": "slim.js", "mnemic/inline": "inline/index.js", "mnemic/panel": "panel/index.js", "mnemic/devtools": "devtools/index.js" };
const imports = Object.fromEntries(Object.entries(ENTRIES).map(([name, path]) => [name, `./node_modules/mnemic/${path}`]));
const pageOf = (imports) => `<!doctype html><script type="importmap">${JSON.stringify({ imports })}</script>`;

/** The package for an app that runs every memory in a worker. */
const IN_WORKER = `
  import { openMemory as open } from "${imports.mnemic}";
  export * from "${imports.mnemic}";
  export const openMemory = (options) => open({ worker: true, ...options });
`;
const PAGES = {
  "page.html": pageOf(imports),
  "worker.html": pageOf({ ...imports, mnemic: "./in-worker.js" }),
  "in-worker.js": IN_WORKER,
};

const documentOf = ({ name }) => name.split(":")[0];
// Those of whole Workers are run by cloudflare-guide.test.mjs, those with the AI SDK by ai-sdk-guide.test.mjs, those with LangGraph by
// langgraph-guide.test.mjs, and servers by mcp-guide.test.mjs.
const elsewhere = ["docs/guides/cloudflare.md", "docs/guides/ai-sdk.md", "docs/guides/langgraph.md", "docs/guides/mcp.md"];
const code = [...snippets("js"), ...snippets("ts")].filter((snippet) => !elsewhere.includes(documentOf(snippet)));
const isWorker = ({ source }) => source.includes("cloudflare:");
const isFile = ({ source }) => /^\/\/ \S+\.js$/m.test(source.split("\n")[0]);
const fileOf = ({ source }) => source.match(/^\/\/ (\S+)/)[1];
const isNode = ({ source }) => source.includes('"mnemic/node"');
const modules = code.filter((snippet) => !isWorker(snippet) && !isFile(snippet) && !isNode(snippet));

let project, server, browser;

before(async () => {
  project = await createProject(PAGES);
  server = await serve(project.folder);
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await server?.close();
  await project?.remove();
});

/** Opens a page of a fresh profile; `lines` is what it prints. */
async function freshPage(path) {
  const context = await browser.newContext();
  const lines = [];
  context.on("console", (message) => {
    if (message.type() === "log") lines.push(undated(message.text()));
  });
  await context.addInitScript(standIns);
  return { context, lines, ...(await openPage(context, server.url + path)) };
}

describe("JavaScript", () => {
  test("there is some", () => assert.ok(modules.length >= 6, `only ${modules.length}`));

  // What only a page has, or only an own script in the worker can be given.
  const isOfPage = ({ source }) => /countTokens|mnemic\/(slim|inline)|localstorage|worker:/.test(source);
  const inWorker = modules.filter((snippet) => !isOfPage(snippet));
  const runs = [...modules.map((snippet) => ["page.html", snippet]), ...inWorker.map((snippet) => ["worker.html", snippet])];

  for (const [place, [start, { name, source }]] of runs.entries()) {
    const where = start === "page.html" ? "in a browser" : "in a worker of the browser";
    test(`${name} runs ${where}, prints what it says, and leaves a memory that learns`, async () => {
      await project.write(`snippet-${place}.js`, moduleOf(source));
      const { context, page, lines, complaints } = await freshPage(start);
      await page.evaluate(async (path) => {
        await import(new URL(path, location));
      }, `snippet-${place}.js`);
      assert.deepEqual(lines, printed(source));
      assert.equal(page.workers().length > 0, start === "worker.html" || source.includes("worker: true"));
      const learned = await page.evaluate(async () => {
        const user = memory.scope({ userId: "somebody else" });
        await user.remember({ role: "user", content: "I live in Lisbon. I keep bees." });
        await user.flush();
        const { failed } = await memory.idle();
        return { failed, facts: (await user.facts.list()).map(({ text }) => text), usage: await memory.usage() };
      });
      assert.deepEqual(learned.failed, []);
      const hasModel = /\bllm(:|\(| })/.test(source);
      const expected = hasModel ? "The user keeps bees." : "The user lives in Lisbon.";
      assert.deepEqual(learned.facts, /\breview: true/.test(source) ? [] : [expected]);
      assert.equal(learned.usage.failures, 0);
      assert.equal("embed" in learned.usage.byPurpose, source.includes("embed:"));
      assert.deepEqual(complaints, []);
      await context.close();
    });
  }

  const chatting = modules.findIndex(({ source }) => source.includes("function chat("));

  test("the chat remembers what it was told, after a reload and in another thread", async () => {
    await project.write("chatting.js", moduleOf(modules[chatting].source));
    await project.write("tomorrow.js", moduleOf(modules[chatting].source.replaceAll('"today"', '"tomorrow"')));
    const { context, page } = await freshPage("page.html");
    const chat = (path, words) =>
      page.evaluate(
        async ([path, words]) => {
          await import(new URL(path, location));
          const answer = await globalThis.chat(words);
          await memory.idle();
          return [answer, asked.at(-1)];
        },
        [path, words],
      );
    const [answer, first] = await chat("chatting.js", "I live in Lisbon.");
    assert.equal(answer, "You said: I live in Lisbon.");
    assert.doesNotMatch(first, /<memory>/);
    const [, second] = await chat("chatting.js", "What's up?");
    assert.match(second, /<memory>\nOther facts:\n- The user lives in Lisbon\..*\n<\/memory>\nI live in Lisbon\.\nYou said/);
    await page.reload();
    const [, third] = await chat("tomorrow.js", "Where do I live?");
    assert.match(third, /The user lives in Lisbon\./);
    await context.close();
  });

  /** What was said before the last messages of a long chat was in neither part of the prompt. */
  test("the chat tells the model what was said in the middle of a long conversation, and nothing twice", async () => {
    await project.write("long.js", moduleOf(modules[chatting].source));
    const { context, page } = await freshPage("page.html");
    const said = await page.evaluate(
      async ([path, words]) => {
        await import(new URL(path, location));
        await chat("The mast of my boat broke in Faro.");
        for (let turn = 0; turn < 12; turn += 1) await chat(`Tell me joke ${turn}.`);
        await chat(words);
        return asked.at(-1);
      },
      ["long.js", "What happened to the mast of my boat?"],
    );
    assert.match(said, /<memory>[^]*broke in Faro[^]*<\/memory>/);
    // Once as it was said, and once as the model repeated it.
    assert.equal(said.split("Tell me joke 11.").length - 1, 2, said);
    await context.close();
  });

  // Files of a document without a page: the last one is the page's script.
  const files = code.filter((snippet) => isFile(snippet) && !snippets("html").some((page) => documentOf(page) === documentOf(snippet)));
  for (const document of new Set(files.map(documentOf))) {
    test(`the scripts of ${document} work together`, async () => {
      await project.write("tokens.js", "export const countTokens = (text) => text.length;");
      const scripts = files.filter((snippet) => documentOf(snippet) === document);
      for (const { source } of scripts) {
        // A worker has no import map.
        const code = source.replace('"mnemic/worker"', '"./node_modules/mnemic/worker/index.js"');
        await project.write(fileOf({ source }), code.includes("openMemory(") ? moduleOf(code) : code);
      }
      const { context, page, complaints } = await freshPage("page.html");
      const told = await page.evaluate(async (path) => {
        await import(new URL(path, location));
        const user = memory.scope({ userId: "somebody" });
        await user.remember({ role: "user", content: "I keep bees." });
        await memory.idle();
        return (await user.recall("bees")).items.map(({ text, tokens }) => [text.length, tokens]);
      }, fileOf(scripts.at(-1)));
      assert.ok(told.length > 0 && page.workers().length === 1);
      for (const [length, tokens] of told) assert.ok(tokens >= length, `${tokens} tokens of ${length} characters`);
      assert.deepEqual(complaints, []);
      await context.close();
    });
  }

  for (const { name, source } of code.filter(isWorker)) {
    test(`${name} runs in workerd`, async () => {
      const entry = `${source}\nexport default { fetch: (request, env) => env.OBJECT.get(env.OBJECT.idFromName("a")).fetch(request) };`;
      await project.write("worker.js", entry);
      const worker = await startWorker(await bundleWorker(project, "worker.js"), "Chat", project.path("kept"));
      try {
        const threads = await worker.ask("remember", "I live in Lisbon.");
        assert.deepEqual(threads.map(({ messages }) => messages), [1]);
      } finally {
        await worker.stop();
      }
    });
  }
});

describe("Node", () => {
  for (const [place, { name, source }] of code.filter(isNode).entries()) {
    test(`${name} prints what it says, and ends`, async () => {
      const lines = printed(source);
      assert.notEqual(lines.length, 0);
      const path = await project.write(`node-${place}.mjs`, source);
      assert.equal(undated(await runWithSqlite(project, path)), `${lines.join("\n")}\n`);
    });
  }
});

describe("HTML", () => {
  const isPage = ({ source }) => source.startsWith("<!doctype");
  for (const [place, { name, source }] of snippets("html").filter(isPage).entries()) {
    test(`${name} works under its own policy, with the script that goes with it`, async () => {
      assert.match(source, /content-security-policy/);
      const scripts = code.filter((snippet) => isFile(snippet) && documentOf(snippet) === documentOf({ name }));
      for (const script of scripts) await project.write(fileOf(script), script.source);
      await project.write(`page-${place}.html`, source);
      const { context, page, lines, complaints } = await freshPage(`page-${place}.html`);
      const expected = scripts.flatMap((script) => printed(script.source));
      assert.notEqual(expected.length, 0);
      while (lines.length < expected.length && complaints.length === 0) {
        await page.waitForEvent("console", { timeout: 30_000 }).catch((error) => complaints.push(String(error)));
      }
      assert.deepEqual([lines, complaints], [expected, []]);
      await context.close();
    });
  }
});

describe("the shell", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const { name } = JSON.parse(readFileSync(join(root, "pkg-template/package.json"), "utf8"));

  /** Why a line cannot work; undefined when it can. */
  function fault(line) {
    const [program, command, ...rest] = line.replace(/^[A-Z]+="[^"]*" /, "").split(" ");
    if (program === "cargo") return ["test", "doc", "fmt", "clippy", "bench"].includes(command) ? undefined : "an unknown command";
    if (program !== "npm") return "neither npm nor cargo";
    if (command === "install") return rest.join(" ") === name ? undefined : "another package";
    const script = command === "run" ? rest[0] : command;
    if (!Object.hasOwn(scripts, script)) return `no script ${script}`;
    const group = line.match(/ -- --only (\S+)$/)?.[1];
    return group === undefined || Object.hasOwn(groups, group) ? undefined : `no group ${group}`;
  }

  test("every command is one there is", () => {
    const lines = snippets("sh").flatMap(({ name: place, source }) =>
      source.split("\n").map((line) => line.replace(/\s+#.*/, "").trim()).filter(Boolean).map((line) => [place, line]),
    );
    assert.ok(lines.length >= 3);
    assert.deepEqual(lines.map(([place, line]) => [place, line, fault(line)]).filter(([, , wrong]) => wrong), []);
    assert.equal(fault("npm run dance"), "no script dance");
  });
});

/** Why a link of a document leads nowhere; undefined when it leads somewhere. */
function fault(path, target) {
  if (/^[a-z]+:/.test(target)) return undefined;
  const [file, anchor] = target.split("#");
  const place = file === "" ? path : join(dirname(path), file);
  if (!existsSync(join(root, place))) return "no such file";
  return anchor === undefined || anchors(textOf(place)).includes(anchor) ? undefined : "no such heading";
}

test("every link inside the repository leads to a file and a heading that exist", () => {
  const broken = documents.flatMap((path) =>
    links(textOf(path)).filter((target) => fault(path, target) !== undefined).map((target) => `${path}: ${target}: ${fault(path, target)}`),
  );
  assert.deepEqual(broken, []);
  assert.equal(fault("README.md", "docs/no-such-guide.md"), "no such file");
  assert.equal(fault("README.md", "docs/design.md#no-such-heading"), "no such heading");
});

test("every guide can be reached from the README", () => {
  const reached = new Set();
  const queue = ["README.md"];
  for (let path; (path = queue.pop()) !== undefined; ) {
    if (reached.has(path)) continue;
    reached.add(path);
    for (const target of links(textOf(path))) if (/^[^:#]+\.md(#|$)/.test(target)) queue.push(join(dirname(path), target.split("#")[0]));
  }
  assert.deepEqual(documents.filter((path) => !reached.has(path)), []);
});

test("the README has at most 1500 words", () => {
  const words = textOf("README.md").trim().split(/\s+/).length;
  assert.ok(words <= 1500, `${words} words; move details to docs/guides`);
});

test("the package holds this README and both licences", () => {
  for (const name of ["README.md", "LICENSE-MIT", "LICENSE-APACHE"]) {
    assert.equal(readFileSync(project.path("node_modules/mnemic", name), "utf8"), readFileSync(join(root, name), "utf8"), name);
  }
});
