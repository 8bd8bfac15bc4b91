/** Rollup with its resolver: it copies no modules, so the app takes `mnemic/inline`. */
import assert from "node:assert/strict";
import { copyFile, readdir } from "node:fs/promises";
import { before, test } from "node:test";
import { at, clean, installPackage, tool } from "./support/project.mjs";
import { assertBuilt, withBrowser } from "./support/told.mjs";

const app = "rollup";

withBrowser();
before(installPackage);

test("rollup: built", async () => {
  clean(app);
  await tool(app, "rollup/dist/bin/rollup", ["main.js", "worker.js", "--format", "es", "--dir", "dist", "--plugin", "node-resolve", "--silent"]);
  const modules = (await readdir(at(app, "dist"))).filter((file) => file.startsWith("mnemic_"));
  assert.equal(modules.length, 6, "each module is loaded by itself");
  await copyFile(at(app, "index.html"), at(app, "dist/index.html"));
  await assertBuilt(at(app, "dist"), { storages: ["indexeddb", "indexeddb", "opfs"], workers: 2 });
});
