/** Parcel, which knows `exports` only when it is told so, and takes the old fields of package.json otherwise. */
import assert from "node:assert/strict";
import { cp, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, test } from "node:test";
import { at, installPackage, tool } from "./support/project.mjs";
import { assertBuilt, withBrowser } from "./support/told.mjs";

withBrowser();
before(installPackage);

for (const packageExports of [false, true]) {
  test(`parcel: built, packageExports: ${packageExports}`, async () => {
    // The setting belongs into the manifest of the whole project, so the app gets one to itself.
    const project = await mkdtemp(join(tmpdir(), "mnemic-parcel-"));
    try {
      await cp(at("conversation.js"), join(project, "conversation.js"));
      await cp(at("parcel"), join(project, "parcel"), { recursive: true });
      await symlink(at("node_modules"), join(project, "node_modules"));
      await writeFile(join(project, "package-lock.json"), "{}");
      await writeFile(join(project, "package.json"), JSON.stringify({ "@parcel/resolver-default": { packageExports } }));
      const options = ["--no-cache", "--no-source-maps", "--log-level", "warn"];
      await tool("parcel", "parcel/lib/bin.js", ["build", "parcel/index.html", ...options], { cwd: project });
      const files = await readdir(join(project, "dist"));
      assert.equal(files.filter((file) => file.endsWith(".wasm")).length, 6, files.join());
      await assertBuilt(join(project, "dist"), { strict: false });
    } finally {
      await rm(project, { recursive: true });
    }
  });
}
