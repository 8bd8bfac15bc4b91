/** A step is done by one process at a time, and not again while nothing changed. */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { at } from "../../scripts/project.mjs";

const STEP = "test-of-stamps";

/** Does the step in a process of its own: what it wrote to its output. */
async function run(folder, key) {
  const script = `
    import { appendFileSync, writeFileSync } from "node:fs";
    import { whenChanged } from ${JSON.stringify(at("scripts/stamp.mjs"))};
    const [folder, key] = process.argv.slice(1);
    await whenChanged("${STEP}", key, [folder + "/out"], async () => {
      appendFileSync(folder + "/log", "begin ");
      await new Promise((resolve) => setTimeout(resolve, 300));
      writeFileSync(folder + "/out", key);
      appendFileSync(folder + "/log", "end ");
    });`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script, folder, key], { stdio: ["ignore", "inherit", "inherit"] });
  const [code] = await once(child, "exit");
  assert.equal(code, 0);
}

test("of two processes one waits for the other, and finds the work done", async () => {
  const folder = mkdtempSync(join(tmpdir(), "mnemic-stamp-"));
  const [stamp, lock] = ["stamp", "lock"].map((end) => at(".cache", `${STEP}.${end}`));
  try {
    // A process that was killed has left its lock behind.
    const ended = spawn(process.execPath, ["--eval", ""]);
    await once(ended, "exit");
    await run(folder, "before");
    writeFileSync(lock, `${ended.pid}`);
    await Promise.all([run(folder, "a"), run(folder, "a")]);
    assert.equal(readFileSync(join(folder, "log"), "utf8"), "begin end begin end ");
    await Promise.all([run(folder, "b"), run(folder, "c")]);
    assert.equal(readFileSync(join(folder, "log"), "utf8"), "begin end begin end begin end begin end ");
    assert.ok(!existsSync(lock));
  } finally {
    [stamp, lock, folder].forEach((path) => rmSync(path, { recursive: true, force: true }));
  }
});
