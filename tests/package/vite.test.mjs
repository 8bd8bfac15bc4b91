/** The package in an app made with Vite: built, and on its development server. */
import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { after, before, test } from "node:test";
import { build, createServer } from "vite";
import { launch, openPage } from "./support/browser.mjs";
import { createProject } from "./support/project.mjs";
import { serve } from "./support/server.mjs";

const APP = {
  "index.html": '<!doctype html><link rel="icon" href="data:,"><output></output><script type="module" src="/main.js"></script>',
  "main.js": `
    import { openMemory } from "mnemic";
    import { openAICompatible } from "mnemic/adapters";

    const output = document.querySelector("output");
    try {
      const memory = await openMemory({ name: "vite", llm: openAICompatible && undefined });
      const user = memory.scope({ userId: "alice" });
      await user.facts.add("Alice builds with Vite");
      await user.remember({ role: "user", content: "I live in Porto." });
      await memory.idle();
      const texts = (await user.facts.list()).map(({ text }) => text).sort();
      output.value = [...texts, (await user.graph.read_graph()).entities.length].join();
    } catch (error) {
      output.value = error.message;
    }
  `,
};

/** A fact, what the rules make of a message, and how much of a graph there is: something of every module. */
const LEARNED = "Alice builds with Vite,The user lives in Porto.,0";

let project, browser;

before(async () => {
  project = await createProject(APP);
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await project?.remove();
});

async function outputOf(url) {
  const { page, complaints } = await openPage(await browser.newContext(), url);
  const text = await (await page.waitForFunction(() => document.querySelector("output")?.value)).jsonValue();
  return { text, complaints };
}

test("built, it works, and each module is emitted once", async () => {
  await build({ root: project.folder, logLevel: "error", configFile: false });
  const files = await readdir(project.path("dist"), { recursive: true });
  assert.equal(files.filter((file) => file.endsWith(".wasm")).length, 5, files.join());
  const server = await serve(project.path("dist"));
  try {
    assert.deepEqual(await outputOf(server.url), { text: LEARNED, complaints: [] });
  } finally {
    await server.close();
  }
});

test("on the development server, it works with no configuration", async () => {
  const server = await createServer({
    root: project.folder,
    cacheDir: project.path(".vite"),
    logLevel: "error",
    configFile: false,
    server: { host: "localhost", port: 0 },
  });
  try {
    await server.listen();
    assert.deepEqual(await outputOf(server.resolvedUrls.local[0]), { text: LEARNED, complaints: [] });
  } finally {
    await server.close();
  }
});
