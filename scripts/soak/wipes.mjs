/** Damages the files of the browser's database while it is closed, in every way, and opens the memory twice. */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { databaseLines, isKept } from "./browser.mjs";
import { start } from "./browser-process.mjs";
import { DAMAGES, damage } from "./damages.mjs";
import { shuffled } from "../random.mjs";
import { openInPage, openPage, writeInPage } from "./site.mjs";

/** How many steps are written before the damage, and at each opening after it. */
const WRITTEN = 400;
const MORE = 3;

const VARIANTS = [{ copy: "opfs" }, {}];

export const wipes = {
  name: "wipes",
  shortRounds: 4,
  async run(soak) {
    const origins = new Map();
    const rounds = shuffled(Object.keys(DAMAGES), soak.next).flatMap((kind) => VARIANTS.map((options) => ({ kind, options })));
    for (const { kind, options } of rounds) {
      if (soak.isOver()) break;
      if (!origins.has(options)) origins.set(options, await written(soak, options));
      await runRound(soak, kind, options, origins.get(options));
    }
    for (const profile of origins.values()) await rm(profile, { recursive: true, force: true });
  },
};

/** A profile with a memory that was closed in good order. */
async function written(soak, options) {
  const profile = await mkdtemp(join(soak.folder, "profile-"));
  await openAndWrite(soak, profile, options, 0, WRITTEN);
  return profile;
}

async function runRound(soak, kind, options, origin) {
  const row = soak.tally.row("wipes", `${kind}${options.copy ? `, copy in ${options.copy}` : ""}`);
  soak.begin(row);
  const profile = await mkdtemp(join(soak.folder, "profile-"));
  await cp(origin, profile, { recursive: true, filter: isKept });
  const files = await damage(profile, kind);
  let confirmed = WRITTEN;
  // A damaged log is written on before the browser notices, so it is looked at twice.
  for (let opening = 1; opening <= 2; opening += 1) {
    const { found, log } = await openAndWrite(soak, profile, options, confirmed, MORE);
    // Without a copy, a memory that is refused is not silently lost; the next opening may bring it back.
    if (found.error !== undefined && options.copy === undefined) {
      row.wiped += 1;
      continue;
    }
    if (!soak.tally.found(row, { ...found, files, opening, confirmed, log })) break;
    confirmed = found.step + MORE;
    row.confirmed += MORE;
  }
  await rm(profile, { recursive: true, force: true });
}

/** Opens the memory in a browser, takes more steps, and closes everything in good order. */
async function openAndWrite(soak, profile, options, confirmed, count) {
  const chromium = await start(profile);
  try {
    const page = await openPage(chromium.context, soak.url);
    const found = await page.evaluate(openInPage, { options, confirmed });
    if (found.error === undefined) {
      await page.evaluate(writeInPage, { done: found.step, last: found.step + count });
      await page.evaluate(() => memory.close());
    }
    await page.close();
    await chromium.close();
    return { found, log: databaseLines(chromium.errors()) };
  } finally {
    await chromium.kill();
  }
}
