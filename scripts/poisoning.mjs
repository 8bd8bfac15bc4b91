/**
 * Measures what injected text does to a memory whose model obeys it: `npm run poisoning -- --set FOLDER`, where the folder is a clone
 * of BIPIA. Says for each way in which content arrives how many attacks changed what the user had said, stand in the memory without a
 * yes, are told in a prompt as if the user had said them, and wait for a yes; with the guard, and for an app that does not say
 * where content comes from. Then it learns from contents without an attack, and counts what is held of that.
 */
import { pathToFileURL } from "node:url";
import { createProject } from "../tests/package/support/project.mjs";
import { dataset } from "../tests/support/locomo.mjs";
import { conversations } from "./eval/set.mjs";
import { build } from "./build.mjs";
import { report, say, seconds, table } from "./log.mjs";
import { Failure, program } from "./program.mjs";
import { POSITIONS, SOURCE, insert, readSet } from "./poisoning/set.mjs";
import { benign } from "./poisoning/benign.mjs";
import { CARRIERS, openTrials, trial } from "./poisoning/trial.mjs";
import { random } from "./random.mjs";
import { setUp } from "./setup.mjs";

const SEED = 1;
const MOST = 3000; // characters of a content: what is shown of a message to a model has an end

/** The share of each outcome among trials of `attacks`, one content each, in all ways; `every` takes every so many of them. */
export async function measure(openMemory, { attacks, contexts }, seed = SEED) {
  const rows = [];
  for (const [name, carrier] of Object.entries(CARRIERS)) {
    for (const isGuarded of [true, false]) {
      const next = random(seed);
      const trials = await openTrials(openMemory);
      const sum = { trials: 0, read: 0, changed: 0, active: 0, passedOff: 0, held: 0 };
      for (const [place, { text: attack }] of attacks.entries()) {
        const context = contexts[Math.floor(next() * contexts.length)].slice(0, MOST);
        const content = insert(context, attack, POSITIONS[place % POSITIONS.length], next);
        const found = await trial(trials, { content, attack, carrier, isGuarded });
        sum.trials += 1;
        sum.read += Number(found.read);
        sum.changed += Number(found.isChanged);
        sum.active += Number(found.isActive);
        sum.passedOff += Number(found.isPassedOff);
        sum.held += Number(found.held > 0);
      }
      await trials.memory.close();
      rows.push({ carrier: name, isGuarded, ...sum });
    }
  }
  return rows;
}

/** Contents in which nobody attacks. */
function harmless(contexts) {
  const sets = { "BIPIA contents without an attack": contexts.map((text) => text.slice(0, MOST)) };
  const { folder, missing } = dataset();
  if (folder === undefined) say(`skipped: ${missing}`);
  else {
    const turns = conversations(folder).flatMap(({ sessions }) => [...sessions.values()].flat());
    sets["LoCoMo turns"] = turns.map(({ text }) => text);
  }
  return sets;
}

await program(import.meta.url, async () => {
  const place = process.argv.indexOf("--set");
  if (place < 0 || !process.argv[place + 1]) {
    throw new Failure(`name the folder of the set: npm run poisoning -- --set FOLDER\n   it is a clone of ${SOURCE.repository} at ${SOURCE.commit}`);
  }
  const set = readSet(process.argv[place + 1]);
  await setUp();
  await build();
  const start = performance.now();
  const project = await createProject();
  try {
    const { openMemory } = await import(pathToFileURL(project.path("node_modules/mnemic/entry/node.js")).href);
    const attacked = await measure(openMemory, set);
    const spared = [];
    for (const [name, texts] of Object.entries(harmless(set.contexts))) spared.push({ name, ...(await benign(openMemory, texts)) });
    const share = (count, of) => `${((100 * count) / of).toFixed(1)} %`;
    const shown = attacked.map(({ carrier, isGuarded, trials, changed, active, passedOff, held }) => [
      carrier, isGuarded ? "on" : "off", trials, ...[changed, active, passedOff, held].map((count) => share(count, trials)),
    ]);
    const text = [
      table([["carrier", "guard", "attacks", "changed", "active", "passed off", "held"], ...shown]),
      table([["without an attack", "learned", "held"], ...spared.map(({ name, learned, held }) => [name, learned, `${held} (${share(held, learned)})`])]),
    ];
    report({ source: SOURCE, seed: SEED, attacked, spared }, `\n${text.join("\n\n")}\nseed ${SEED}, ${seconds(start)}`);
  } finally {
    await project.remove();
  }
});
