/** Measuring programs: modules that export `measure()`, which answers a list of `{ name, value, unit }`. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { report, say, seconds, table } from "./log.mjs";
import { Missing } from "./missing.mjs";
import { at } from "./project.mjs";

/** Runs every module of `folder`, in the order of their names; the list is empty when there is no such folder. */
export async function measureFolder(folder) {
  if (!existsSync(at(folder))) {
    say(`${folder}: none there`);
    return [];
  }
  const files = readdirSync(at(folder)).filter((name) => name.endsWith(".mjs")).sort();
  const measurements = [];
  for (const file of files) {
    const start = performance.now();
    say(`\n=== ${folder}/${file}`);
    const { measure } = await import(pathToFileURL(join(at(folder), file)).href);
    if (typeof measure !== "function") throw new Missing(`measure() in ${folder}/${file}`, "export a function of that name");
    for (const measurement of await measure()) measurements.push({ source: `${folder}/${file}`, ...measurement });
    say(`=== ${folder}/${file}: ${seconds(start)}`);
  }
  return measurements;
}

/** Prints measurements. */
export function reportMeasurements(measurements) {
  const rows = measurements.map(({ source, name, value, unit }) => [source, name, Number(value.toPrecision(4)), unit]);
  report({ measurements }, rows.length === 0 ? "nothing was measured" : table([["from", "what", "value", "unit"], ...rows]));
}
