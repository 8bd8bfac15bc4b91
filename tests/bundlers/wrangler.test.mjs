/** Cloudflare's wrangler: what it would upload, and its development server, which runs workerd. */
import assert from "node:assert/strict";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, test } from "node:test";
import { told } from "./told.js";
import { at, clean, installPackage, scriptOf, tool, withServer } from "./support/project.mjs";

const app = "wrangler";
const SCRIPT = "wrangler/bin/wrangler.js";

before(async () => {
  await installPackage();
  clean(app);
});

test("wrangler: what is uploaded has each module", async () => {
  await tool(app, SCRIPT, ["deploy", "--dry-run", "--outdir", "dist"]);
  const files = await readdir(at(app, "dist"));
  assert.equal(files.filter((file) => file.endsWith(".wasm")).length, 6, files.join());
});

test("wrangler: on the development server", async () => {
  const folder = await mkdtemp(join(tmpdir(), "mnemic-wrangler-"));
  try {
    const args = [scriptOf(app, SCRIPT), "dev", "--port", "0", "--inspector-port", "0", "--persist-to", folder, "--show-interactive-dev-session=false"];
    await withServer(args, { cwd: at(app) }, /Ready on (http:\S+)/, async (url) => {
      assert.deepEqual(await (await fetch(url)).json(), told("object"));
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});
