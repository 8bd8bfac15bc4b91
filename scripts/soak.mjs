/**
 * Kills, fills, damages and deceives what a memory is kept in, and counts what is there afterwards.
 *
 *   npm run soak -- [--minutes 10] [--only browser] [--seed 1] [--package pkg] [--keep FOLDER]
 *
 * The minutes are divided among the modules. A round that has begun is finished.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { build } from "./build.mjs";
import { report, say, seconds, table } from "./log.mjs";
import { Failure, program } from "./program.mjs";
import { at } from "./project.mjs";
import { needs, setUp } from "./setup.mjs";
import { browser } from "./soak/browser.mjs";
import { faults } from "./soak/faults.mjs";
import { node } from "./soak/node.mjs";
import { objects } from "./soak/objects.mjs";
import { quota } from "./soak/quota.mjs";
import { random } from "./random.mjs";
import { serveSite } from "./soak/site.mjs";
import { tabs } from "./soak/tabs.mjs";
import { Tally } from "./soak/tally.mjs";
import { wipes } from "./soak/wipes.mjs";

/** What is done to memories, by module. */
export const modules = [browser, node, tabs, quota, faults, wipes, objects];

/**
 * Runs modules, one after another.
 *
 * @param {object} options `chosen`: the modules; `seed`: of all that is random; `minutes` for all of them together, or the
 *   `shortRounds` of each without it; `packageFolder`: the built package; `keep`: where the profile of a browser goes that has lost
 *   something
 * @returns {Promise<Tally>}
 */
export async function soak({ chosen = modules, seed, minutes, packageFolder, keep }) {
  const folder = await mkdtemp(join(tmpdir(), "mnemic-soak-"));
  const tally = new Tally();
  try {
    const site = await serveSite(join(folder, "site"), packageFolder);
    try {
      for (const module of chosen) {
        const start = performance.now();
        const end = minutes && start + (minutes * 60_000) / chosen.length;
        let rounds = 0;
        await module.run({
          folder,
          url: site.url,
          packageFolder,
          keep,
          seed,
          tally,
          next: random(seed),
          /** How many kills one memory lives through: the first minutes of a database are not those of an old one. */
          lives: minutes ? 8 : 2,
          isOver: () => (end === undefined ? rounds >= module.shortRounds : rounds > 0 && performance.now() >= end),
          begin(row) {
            rounds += 1;
            row.rounds += 1;
          },
        });
        say(`${module.name}: ${rounds} rounds in ${seconds(start)}`);
      }
    } finally {
      await site.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return tally;
}

await program(import.meta.url, async () => {
  const { values } = parseArgs({
    options: {
      minutes: { type: "string", default: "10" },
      only: { type: "string" },
      seed: { type: "string", default: String(Date.now() % 1_000_000) },
      package: { type: "string" },
      keep: { type: "string" },
      json: { type: "boolean" },
    },
  });
  const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
  if (!(minutes > 0)) throw new Failure(`--minutes ${values.minutes}: this is not a number above 0`);
  if (!Number.isInteger(seed)) throw new Failure(`--seed ${values.seed}: this is not a whole number`);
  const chosen = modules.filter(({ name }) => values.only === undefined || name === values.only);
  if (chosen.length === 0) {
    throw new Failure(`--only ${values.only}: there is no such module; there are ${modules.map(({ name }) => name).join(", ")}`);
  }
  if (values.package === undefined) {
    await setUp([...needs.module, ...needs.tests]);
    await build();
  }
  say(`seed ${seed}`);
  const packageFolder = values.package === undefined ? at("pkg") : resolve(values.package);
  const tally = await soak({ chosen, seed, minutes, packageFolder, keep: values.keep && resolve(values.keep) });
  const { rows, faults } = tally;
  report({ seed, rows, faults }, `\n${table(tally.table())}\n\nseed ${seed}: ${faults.length} faults`);
  if (faults.length > 0) process.exitCode = 1;
});
