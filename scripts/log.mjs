/** What a script tells its reader. With `--json`, standard output is kept for the result alone. */

/** Whether a machine reads the result. */
export const json = process.argv.includes("--json");

/** Where progress and the output of other programs go. */
export const progress = json ? process.stderr : process.stdout;

/** Prints one line of progress. */
export function say(text = "") {
  progress.write(`${text}\n`);
}

/** Prints the result: `value` for machines, `text` for people. */
export function report(value, text) {
  process.stdout.write(json ? `${JSON.stringify(value, null, 2)}\n` : `${text}\n`);
}

/** Rows as left-aligned columns; numbers are right-aligned. */
export function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)));
  const cell = (value, width) =>
    typeof value === "number" ? String(value).padStart(width) : String(value).padEnd(width);
  return rows.map((row) => row.map((value, column) => cell(value, widths[column])).join("  ").trimEnd()).join("\n");
}

/** Seconds since `start` (of `performance.now()`), for people. */
export function seconds(start) {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`;
}
