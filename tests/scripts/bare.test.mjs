/** Commands start on a machine where nothing is installed yet: what they load before the set-up must need no package. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import test from "node:test";
import { at } from "../../scripts/project.mjs";

/** The files that are loaded with one, and the packages that they need. */
function loadedWith(script) {
  const files = new Set([script]);
  const packages = new Set();
  for (const file of files) {
    for (const [, name] of readFileSync(file, "utf8").matchAll(/^(?:import|export)\b(?:[^;("]*\bfrom)? "([^"]+)";$/gm)) {
      if (name.startsWith(".")) files.add(join(dirname(file), name));
      else if (!name.startsWith("node:")) packages.add(`${name} in ${file}`);
    }
  }
  return { files: files.size, packages: [...packages] };
}

for (const command of ["setup", "start", "build", "test", "docs"]) {
  test(`npm run ${command} begins without a package`, () => {
    const { files, packages } = loadedWith(at("scripts", `${command}.mjs`));
    assert.deepEqual(packages, []);
    assert.ok(files >= 5, `${files} files`);
  });
}

test("a package would be found", () => assert.notDeepEqual(loadedWith(at("scripts/docs/site.mjs")).packages, []));
