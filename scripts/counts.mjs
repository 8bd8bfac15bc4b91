/** How many tests ran, read from what cargo's and node's test runners print, and why some were skipped. */

/**
 * The sum over all closing lines in `output`. A test that found nothing to do and says so in a line `skipped: NAME: WHY` passes
 * for its runner; here it counts as skipped.
 *
 * @returns {{passed: number, failed: number, skipped: number, reasons: string[]}} a line for each skipped test that says why
 */
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
  const idle = Array.from(text.matchAll(/^skipped: (\S+: .+)$/gm), ([, line]) => line);
  counts.passed -= idle.length;
  counts.skipped += idle.length;
  const ignored = Array.from(text.matchAll(/^test (\S+) \.\.\. ignored(?:, (.+))?$/gm), ([, name, why = "ignored"]) => `${name}: ${why}`);
  // In node's lists a skipped test has this sign, and its reason behind the time it took; failures are listed a second time.
  const left = Array.from(text.matchAll(/^ *﹣ (.+) \([\d.]+ms\) # (.+)$/gm), ([, name, why]) => `${name}: ${why}`);
  return { ...counts, reasons: [...new Set([...idle, ...ignored, ...left])] };
}
