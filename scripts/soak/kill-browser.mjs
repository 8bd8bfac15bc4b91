/**
 * Kills a whole Chromium while it writes, opens it again, and counts what is there. With `--damage`, it does not kill but damages
 * the files of the browser's database, to see what the browser makes of it.
 *
 *   node scripts/soak/kill-browser.mjs --minutes 5 --package pkg [--copy opfs] [--durability strict] [--seed 1]
 *   node scripts/soak/kill-browser.mjs --damage [--only CURRENT] [--copy opfs]
 */
import { appendFile, cp, mkdir, mkdtemp, readdir, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { report, say, table } from "../log.mjs";
import { program } from "../program.mjs";
import { serve } from "../serve.mjs";
import { start } from "./browser-process.mjs";

const PAGE = `<!doctype html><meta charset="utf-8"><title>soak</title><script type="module">
import * as mnemic from "./package/entry/browser.js";
globalThis.mnemic = mnemic;
</script>`;

/** Where Chromium keeps the IndexedDB of the default bucket, below the profile. */
const DATABASES = join("Default", "IndexedDB");

/** Kills at random moments until the time is over. A round that begins with less than was confirmed is kept for looking at. */
async function killRounds(soak, milliseconds, limit, next, seed) {
  const end = Date.now() + milliseconds;
  const counts = { rounds: 0, confirmed: 0, killedWhileOpening: 0, lost: 0, wiped: 0, restored: 0, refused: 0 };
  const losses = [];
  let profile = await mkdtemp(join(soak.folder, "profile-"));
  let confirmed = 0;
  while (Date.now() < end && counts.rounds < limit) {
    // A fresh profile now and then: the first minutes of a database are not those of an old one.
    if (counts.rounds % 8 === 0) {
      await rm(profile, { recursive: true, force: true });
      profile = await mkdtemp(join(soak.folder, "profile-"));
      confirmed = 0;
    }
    counts.rounds += 1;
    const before = join(soak.folder, "before");
    await rm(before, { recursive: true, force: true });
    await cp(profile, before, { recursive: true, filter: (file) => !/Singleton|Cache/.test(file) });
    const browser = await start(profile);
    let found;
    try {
      const page = await opened(browser, soak, (count) => (confirmed = Math.max(confirmed, count)));
      // Between opening the page and the end of its first writes; half of the kills are early.
      const wait = next() < 0.5 ? next() * 400 : next() * 2500;
      const finding = page
        .evaluate(openAndCount, soak.options)
        .then(async (answer) => {
          found = answer;
          if (answer.error === undefined && answer.count >= confirmed) await page.evaluate(writeOn, answer.count);
        })
        .catch(() => {});
      const before = confirmed;
      await Promise.race([finding, new Promise((done) => setTimeout(done, wait + 300))]);
      await browser.kill();
      await finding;
      counts.confirmed += confirmed - before;
    } finally {
      await browser.kill();
    }
    if (found === undefined) counts.killedWhileOpening += 1;
    else if (found.error !== undefined) counts.refused += 1;
    if (found?.wiped) counts.wiped += 1;
    if (found?.wiped?.restored) counts.restored += 1;
    if (found?.error !== undefined || (found !== undefined && found.count < found.expected)) {
      counts.lost += 1;
      losses.push({ round: counts.rounds, ...found, log: databaseLines(browser.errors()) });
      say(`round ${counts.rounds}: ${JSON.stringify(losses.at(-1), null, 1)}`);
      if (soak.keep) await cp(before, join(soak.keep, `${seed}-${counts.rounds}`), { recursive: true });
      confirmed = found.count ?? 0;
      if (found.error !== undefined) counts.rounds += (8 - (counts.rounds % 8)) % 8;
    }
    if (counts.rounds % 20 === 0) say(JSON.stringify(counts));
  }
  report({ seed, ...counts, losses }, `seed ${seed}: ${JSON.stringify(counts)}`);
}

/** Opens the page and hears of each confirmed write. */
async function opened(browser, soak, onConfirmed) {
  const page = await browser.context.newPage();
  page.on("console", (message) => {
    const [, count] = /^confirmed (\d+)$/.exec(message.text()) ?? [];
    if (count) onConfirmed(Number(count));
  });
  await page.goto(soak.url);
  await page.waitForFunction(() => globalThis.mnemic !== undefined);
  // What was confirmed is also known to a storage of its own, should the message about it have come too late.
  return page;
}

/** In the page: opens the memory and counts its messages. `expected` is what another storage says was confirmed. */
async function openAndCount(options) {
  const expected = Number(localStorage.getItem("confirmed") ?? 0);
  try {
    globalThis.memory = await mnemic.openMemory({ name: "soak", ...options, extraction: { auto: false } });
    let wiped;
    try {
      memory.on("wiped", (event) => (wiped = event));
      await new Promise((done) => setTimeout(done, 0));
    } catch {
      // A build without the event.
    }
    globalThis.user = memory.scope({ userId: "alice" });
    let count = 0;
    for (const { turnCount, messageCount } of await user.threads.list()) count += messageCount ?? turnCount ?? 0;
    const { commits } = await memory.usage();
    const { damage } = await memory.verify();
    return { count: commits, messages: count, expected, damage: damage.length, wiped };
  } catch (error) {
    return { error: `${error.name}: ${error.message}`, expected };
  }
}

/** In the page: writes one message after another, until the end. */
async function writeOn(from) {
  for (let count = from + 1; ; count += 1) {
    await user.remember({ role: "assistant", content: `Message ${count} ${"lorem ipsum ".repeat((count * 37) % 200)}` }, { threadId: "one" });
    console.log(`confirmed ${count}`);
    localStorage.setItem("confirmed", String(count));
  }
}

/** The header of a LevelDB record without its payload. */
const TORN = Buffer.from([0x11, 0x22, 0x33, 0x44, 0x40, 0x00, 0x01]);

/** In the page: three more messages, and the end of the memory. */
async function writeThree() {
  for (const text of ["one", "two", "three"]) {
    await user.remember({ role: "assistant", content: text.repeat(100) }, { threadId: "two" });
  }
  await memory.close();
}

/** What is done to the files of a database, by name. */
const DAMAGES = {
  "nothing": async () => {},
  "CURRENT deleted": (files) => each(files, /CURRENT$/, (file) => rm(file)),
  "CURRENT emptied": (files) => each(files, /CURRENT$/, (file) => truncate(file, 0)),
  "MANIFEST deleted": (files) => each(files, /MANIFEST-/, (file) => rm(file)),
  "MANIFEST cut by 10 bytes": (files) => each(files, /MANIFEST-/, (file, size) => truncate(file, size - 10)),
  "MANIFEST cut in half": (files) => each(files, /MANIFEST-/, (file, size) => truncate(file, size >> 1)),
  "MANIFEST emptied": (files) => each(files, /MANIFEST-/, (file) => truncate(file, 0)),
  "MANIFEST with zeros": (files) => each(files, /MANIFEST-/, (file, size) => writeFile(file, Buffer.alloc(size))),
  "log deleted": (files) => each(files, /\.log$/, (file) => rm(file)),
  "log cut by 10 bytes": (files) => each(files, /\.log$/, (file, size) => truncate(file, size - 10)),
  "log cut in half": (files) => each(files, /\.log$/, (file, size) => truncate(file, size >> 1)),
  "log emptied": (files) => each(files, /\.log$/, (file) => truncate(file, 0)),
  // What a kill leaves between the two writes of a record: its header (any checksum, 64 bytes, whole) and nothing behind it.
  "log with a torn record": (files) => each(files, /\.log$/, (file) => appendFile(file, TORN)),
  "log with zeros": (files) => each(files, /\.log$/, (file, size) => writeFile(file, Buffer.alloc(size))),
  "tables deleted": (files) => each(files, /\.ldb$/, (file) => rm(file)),
  "tables cut in half": (files) => each(files, /\.ldb$/, (file, size) => truncate(file, size >> 1)),
  "database deleted": (files) => each(files, /leveldb\/|sqlite|\.db/, (file) => rm(file)),
};

/** Writes a memory, closes the browser in good order, damages its files in one way, and opens it again. */
async function damageRounds(soak) {
  const rows = [["what was done", "files", "commits", "wiped", "next start", "wiped", "what the browser said"]];
  const origin = await mkdtemp(join(soak.folder, "profile-"));
  const first = await start(origin);
  let written = 0;
  try {
    const page = await opened(first, soak, (count) => (written = count));
    const { count } = await page.evaluate(openAndCount, soak.options);
    await page.evaluate(async (from) => {
      for (let number = from + 1; number <= from + 400; number += 1) {
        const content = `Message ${number} ${"lorem ipsum ".repeat(400)}`;
        await user.remember({ role: "assistant", content }, { threadId: "one" });
      }
      console.log(`confirmed ${(await memory.usage()).commits}`);
      localStorage.setItem("confirmed", (await memory.usage()).commits);
      await memory.close();
    }, count);
    await page.close();
  } finally {
    await first.close();
  }
  for (const [name, damage] of Object.entries(DAMAGES)) {
    if (!name.includes(soak.only)) continue;
    const profile = await mkdtemp(join(soak.folder, "profile-"));
    await cp(origin, profile, { recursive: true, filter: (file) => !/Singleton/.test(file) });
    const files = await filesIn(join(profile, DATABASES));
    const touched = await damage(files);
    const seen = [];
    // A damaged log is written on before it is noticed, so it is looked at twice.
    for (let time = 0; time < 2; time += 1) {
      const browser = await start(profile);
      try {
        const page = await opened(browser, soak, () => {});
        const found = await page.evaluate(openAndCount, soak.options);
        if (found.error === undefined) await page.evaluate(writeThree);
        await page.close();
        seen.push({ ...found, log: databaseLines(browser.errors()) });
        await browser.close();
      } finally {
        await browser.kill();
      }
    }
    const [first, second] = seen;
    const told = ({ wiped }) => (wiped ? `${wiped.lost}${wiped.restored ? ", restored" : ""}` : "-");
    const count = (found) => found.count ?? found.error.slice(0, 400);
    const log = seen.flatMap(({ log }) => log.map((line) => line.replace(/^\[[^\]]*\] ?/, "").slice(0, 60)));
    rows.push([name, touched ?? 0, count(first), told(first), count(second), told(second), [...new Set(log)].join(" | ") || "-"]);
    say(rows.at(-1).join("; "));
  }
  report({ written, rows }, `${written} commits were written; three more after the first start\n${table(rows)}`);
}

