/**
 * Measures speed: the native benches with criterion's short runs, then the modules of benches/web.
 * `npm run bench -- --only runtimes` runs one of those alone, and `--only native` the native benches.
 *
 *   npm run bench -- --peers [--only AXIS[:SIZE]] [--data FOLDER] [--write]
 *
 * measures mnemic and other libraries instead, in one run, and prints the tables of docs/peers.md, or writes them there. The axes are node,
 * chromium, words, memories and size; a folder, in the form of scripts/eval/set.mjs, adds sentences that people wrote to the words.
 */
import { readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { build } from "./build.mjs";
import { run } from "./command.mjs";
import { filesIn } from "./digest.mjs";
import { say } from "./log.mjs";
import { measureFolder, reportMeasurements } from "./measurements.mjs";
import { program } from "./program.mjs";
import { at, root, targetsIn } from "./project.mjs";
import { needs, setUp } from "./setup.mjs";

/** Criterion keeps the newest result of each bench in a folder named `new`. */
function criterionResults(since) {
  return filesIn(at("target/criterion"))
    .filter((file) => file.endsWith("/new/estimates.json") && statSync(file).mtimeMs >= since)
    .map((file) => {
      const { full_id: name } = JSON.parse(readFileSync(`${dirname(file)}/benchmark.json`, "utf8"));
      const { median } = JSON.parse(readFileSync(file, "utf8"));
      return { source: "benches", name, value: median.point_estimate / 1000, unit: "us" };
    });
}

async function nativeBenches() {
  const names = await targetsIn("benches", "bench");
  if (names.length === 0) {
    say("benches: none there");
    return [];
  }
  const start = Date.now();
  const targets = names.flatMap((name) => ["--bench", name]);
  await run("cargo", ["bench", "--locked", "--target-dir", at("target"), ...targets, "--", "--quick", "--noplot"], { cwd: root });
  return criterionResults(start);
}

await program(import.meta.url, async () => {
  const options = { only: { type: "string" }, peers: { type: "boolean" }, data: { type: "string" }, write: { type: "boolean" }, json: { type: "boolean" } };
  const { only, peers, data, write } = parseArgs({ options }).values;
  await setUp(peers ? [...needs.module, ...needs.tests, ...needs.peers] : undefined);
  await build();
  if (peers) {
    // Its modules import what only they need.
    const { measurePeers } = await import("../benches/peers/peers.mjs");
    return reportMeasurements(await measurePeers(only, data, write));
  }
  reportMeasurements([
    ...(only === undefined || only === "native" ? await nativeBenches() : []),
    ...(only === "native" ? [] : await measureFolder("benches/web", only)),
  ]);
});
