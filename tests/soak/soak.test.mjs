/** A short round of each module of the soak; `npm run soak` runs them for as long as one likes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { table } from "../../scripts/log.mjs";
import { at } from "../../scripts/project.mjs";
import { modules, soak } from "../../scripts/soak.mjs";

const SEED = 1;

for (const module of modules) {
  test(`${module.name}: nothing is lost`, async () => {
    const tally = await soak({ chosen: [module], seed: SEED, packageFolder: at("pkg") });
    console.log(table(tally.table()));
    assert.deepEqual(tally.faults, []);
    const sum = (column) => tally.rows.reduce((total, row) => total + row[column], 0);
    assert.ok(sum("rounds") >= module.shortRounds && sum("confirmed") > 0, "it did what it is for");
  });
}
