/** Kills a whole Chromium while it opens a memory and writes. */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { start } from "./browser-process.mjs";
import { kills } from "./kills.mjs";
import { openInPage, openPage, writeInPage } from "./site.mjs";

/** Storage in files by the engine in a worker. */
const OPFS = { storage: "opfs", worker: true };

/** Every combination; the first two differ in all. */
const VARIANTS = [
  { durability: "strict", copy: "opfs", encrypted: true },
  { durability: "relaxed" },
  { durability: "strict", ...OPFS },
  { durability: "relaxed", copy: "opfs" },
  { durability: "relaxed", ...OPFS, encrypted: true },
  { durability: "strict" },
  { durability: "relaxed", copy: "opfs", encrypted: true },
  { durability: "strict", encrypted: true },
  { durability: "strict", copy: "opfs" },
  { durability: "relaxed", encrypted: true },
];

/** How long a browser lives at most, from when it begins to open the memory or to write. */
const LONGEST_MS = 1500;

export const browser = {
  name: "browser",
  shortRounds: 4,
  async run(soak) {
    for (let block = 0; !soak.isOver(); block += 1) {
      const options = VARIANTS[block % VARIANTS.length];
      const { durability, storage, copy, encrypted } = options;
      const row = soak.tally.row("browser", [durability, storage, copy && `copy in ${copy}`, encrypted && "encrypted"].filter(Boolean).join(", "));
      const profile = await mkdtemp(join(soak.folder, "profile-"));
      const faults = soak.tally.faults.length;
      await kills(soak, row, (confirmed, onConfirmed) => begin(soak, profile, options, confirmed, onConfirmed), LONGEST_MS);
      if (soak.keep && soak.tally.faults.length > faults) {
        await cp(profile, join(soak.keep, `browser-${soak.seed}-${row.rounds}`), { recursive: true, filter: isKept });
      }
      await rm(profile, { recursive: true, force: true });
    }
  },
};

/** Whether a file of a profile matters for its databases. */
export const isKept = (file) => !/Singleton|Cache/.test(file);

async function begin(soak, profile, options, confirmed, onConfirmed) {
  const chromium = await start(profile);
  let page;
  try {
    page = await openPage(chromium.context, soak.url, onConfirmed);
  } catch (error) {
    await chromium.kill();
    throw error;
  }
  // What is under way when the browser is killed has no answer.
  const found = page.evaluate(openInPage, { options, confirmed }).catch(() => undefined);
  const ended = found.then((answer) => {
    if (answer?.error === undefined && answer?.step >= confirmed) return page.evaluate(writeInPage, { done: answer.step }).catch(() => {});
  });
  return { found, ended, log: () => databaseLines(chromium.errors()), kill: chromium.kill };
}

/** What a browser has logged about its databases. */
export function databaseLines(text) {
  return text.split("\n").filter((line) => /indexed|leveldb|idb|backing|corrupt|quota/i.test(line));
}