/** Does something to each file whose path matches; answers how many. */
async function each(files, pattern, change) {
  const matching = files.filter(({ path }) => pattern.test(path));
  for (const { path, size } of matching) await change(path, size);
  return matching.length;
}

async function filesIn(folder) {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(paths.map(async (path) => ({ path, size: (await stat(path)).size })));
}

/** What the browser has logged about its databases. */
function databaseLines(text) {
  return text.split("\n").filter((line) => /indexed|leveldb|idb|backing|corrupt|quota/i.test(line));
}

/** Numbers from 0 to 1, the same for the same seed. */
function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

await program(import.meta.url, async () => {
  const { values } = parseArgs({
    options: {
      minutes: { type: "string", default: "1" },
      rounds: { type: "string", default: "1000000" },
      package: { type: "string", default: "pkg" },
      durability: { type: "string", default: "relaxed" },
      copy: { type: "string" },
      seed: { type: "string", default: String(Date.now() % 1_000_000) },
      keep: { type: "string" },
      damage: { type: "boolean", default: false },
      only: { type: "string", default: "" },
      json: { type: "boolean", default: false },
    },
  });
  const folder = await mkdtemp(join(tmpdir(), "mnemic-soak-"));
  await mkdir(join(folder, "site"));
  await writeFile(join(folder, "site", "index.html"), PAGE);
  await cp(resolve(values.package), join(folder, "site", "package"), { recursive: true });
  // The page has an inline script.
  const server = await serve(join(folder, "site"), 0, { "Content-Security-Policy": "object-src 'none'" });
  const options = { durability: values.durability, ...(values.copy && { copy: values.copy }) };
  try {
    const soak = { folder, url: server.url, options, only: values.only, keep: values.keep && resolve(values.keep) };
    if (values.damage) await damageRounds(soak);
    else await killRounds(soak, Number(values.minutes) * 60_000, Number(values.rounds), random(Number(values.seed)), values.seed);
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
});
