/** Programs in Node, by `import` and by `require`, in Bun and in Deno, as they stand and bundled by Bun. */
import { before, test } from "node:test";
import { at, clean, installPackage, run } from "./support/project.mjs";
import { assertPrinted } from "./support/told.mjs";

const app = "runtimes";
const bun = at("node_modules/@oven/bun-linux-x64/bin/bun");
const deno = at("node_modules/@deno/linux-x64-glibc/deno");

before(async () => {
  await installPackage();
  clean(app);
});

test("node: import", async () => {
  assertPrinted(await run(app, process.execPath, ["memory.mjs"]));
});

test("node: require", async () => {
  assertPrinted(await run(app, process.execPath, ["memory.cjs"]));
});

test("bun", async () => {
  assertPrinted(await run(app, bun, ["memory.mjs"]));
});

test("bun: bundled, with the modules of the installed package", async () => {
  await run(app, bun, ["build", "memory.mjs", "--target", "bun", "--outdir", "dist"]);
  assertPrinted(await run(app, bun, ["dist/memory.js"]));
});

test("deno", async () => {
  assertPrinted(await run(app, deno, ["run", "--no-remote", "--allow-read", "memory.mjs"]));
});
