/**
 * Measures how well memories are found and whether recall knows when nothing fits, by a built package in Node.
 *
 *   npm run eval -- [--data FOLDER] [--precision] [--only NAME] [--package pkg]
 *
 * The sets are those of tests/eval and those of others beside the repository, or those of `--data`; set.mjs has their format. Each
 * is searched with its vectors and without. `--precision` leaves the searches out.
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { sharedSets } from "../tests/support/locomo.mjs";
import { build } from "./build.mjs";
import { engineOf } from "./eval/memory.mjs";
import { hasUnanswerable, measurePrecision } from "./eval/precision.mjs";
import { measureSearch } from "./eval/search.mjs";
import { readSet, setsIn } from "./eval/set.mjs";
import { report, say, seconds } from "./log.mjs";
import { Missing } from "./missing.mjs";
import { program } from "./program.mjs";
import { at } from "./project.mjs";
import { setUp } from "./setup.mjs";

/** The folders of all sets that are there. */
function everySet() {
  const { folders, missing } = sharedSets();
  if (missing) say(`skipped: ${missing}`);
  return [...setsIn(at("tests/eval")), ...folders.flatMap(setsIn)];
}

await program(import.meta.url, async () => {
  const { values } = parseArgs({
    options: {
      data: { type: "string" },
      precision: { type: "boolean" },
      only: { type: "string" },
      package: { type: "string" },
      json: { type: "boolean" },
    },
  });
  const all = (values.data === undefined ? everySet() : setsIn(values.data)).map(readSet);
  const sets = all.filter(({ name }) => values.only === undefined || name === values.only);
  if (sets.length === 0) throw new Missing(`a set ${values.only}`, `name one of ${all.map(({ name }) => name).join(", ")}`);
  if (values.package === undefined) {
    await setUp();
    await build();
  }
  const openMemory = await engineOf(values.package === undefined ? at("pkg") : resolve(values.package));
  const [search, precision] = [[], []];
  const start = performance.now();
  for (const set of sets) {
    if (!values.precision) search.push(...(await measureSearch(openMemory, set)));
    if (hasUnanswerable(set)) precision.push(...(await measurePrecision(openMemory, set)));
  }
  report({ search, precision }, `\n${sets.length} sets in ${seconds(start)}`);
});
