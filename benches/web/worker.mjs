/**
 * How long the tasks of a page are while its memory imports, learns and answers in a worker, and in a shared one, in
 * headless Chromium: the longest task of the page's main thread by its own processor time, from a trace, and the longest time in which
 * nothing else could run by the clock, which other programs lengthen too. `FACTS` names another number of facts than 100000; `MODES` may name `none`, without a worker.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch } from "../../scripts/browser.mjs";
import { root } from "../../scripts/project.mjs";
import { serve } from "../../scripts/serve.mjs";
import { trace } from "./support/trace.mjs";

const ISOLATION = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };
const FACTS = Number(process.env.FACTS || 100_000);
const MODES = (process.env.MODES || "dedicated,shared").split(",");
const WORKERS = { none: false, dedicated: true, shared: "shared" };
/** A frame of a display of 60 Hz. */
const FRAME = 16;
/** Without a worker, a task that is longer keeps a page from answering at once. */
const LONGEST = 50;

export async function measure() {
  const server = await serve(root, 0, ISOLATION);
  const rows = [];
  try {
    for (const mode of MODES) {
      // A profile of its own: its databases reach the disk, and each begins empty.
      const profile = mkdtempSync(join(tmpdir(), "mnemic-worker-"));
      const context = await launch(profile);
      try {
        rows.push(...(await working(context, server.url, mode)));
      } finally {
        await context.close();
        rmSync(profile, { recursive: true, force: true });
      }
    }
    return rows;
  } finally {
    await server.close();
  }
}

async function working(context, url, mode) {
  const page = await context.newPage();
  await page.goto(`${url}/benches/web/support/page.html`);
  await page.waitForFunction(() => globalThis.bench !== undefined);
  const recording = await trace(page);
  const options = { name: "worker", storage: "indexeddb", durability: "relaxed", worker: WORKERS[mode] };
  const answers = await page.evaluate(([options, count]) => bench.working(options, count), [options, FACTS]);
  const tasks = longestTasks(await recording.end());
  const target = mode === "none" ? LONGEST : FRAME;
  return answers.flatMap(({ name, time, longest }) => [
    { name: `${mode}: ${name}`, value: time, unit: "ms" },
    { name: `${mode}: ${name}: longest task`, value: tasks.get(name) ?? 0, unit: "ms", target },
    { name: `${mode}: ${name}: longest hold by the clock`, value: longest, unit: "ms", target },
  ]);
}

/** The longest task of the page's main thread between the marks of each name, in milliseconds of processor time. */
function longestTasks(events) {
  const marks = events.filter(({ name }) => /^(begin|end) /.test(name));
  const longest = new Map();
  const [first] = marks;
  if (first === undefined) throw new Error("the trace has no marks");
  const tasks = events.filter(({ pid, tid, name }) => pid === first.pid && tid === first.tid && name.endsWith("RunTask"));
  for (const begin of marks.filter(({ name }) => name.startsWith("begin "))) {
    const name = begin.name.slice("begin ".length);
    const end = marks.find((mark) => mark.name === `end ${name}`);
    // A task with more processor time than time is one in which the trace itself was written out.
    const mine = tasks.filter(({ ts, dur, tdur }) => ts + dur > begin.ts && ts < end.ts && tdur <= dur);
    if (mine.length === 0) throw new Error(`the trace has no tasks while it should: ${name}`);
    longest.set(name, mine.reduce((longest, { tdur }) => Math.max(longest, tdur), 0) / 1000);
  }
  return longest;
}
