import assert from "node:assert/strict";
import test from "node:test";
import { countTests } from "../../scripts/counts.mjs";

/** The numbers alone. */
function numbers(output) {
  const { passed, failed, skipped } = countTests(output);
  return { passed, failed, skipped };
}

test("cargo's closing lines are summed", () => {
  const output = [
    "running 3 tests",
    "test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s",
    "test result: FAILED. 5 passed; 2 failed; 0 ignored; 0 filtered out; finished in 0.00s",
  ].join("\n");
  assert.deepEqual(numbers(output), { passed: 7, failed: 2, skipped: 1 });
});

test("node's closing lines are summed, in both of its forms and in colour", () => {
  assert.deepEqual(numbers("ℹ tests 4\nℹ pass 2\nℹ fail 1\nℹ cancelled 1\nℹ skipped 0\nℹ todo 0\n"), {
    passed: 2,
    failed: 2,
    skipped: 0,
  });
  assert.deepEqual(numbers("# pass 2\n# skipped 3\n"), { passed: 2, failed: 0, skipped: 3 });
  assert.equal(countTests("\u001b[34mℹ pass 9\u001b[39m\n").passed, 9);
});

test("a test's own output is not counted", () => {
  assert.deepEqual(numbers("the test result: ok. 2 passed; 0 failed; 0 ignored\n  ℹ pass 3\n"), {
    passed: 0,
    failed: 0,
    skipped: 0,
  });
});

test("a test that says it had nothing to do is skipped, and every skipped test has its reason", () => {
  const { reasons, ...counts } = countTests([
    "skipped: suite::required: the suite is not here",
    "test suite::required ... ok",
    "test slow ... ignored, takes an hour",
    "test odd ... ignored",
    "test result: ok. 3 passed; 0 failed; 2 ignored; 0 measured; 0 filtered out; finished in 0.00s",
    "\u001b[90m﹣ one (0.1ms) # no browser\u001b[39m",
    "  ﹣ two (12.34ms) # SKIP",
    "ℹ pass 1",
    "ℹ skipped 2",
  ].join("\n"));
  assert.deepEqual(counts, { passed: 3, failed: 0, skipped: 5 });
  assert.deepEqual(reasons, [
    "suite::required: the suite is not here",
    "slow: takes an hour",
    "odd: ignored",
    "one: no browser",
    "two: SKIP",
  ]);
});
