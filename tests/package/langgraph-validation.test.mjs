/** LangGraph's own tests for checkpointers, run by the runner they are written for. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { langGraphProject } from "./support/langgraph.mjs";
import { root } from "./support/tarball.mjs";

/** Each checkpointer has a memory of its own, as the tests ask. */
const SPEC = `
  import { deltaChannelHistoryTests, validate } from "@langchain/langgraph-checkpoint-validation";
  import { openMemory } from "mnemic";
  import { MnemicSaver } from "mnemic/langgraph";

  const memories = new Map();
  let opened = 0;
  const initializer = {
    checkpointerName: "mnemic",
    async createCheckpointer() {
      const memory = await openMemory({ name: "validation-" + (opened += 1), storage: "memory" });
      const saver = new MnemicSaver(memory.scope({ userId: "alice" }));
      memories.set(saver, memory);
      return saver;
    },
    destroyCheckpointer: (saver) => memories.get(saver).close(),
  };
  validate(initializer);
  deltaChannelHistoryTests(initializer);
`;

test("the checkpointer passes the validation of LangGraph, with the histories of channels", async () => {
  const { project } = await langGraphProject({ "mnemic.test.mjs": SPEC });
  try {
    const script = join(root, "node_modules/vitest/vitest.mjs");
    const run = [script, "run", "--globals", "--root", project.folder, "--reporter=json", "--outputFile=report.json"];
    await promisify(execFile)(process.execPath, run, { cwd: project.folder, timeout: 120_000, maxBuffer: 1e8 }).catch((failure) => failure);
    const report = JSON.parse(await readFile(project.path("report.json"), "utf8"));
    const results = report.testResults.flatMap(({ assertionResults }) => assertionResults);
    const faults = results.filter(({ status }) => status !== "passed").map(({ fullName, status, failureMessages }) => [fullName, status, ...failureMessages].join("\n"));
    assert.deepEqual(faults.slice(0, 5), []);
    assert.deepEqual(report.testResults.flatMap(({ status, message }) => (status === "passed" ? [] : [message])), []);
    assert.ok(results.length >= 726, `only ${results.length} tests ran`);
  } finally {
    await project.remove();
  }
});
