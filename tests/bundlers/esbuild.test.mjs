/** esbuild for pages and for Node: it copies no modules, so the apps take `mnemic/inline`. */
import assert from "node:assert/strict";
import { copyFile, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRequire } from "node:module";
import { before, test } from "node:test";
import { at, clean, installPackage, run } from "./support/project.mjs";
import { assertBuilt, assertPrinted, withBrowser } from "./support/told.mjs";

const app = "esbuild";

withBrowser();
before(async () => {
  await installPackage();
  clean(app);
});

const build = (options) => {
  const esbuild = createRequire(at(app, "package.json"))("esbuild");
  return esbuild.build({ absWorkingDir: at(app), bundle: true, format: "esm", minify: true, logLevel: "silent", ...options });
};

/** Builds one file for Node and runs it where there is no node_modules. */
async function runApart(options) {
  const folder = await mkdtemp(join(tmpdir(), "mnemic-esbuild-"));
  try {
    const outfile = join(folder, "app.mjs");
    await build({ platform: "node", outfile, ...options });
    return await run(app, process.execPath, [outfile], { cwd: folder });
  } finally {
    await rm(folder, { recursive: true });
  }
}

test("esbuild: a page in one file, and its worker", async () => {
  await build({ entryPoints: ["main.js", "worker.js"], outdir: "dist/one" });
  assert.deepEqual((await readdir(at(app, "dist/one"))).sort(), ["main.js", "worker.js"]);
  await copyFile(at(app, "index.html"), at(app, "dist/one/index.html"));
  await assertBuilt(at(app, "dist/one"), { storages: ["indexeddb", "indexeddb", "opfs"], workers: 2 });
});

test("esbuild: a page in pieces, one for each module", async () => {
  await build({ entryPoints: ["main.js", "worker.js"], outdir: "dist/split", splitting: true });
  assert.ok((await readdir(at(app, "dist/split"))).length >= 6);
  await copyFile(at(app, "index.html"), at(app, "dist/split/index.html"));
  await assertBuilt(at(app, "dist/split"), { storages: ["indexeddb", "indexeddb", "opfs"], workers: 2 });
});

test("esbuild: for Node, in one file that needs nothing else", async () => {
  assertPrinted(await runApart({ entryPoints: ["main.node.js"] }));
});

test("esbuild: for Node, with the modules of the installed package", async () => {
  await build({ platform: "node", entryPoints: ["beside.node.js"], outfile: "dist/beside.mjs" });
  assertPrinted(await run(app, process.execPath, ["dist/beside.mjs"]));
});

test("esbuild: for Node, with no modules to be found, the error says what to do", async () => {
  await assert.rejects(runApart({ entryPoints: ["beside.node.js"] }), /LoadError.*mnemic\/inline/s);
});
