/** How many tests ran, read from what cargo's and node's test runners print at their ends. */

/** The sum over all closing lines in `output`. */
export function countTests(output) {
  const text = output.replaceAll(/\u001b\[[\d;]*m/g, "");
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const [, passed, failed, ignored] of text.matchAll(
    /^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored/gm,
  )) {
    counts.passed += Number(passed);
    counts.failed += Number(failed);
    counts.skipped += Number(ignored);
  }
  const kinds = { pass: "passed", fail: "failed", cancelled: "failed", skipped: "skipped", todo: "skipped" };
  for (const [, kind, number] of text.matchAll(/^(?:ℹ|#) (pass|fail|cancelled|skipped|todo) (\d+)$/gm)) {
    counts[kinds[kind]] += Number(number);
  }
  return counts;
}
