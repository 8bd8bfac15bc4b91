/** The package names the licences of all that is compiled into it. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import test from "node:test";
import { at, root } from "../../scripts/project.mjs";

/** The crates below a heading of the file, up to the next one that stands alone. */
const named = (text) => text.slice(text.indexOf("Crates that are compiled")).match(/^(?!Under|Crates|=)\S.*$/gm).flatMap((line) => (line.includes(",") ? [line.split(",")[0]] : line.split(" ")));

test("every crate in the modules is named with its licence", () => {
  const tree = ["tree", "--locked", "--package", "mnemic", "--edges", "normal,no-proc-macro", "--target", "wasm32-unknown-unknown", "--prefix", "none", "--format", "{p}|{l}"];
  const crates = new Map(execFileSync("cargo", tree, { cwd: root, encoding: "utf8" }).split("\n").filter(Boolean).map((line) => {
    const [crate, licence] = line.replace(" (*)", "").split("|");
    return [crate.split(" ")[0], licence];
  }));
  for (const own of ["mnemic", "mnemic-core"]) assert.ok(crates.delete(own), own);
  const text = readFileSync(at("LICENSE-THIRD-PARTY"), "utf8");
  assert.deepEqual(named(text).sort(), [...crates.keys()].sort());
  const [apache] = text.split("Under the Apache License 2.0 (")[1].split("Under MIT (");
  for (const [crate, licence] of crates) assert.equal(apache.split(/\s+/).includes(crate), /^(?:MIT OR Apache-2\.0|Apache-2\.0 OR MIT)$/.test(licence), `${crate}: ${licence}`);
});
