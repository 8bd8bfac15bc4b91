/** Fills what a site may store, checks that the write that does not fit changes nothing, makes room, and goes on. */
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { start } from "./browser-process.mjs";
import { openInPage, openPage } from "./site.mjs";

const VARIANTS = [
  { storage: "indexeddb" },
  { storage: "localstorage" },
  { storage: "indexeddb", copy: "opfs" },
  { storage: "indexeddb", encrypted: true },
];

export const quota = {
  name: "quota",
  shortRounds: 2,
  async run(soak) {
    for (let round = 0; !soak.isOver(); round += 1) {
      const options = VARIANTS[round % VARIANTS.length];
      const { storage, copy, encrypted } = options;
      const row = soak.tally.row("quota", [storage, copy && `copy in ${copy}`, encrypted && "encrypted"].filter(Boolean).join(", "));
      soak.begin(row);
      const profile = await mkdtemp(join(soak.folder, "profile-"));
      // A browser that runs for longer goes by what it allowed last for 30 s.
      const chromium = await start(profile);
      try {
        await runRound(soak, row, chromium, options);
      } finally {
        await chromium.kill();
        await rm(profile, { recursive: true, force: true });
      }
    }
  },
};

async function runRound(soak, row, chromium, options) {
  const page = await openPage(chromium.context, soak.url);
  const session = await chromium.context.newCDPSession(page);
  const [fill, makeRoom] = options.storage === "localstorage" ? localStorageOf(page, soak.next) : quotaOf(session, soak);
  let confirmed = 0;
  const open = async () => soak.tally.found(row, await page.evaluate(openInPage, { options, confirmed }));
  const close = () => page.evaluate(() => memory.close());
  const write = async (count, expected) => {
    const { done, error } = await page.evaluate(writeSome, { done: confirmed, count });
    row.confirmed += done - confirmed;
    confirmed = done;
    if (error !== expected) soak.tally.fault(row, "refused", `${error ?? "no error"} instead of ${expected ?? "none"}`);
  };
  await fill();
  if (!(await open())) return;
  await write(100_000, "QuotaExceeded");
  soak.tally.found(row, await page.evaluate(async (confirmed) => diary.judge(await diary.read(user), confirmed), confirmed));
  await close();
  if (!(await open())) return;
  await makeRoom();
  await write(12);
  await close();
  if (!(await open())) return;
  const { copy } = await page.evaluate(() => memory.health());
  if (copy?.error !== undefined) soak.tally.fault(row, "refused", `the copy, after there was room: ${copy.error.message}`);
}

/** Gives the site a few hundred kilobytes more than it uses, and lifts the limit. */
function quotaOf(session, { url, next }) {
  const { origin } = new URL(url);
  return [
    async () => {
      const { usage } = await session.send("Storage.getUsageAndQuota", { origin });
      await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: usage + Math.floor(next() * 300_000) });
    },
    () => session.send("Storage.overrideQuotaForOrigin", { origin }),
  ];
}

/** Fills localStorage with something else, but for some thousand characters, and takes that away. */
function localStorageOf(page, next) {
  const fill = (room) => {
    for (let size = 8 << 20; size >= 1; size >>= 1) {
      try {
        localStorage.setItem("else", (localStorage.getItem("else") ?? "") + "x".repeat(size));
      } catch {
        // Too much; half of it may fit.
      }
    }
    localStorage.setItem("else", localStorage.getItem("else").slice(room));
  };
  return [() => page.evaluate(fill, Math.floor(next() * 30_000)), () => page.evaluate(() => localStorage.removeItem("else"))];
}

/** In the page: takes steps until one fails; answers how many are done, and the code of the failure. */
async function writeSome({ done, count }) {
  try {
    await diary.writeOn(user, done, (step) => (done = step), done + count);
    return { done };
  } catch ({ code, message }) {
    return { done, error: code ?? message };
  }
}
