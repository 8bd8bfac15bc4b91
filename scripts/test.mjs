/**
 * Runs every check and test, two stages at a time, and starts no further one after a failure.
 * `npm test -- --only rust` (or wasm, package, bundlers, soak, e2e, docs) runs one group, with what it needs.
 */
import { readdirSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { build } from "./build.mjs";
import { wasmCargo } from "./build/wasm.mjs";
import { CommandFailed, run } from "./command.mjs";
import { countTests } from "./counts.mjs";
import { buildDemo } from "./demo.mjs";
import { buildDocs } from "./docs/build.mjs";
import { say, seconds, table } from "./log.mjs";
import { Missing } from "./missing.mjs";
import { explain, Failure, program } from "./program.mjs";
import { at, root, targetsIn } from "./project.mjs";
import { runStages } from "./stages.mjs";
import { needs, setUp } from "./setup.mjs";

/** The groups, and what the machine must have for each. */
export const groups = {
  rust: [...needs.native, ...needs.lints],
  wasm: [...needs.module, ...needs.lints, ...needs.tests],
  package: [...needs.module, ...needs.tests, ...needs.examples],
  bundlers: [...needs.module, ...needs.tests, ...needs.bundlers],
  soak: [...needs.module, ...needs.tests],
  e2e: [...needs.module, ...needs.tests],
  docs: [...needs.module, ...needs.tests],
};

/**
 * A stage starts when those it comes `after` are done and nothing else `uses` the same: cargo locks its folder. One browser at a time
 * runs beside cargo and Node; when these are done, two `share` the cores. `tests` marks those that must report at least one test;
 * `work` answers the output to count.
 */
const stages = [
  { name: "format", groups: ["rust"], work: () => cargo("format", "fmt", "--all", "--check") },
  { name: "lints", groups: ["rust"], after: ["format"], uses: ["cargo"], work: () => cargo("lints", "clippy", "--locked", "--all-targets", "--", "-D", "warnings") },
  { name: "native tests", groups: ["rust"], after: ["lints"], uses: ["cargo"], tests: true, work: () => cargo("native tests", "test", "--locked") },
  { name: "build", groups: ["package", "bundlers", "soak", "e2e", "docs"], work: build },
  { name: "script tests", groups: ["package"], after: ["build"], tests: true, work: () => nodeTests("script tests", filesIn("tests/scripts")) },
  { name: "package tests", groups: ["package"], after: ["build"], tests: true, work: () => nodeTests("package tests", filesIn("tests/package").filter((file) => !opensPages(file)), 2) },
  { name: "page tests", groups: ["package"], after: ["build"], shares: ["browser"], tests: true, work: () => nodeTests("page tests", filesIn("tests/package").filter(opensPages)) },
  { name: "bundler tests", groups: ["bundlers"], after: ["build"], shares: ["browser"], tests: true, work: () => nodeTests("bundler tests", filesIn("tests/bundlers")) },
  { name: "soak", groups: ["soak"], after: ["build"], shares: ["browser"], tests: true, work: () => nodeTests("soak", filesIn("tests/soak")) },
  { name: "docs", groups: ["docs"], after: ["build"], work: buildDocs },
  { name: "docs tests", groups: ["docs"], after: ["docs"], shares: ["browser"], tests: true, work: () => nodeTests("docs tests", filesIn("tests/docs")) },
  { name: "demo", groups: ["e2e"], after: ["build"], work: buildDemo },
  { name: "e2e tests", groups: ["e2e"], after: ["demo"], shares: ["browser"], tests: true, work: () => nodeTests("e2e tests", filesIn("tests/e2e")) },
  { name: "wasm lints", groups: ["wasm"], after: ["build"], uses: ["cargo"], work: () => wasmTargets("clippy", "wasm lints", ["--", "-D", "warnings"]) },
  { name: "wasm tests", groups: ["wasm"], after: ["wasm lints"], uses: ["cargo"], shares: ["browser"], tests: true, work: () => wasmTargets("test", "wasm tests") },
];

const cargo = (label, ...args) => run("cargo", args, { cwd: root, label });

/** Runs cargo on the library and the programs of browser tests; .cargo/config.toml says what runs those. */
async function wasmTargets(command, label, afterDashes) {
  const names = await targetsIn("tests/web", "test");
  const targets = names.flatMap((name) => ["--test", name]);
  return wasmCargo(command, [...(command === "clippy" ? ["--lib"] : []), ...targets], { afterDashes, label });
}

function filesIn(folder) {
  const files = readdirSync(at(folder)).filter((name) => name.endsWith(".test.mjs")).sort();
  if (files.length === 0) throw new Missing(`tests in ${folder}`, "name them *.test.mjs");
  return files.map((name) => at(folder, name));
}

/** Whether a file of tests starts a browser, or has its project served to one. */
const opensPages = (file) => /\/(browsers?|served)\.mjs"/.test(readFileSync(file, "utf8"));

function nodeTests(label, files, sideBySide = 1) {
  return run(process.execPath, ["--test", `--test-concurrency=${sideBySide}`, "--test-reporter=spec", ...files], { cwd: root, label });
}

/** Runs one stage and answers its row of the table. */
async function runStage({ name, tests, work }) {
  say(`\n=== ${name}`);
  const start = performance.now();
  const row = { name, state: "ok", passed: 0, failed: 0, skipped: 0, reasons: [] };
  try {
    const output = await work();
    if (tests) Object.assign(row, countTests(output));
    if (tests && row.passed === 0) throw new Failure("no test ran");
    if (row.failed > 0) throw new Failure(`${row.failed} tests failed`);
  } catch (error) {
    row.state = "FAILED";
    row.error = error;
    if (tests && error instanceof CommandFailed) Object.assign(row, countTests(error.output));
    // A runner that died before its closing line still is a failure.
    row.failed = Math.max(row.failed, 1);
  }
  row.duration = seconds(start);
  say(`=== ${name}: ${row.state}, ${row.duration}`);
  return row;
}

/** The end of a failed stage: its lines above stand among those of another one. */
function told({ name, error }) {
  const lines = error instanceof CommandFailed ? error.output.trimEnd().split("\n").slice(-80) : [];
  return [`\n=== ${name} failed: ${explain(error)}`, ...lines].join("\n");
}

async function test() {
  const { values } = parseArgs({ options: { only: { type: "string" } } });
  if (values.only !== undefined && !(values.only in groups)) {
    throw new Failure(`--only ${values.only}: there is no such group; there are ${Object.keys(groups).join(", ")}`);
  }
  const chosen = values.only === undefined ? Object.keys(groups) : [values.only];
  const pieces = new Set(chosen.flatMap((group) => groups[group]));
  const start = performance.now();
  const rows = [await runStage({ name: "set-up", work: () => setUp([...pieces]) })];
  const due = stages.filter((stage) => stage.groups.some((group) => chosen.includes(group)));
  if (!rows[0].error) rows.push(...(await runStages(due, runStage)));
  const failures = rows.filter(({ error }) => error);
  failures.forEach((row) => say(told(row)));
  say(`\n${table([
    ["stage", "state", "time", "passed", "failed", "skipped"],
    ...rows.map(({ name, state, duration, passed, failed, skipped }) => [name, state, duration, passed, failed, skipped]),
  ])}\n\nall in ${seconds(start)}`);
  const reasons = rows.flatMap(({ reasons }) => reasons);
  if (reasons.length > 0) say(`skipped:\n${reasons.map((reason) => `  ${reason}`).join("\n")}`);
  if (failures.length > 0) process.exitCode = 1;
  const sum = (column) => rows.reduce((total, row) => total + row[column], 0);
  say(`\n${sum("passed")} passed, ${sum("failed")} failed, ${sum("skipped")} skipped`);
}

await program(import.meta.url, test);
