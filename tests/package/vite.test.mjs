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
      output.value = (await user.facts.list()).map(({ text }) => text).join();
    } catch (error) {
      output.value = error.message;
    }
  `,
};

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

test("built, it works, and the module is emitted once", async () => {
  await build({ root: project.folder, logLevel: "error", configFile: false });
  const files = await readdir(project.path("dist"), { recursive: true });
  assert.equal(files.filter((file) => file.endsWith(".wasm")).length, 1, files.join());
  const server = await serve(project.path("dist"));
  try {
    assert.deepEqual(await outputOf(server.url), { text: "Alice builds with Vite", complaints: [] });
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
    assert.deepEqual(await outputOf(server.resolvedUrls.local[0]), { text: "Alice builds with Vite", complaints: [] });
  } finally {
    await server.close();
  }
});
