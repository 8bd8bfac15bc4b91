/** Vite 6, 7 and 8: the built app and the development server, which before 8 needs a line of configuration. Vitest with the last. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { at, clean, installPackage, tool } from "./support/project.mjs";
import { assertBuilt, assertPage, visit, withBrowser } from "./support/told.mjs";

withBrowser();
before(installPackage);

for (const app of ["vite-6", "vite-7", "vite-8"]) {
  test(`${app}: built`, async () => {
    clean(app);
    await tool(app, "vite/bin/vite.js", ["build", "--logLevel", "warn"]);
    const files = await readdir(at(app, "dist"), { recursive: true });
    assert.equal(files.filter((file) => file.endsWith(".wasm")).length, 6, files.join());
    await assertBuilt(at(app, "dist"));
  });

  test(`${app}: on the development server`, async () => {
    await withServer(app, {}, (url) => assertPage(url));
  });
}

test("vite-7 without its line: the error says it", async () => {
  await withServer("vite-7", { configFile: false }, async (url) => {
    const { answer } = await visit(url);
    assert.match(answer, /set optimizeDeps\.exclude to \["mnemic"\]/);
  });
});

/** Starts the development server of an app's own Vite, with nothing that it knew before. */
async function withServer(app, options, use) {
  rmSync(at(app, "node_modules/.vite"), { recursive: true, force: true });
  const { createServer } = await import(pathToFileURL(createRequire(at(app, "package.json")).resolve("vite")).href);
  const server = await createServer({ root: at(app), logLevel: "error", server: { host: "localhost", port: 0 }, ...options });
  try {
    await server.listen();
    await use(server.resolvedUrls.local[0]);
  } finally {
    await server.close();
  }
}

test("vitest", async () => {
  await tool("vite-8", "vitest/vitest.mjs", ["run"]);
});
