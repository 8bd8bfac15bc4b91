/** What a script reaches, in each of the ways in which scripts refer to one another. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { after, test } from "node:test";
import { reach } from "../../scripts/build/reach.mjs";

const folder = mkdtempSync(join(tmpdir(), "mnemic-reach-"));
after(() => rmSync(folder, { recursive: true }));

function write(files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

const reached = (path) => reach(join(folder, path)).map((file) => relative(folder, file)).sort();

test("imports, exports, later imports and workers are followed, around circles too", () => {
  write({
    "entry/a.js": 'import { b } from "../b.js";\nimport "./c.js";\nexport * from "../d.js";\nimport { readFile } from "node:fs/promises";',
    "b.js": 'const later = () => import("./e.js");',
    "entry/c.js": 'new Worker(new URL("../worker/f.js", import.meta.url), { type: "module" });',
    "d.js": 'import first from "./first.wasm";\nconst url = new URL("./g.wasm", import.meta.url);',
    "e.js": 'export { b } from "./b.js";',
    "worker/f.js": "",
    "apart.js": "",
  });
  assert.deepEqual(reached("entry/a.js"), ["b.js", "d.js", "e.js", "entry/a.js", "entry/c.js", "worker/f.js"]);
  assert.deepEqual(reached("apart.js"), ["apart.js"]);
});

test("a file that is not there is an error", () => {
  write({ "broken.js": 'import "./gone.js";' });
  assert.throws(() => reached("broken.js"), /gone\.js/);
});
