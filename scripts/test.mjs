/**
 * Runs every check and test, in the order of their cost, and stops at the first stage that fails.
 * `npm test -- --only rust` (or wasm, package, e2e) runs one group, with what it needs.
 */
import { existsSync, readdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { build } from "./build.mjs";
import { wasmCargo } from "./build/wasm.mjs";
import { CommandFailed, run } from "./command.mjs";
import { countTests } from "./counts.mjs";
import { buildDemo } from "./demo.mjs";
import { say, seconds, table } from "./log.mjs";
import { Missing } from "./missing.mjs";
import { Failure, program } from "./program.mjs";
import { at, root, targetsIn } from "./project.mjs";
import { bindgenPrograms } from "./setup/bindgen.mjs";
import { setUp } from "./setup.mjs";

const groups = ["rust", "wasm", "package", "e2e"];

/** `tests` marks the stages that must report at least one test. `work` answers the output to count, or null: nothing there. */
const stages = [
  { name: "set-up", groups, work: setUp },
  { name: "format", groups: ["rust"], work: () => cargo("fmt", "--all", "--check") },
  { name: "lints", groups: ["rust"], work: () => cargo("clippy", "--locked", "--all-targets", "--", "-D", "warnings") },
  { name: "native tests", groups: ["rust"], tests: true, work: () => cargo("test", "--locked") },
  { name: "build", groups: ["wasm", "package", "e2e"], work: build },
  { name: "wasm lints", groups: ["wasm"], work: wasmLints },
  { name: "wasm tests", groups: ["wasm"], tests: true, work: wasmTests },
  { name: "script tests", groups: ["package"], tests: true, work: () => nodeTests("tests/scripts") },
  { name: "package tests", groups: ["package"], tests: true, work: () => nodeTests("tests/package") },
  { name: "demo", groups: ["e2e"], work: () => (existsSync(at("www")) ? buildDemo() : null) },
  { name: "e2e tests", groups: ["e2e"], tests: true, work: () => nodeTests("tests/e2e") },
];

const cargo = (...args) => run("cargo", args, { cwd: root });

const browserTargets = () => targetsIn("tests/web", "test");

async function wasmLints() {
  const tests = (await browserTargets()).flatMap((name) => ["--test", name]);
  return wasmCargo("clippy", ["--lib", ...tests], { afterDashes: ["--", "-D", "warnings"] });
}

/** Runs in Chromium; webdriver.json says how it is started. */
async function wasmTests() {
  if (!existsSync(at("tests/web"))) return null;
  const targets = await browserTargets();
  if (targets.length === 0) throw new Missing("a test target in tests/web", "add tests/web/main.rs, or name it in Cargo.toml");
  return wasmCargo("test", targets.flatMap((name) => ["--test", name]), {
    env: {
      CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER: (await bindgenPrograms()).runner,
      CHROMEDRIVER: "/usr/bin/chromedriver",
    },
  });
}

async function nodeTests(folder) {
  if (!existsSync(at(folder))) return null;
  const files = readdirSync(at(folder)).filter((name) => name.endsWith(".test.mjs")).sort();
  if (files.length === 0) throw new Missing(`tests in ${folder}`, "name them *.test.mjs");
  // One file at a time: each starts a browser or a package installation.
  const options = ["--test", "--test-concurrency=1", "--test-reporter=spec"];
  return run(process.execPath, [...options, ...files.map((name) => at(folder, name))], { cwd: root });
}

/** Runs one stage and answers its row of the table. */
async function runStage({ name, tests, work }) {
  say(`\n=== ${name}`);
  const start = performance.now();
  const row = { name, state: "ok", passed: 0, failed: 0, skipped: 0 };
  try {
    const output = await work();
    if (output === null) row.state = "none there";
    else if (tests) Object.assign(row, countTests(output));
    if (tests && output !== null && row.passed === 0) throw new Failure("no test ran");
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

async function test() {
  const { values } = parseArgs({ options: { only: { type: "string" } } });
  if (values.only !== undefined && !groups.includes(values.only)) {
    throw new Failure(`--only ${values.only}: there is no such group; there are ${groups.join(", ")}`);
  }
  const rows = [];
  for (const stage of stages) {
    if (values.only !== undefined && !stage.groups.includes(values.only)) continue;
    rows.push(await runStage(stage));
    if (rows.at(-1).error) break;
  }
  say(`\n${table([
    ["stage", "state", "time", "passed", "failed", "skipped"],
    ...rows.map(({ name, state, duration, passed, failed, skipped }) => [name, state, duration, passed, failed, skipped]),
  ])}`);
  const { name, error } = rows.at(-1);
  if (error) {
    process.exitCode = 1;
    const expected = [CommandFailed, Failure, Missing].some((kind) => error instanceof kind);
    say(`\n${name} failed: ${expected ? error.message : error.stack}`);
  }
  const sum = (column) => rows.reduce((total, row) => total + row[column], 0);
  say(`\n${sum("passed")} passed, ${sum("failed")} failed`);
}

await program(import.meta.url, test);
