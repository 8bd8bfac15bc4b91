/** What publint and "Are the types wrong?" say of the tarball, and where its documents lead. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { root, tarball } from "../package/support/tarball.mjs";
import { at, installPackage } from "./support/project.mjs";

before(installPackage);

/** Imports a package that only this folder has. */
const imported = async (name) => import(pathToFileURL(createRequire(at("checks/package.json")).resolve(name)).href);

test("publint has nothing to say", async () => {
  const { publint } = await imported("publint");
  const { formatMessage } = await imported("publint/utils");
  const { messages, pkg } = await publint({ pkgDir: at("node_modules/mnemic"), pack: false });
  // The field `browser` is for bundlers that do not read `exports`, which says the same.
  const faults = messages.filter(({ code }) => code !== "USE_EXPORTS_BROWSER");
  assert.deepEqual(faults.map((message) => formatMessage(message, pkg, { color: false })), []);
});

test("every entry has types in every way of resolving, and they are right", async () => {
  const { checkPackage, createPackageFromTarballData } = await imported("@arethetypeswrong/core");
  const { problems, entrypoints } = await checkPackage(createPackageFromTarballData(new Uint8Array(await readFile(tarball()))));
  const { exports } = JSON.parse(await readFile(at("node_modules/mnemic/package.json"), "utf8"));
  assert.deepEqual(Object.keys(entrypoints).sort(), Object.keys(exports).sort());
  // There is no second copy for CommonJS: since Node 20.19 `require` loads modules. Whatever else is found is a fault.
  assert.deepEqual(problems.filter(({ kind }) => kind !== "CJSResolvesToESM"), []);
});

test("the guide names the versions that are tried", async () => {
  const guide = await readFile(join(root, "docs/guides/bundlers.md"), "utf8");
  const { workspaces } = JSON.parse(await readFile(at("package.json"), "utf8"));
  const tools = { next: "Next.js", "@oven/bun-linux-x64": "Bun", "@deno/linux-x64-glibc": "Deno" };
  const named = /^(?:next|vite|vitest|webpack|parcel|esbuild|rollup|wrangler|@oven\/.*|@deno\/.*)$/;
  const missing = [];
  for (const app of workspaces) {
    const { dependencies } = JSON.parse(await readFile(at(app, "package.json"), "utf8"));
    for (const [name, version] of Object.entries(dependencies).filter(([name]) => named.test(name))) {
      const [tool, short] = [tools[name] ?? name, version.split(".").slice(0, 2).join(".")];
      const isNamed = guide.split("\n").some((line) => line.toLowerCase().startsWith(`| ${tool.toLowerCase()}`) && line.includes(short));
      if (!isNamed) missing.push(`${tool} ${short}`);
    }
  }
  assert.deepEqual(missing, []);
});

test("every link of the packed documents leads to a file that is packed", async () => {
  const folder = at("node_modules/mnemic");
  const documents = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith(".md"));
  assert.ok(documents.includes("README.md") && documents.includes(join("docs", "guides", "bundlers.md")));
  const dead = [];
  let links = 0;
  for (const document of documents) {
    const text = (await readFile(join(folder, document), "utf8")).replaceAll(/^```[^]*?^```/gm, "");
    for (const [, target] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^(https?:|#)/.test(target)) continue;
      links += 1;
      if (!existsSync(join(folder, dirname(document), target.replace(/#.*/, "")))) dead.push(`${document}: ${target}`);
    }
  }
  assert.ok(links > 50, `${links} links`);
  assert.deepEqual(dead, []);
});
