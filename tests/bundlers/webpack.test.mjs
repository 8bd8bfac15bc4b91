/** webpack 5, without configuration beyond the entry. */
import assert from "node:assert/strict";
import { copyFile, readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { before, test } from "node:test";
import { at, clean, installPackage } from "./support/project.mjs";
import { assertBuilt, withBrowser } from "./support/told.mjs";

const app = "webpack-5";

withBrowser();
before(installPackage);

test("webpack-5: built", async () => {
  clean(app);
  const webpack = createRequire(at(app, "package.json"))("webpack");
  const compiler = webpack({ mode: "production", context: at(app), entry: "./main.js", output: { path: at(app, "dist") } });
  const stats = await new Promise((resolve, reject) => compiler.run((error, stats) => (error ? reject(error) : resolve(stats))));
  await new Promise((resolve) => compiler.close(resolve));
  assert.deepEqual(stats.toJson({ all: false, errors: true }).errors, []);
  assert.equal((await readdir(at(app, "dist"))).filter((file) => file.endsWith(".wasm")).length, 6);
  await copyFile(at(app, "index.html"), at(app, "dist/index.html"));
  await assertBuilt(at(app, "dist"));
});
