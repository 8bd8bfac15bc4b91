/** Measuring programs: modules that export `measure()`, which answers a list of `{ name, value, unit, p95?, target?, peer? }`. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { report, say, seconds, table } from "./log.mjs";
import { Missing } from "./missing.mjs";
import { at } from "./project.mjs";

/** Runs every module of `folder`, in the order of their names, or only that of one name; empty when there is no such folder. */
export async function measureFolder(folder, only) {
  if (!existsSync(at(folder))) {
    say(`${folder}: none there`);
    return [];
  }
  const files = readdirSync(at(folder)).filter((name) => (only === undefined ? name.endsWith(".mjs") : name === `${only}.mjs`)).sort();
  if (only !== undefined && files.length === 0) throw new Missing(`${folder}/${only}.mjs`, "name a module that is there, without its ending");
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

/** Prints measurements: the value beside its target and beside a peer's, with the share of each. */
export function reportMeasurements(measurements) {
  const number = (value) => (value === undefined ? "" : Number(value.toPrecision(4)));
  const share = (value, of) => (of === undefined ? "" : `${((100 * value) / of).toFixed(0)} %`);
  const rows = measurements.map(({ source, name, value, p95, unit, target, peer }) => [
    source, name, number(value), unit, number(p95), number(target), share(value, target),
    peer?.name ?? "", number(peer?.value), share(value, peer?.value),
  ]);
  const heading = ["from", "what", "value", "unit", "p95", "target", "of it", "peer", "peer's", "of it"];
  report({ measurements }, rows.length === 0 ? "nothing was measured" : table([heading, ...rows]));
}
