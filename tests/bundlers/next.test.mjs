/** Next.js 15 and 16, by webpack and by Turbopack: a page in the browser and a route handler, in place and as a folder that is moved. */
import assert from "node:assert/strict";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, test } from "node:test";
import { told } from "./told.js";
import { at, clean, installPackage, scriptOf, tool, withServer } from "./support/project.mjs";
import { assertPage, withBrowser } from "./support/told.mjs";

withBrowser();
before(installPackage);

const SCRIPT = "next/dist/bin/next";

const ADDRESS = /(http:\/\/localhost:\d+)/;

/** Fails unless the page and these route handlers work. */
async function assertApp(url, handlers, options) {
  for (const handler of handlers) {
    const response = await fetch(new URL(`api/${handler}`, url));
    assert.deepEqual(await response.json(), told("memory"), handler);
  }
  await assertPage(url, options);
}

for (const [app, way, flags] of [["next-15", "webpack", []], ["next-16", "turbopack", []]]) {
  test(`${app} by ${way}, without configuration`, async () => {
    clean(app, ".next");
    await tool(app, SCRIPT, ["build", ...flags], { env: { NEXT_PUBLIC_SHARED: "1" } });
    const server = [scriptOf(app, SCRIPT), "start", "--port", "0"];
    await withServer(server, { cwd: at(app) }, ADDRESS, (url) => assertApp(url, ["memory", "inline"]));
  });
}

// The Turbopack of Next.js 15 makes no scripts for shared workers.
for (const [app, way, flags, storages] of [["next-15", "turbopack", ["--turbopack"], ["indexeddb", "opfs"]], ["next-16", "webpack", ["--webpack"]]]) {
  test(`${app} by ${way}, standalone`, async () => {
    clean(app, ".next");
    await tool(app, SCRIPT, ["build", ...flags], { env: { STANDALONE: "1" } });
    const folder = await mkdtemp(join(tmpdir(), "mnemic-next-"));
    try {
      await cp(at(app, ".next/standalone"), folder, { recursive: true, verbatimSymlinks: true });
      await cp(at(app, ".next/static"), join(folder, app, ".next/static"), { recursive: true });
      const options = { cwd: folder, env: { PORT: "0", HOSTNAME: "localhost" } };
      // The modules were left behind: only those in scripts are there.
      await withServer([join(folder, app, "server.js")], options, ADDRESS, (url) => assertApp(url, ["inline"], { storages }));
    } finally {
      await rm(folder, { recursive: true });
    }
  });
}
