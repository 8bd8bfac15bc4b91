import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import test from "node:test";
import { ask, CommandFailed, run, which } from "../../scripts/command.mjs";

const node = (script, options) => run(process.execPath, ["-e", script], { quiet: true, ...options });

test("standard output is answered, without standard error", async () => {
  assert.equal(await node("console.log('a'); console.error('b')"), "a\n");
});

test("a failing program is told with all it printed", async () => {
  await assert.rejects(node("console.log('a'); console.error('b'); process.exit(3)"), (error) => {
    assert.ok(error instanceof CommandFailed);
    assert.match(error.message, /ended with code 3$/);
    assert.match(error.output, /a[^]*b|b[^]*a/);
    return true;
  });
});

test("a program past its time is ended", async () => {
  await assert.rejects(node("setInterval(() => {}, 1000)", { limitSeconds: 0.2 }), /not done after 0.2 s/);
});

test("a name can be taken out of the environment", async () => {
  process.env.MNEMIC_SAMPLE = "x";
  const script = "console.log(process.env.MNEMIC_SAMPLE ?? 'none', process.env.MNEMIC_OTHER)";
  assert.equal(await node(script, { env: { MNEMIC_SAMPLE: undefined, MNEMIC_OTHER: "y" } }), "none y\n");
});

test("what is not there is null", async () => {
  assert.equal(which("mnemic-no-such-program"), null);
  assert.equal(await ask("mnemic-no-such-program", []), null);
  assert.equal(which(process.execPath), process.execPath);
});

test("lines of programs that run side by side stand whole behind their labels", () => {
  const script = "process.stdout.write('one\\ntw'); process.stdout.write('o\\nend')";
  const module = new URL("../../scripts/command.mjs", import.meta.url);
  const outer = `import { run } from ${JSON.stringify(module.href)}; await run(process.execPath, ["-e", ${JSON.stringify(script)}], { label: "a" });`;
  const printed = execFileSync(process.execPath, ["--input-type=module", "-e", outer], { encoding: "utf8" });
  assert.equal(printed, "a | one\na | two\na | end\n");
});
