/**
 * How long opening, importing, learning and indexing hold the page's thread, in headless Chromium: the longest task that the browser
 * reports (over 50 ms), the longest time in which nothing else could run, and the most processor time of one task, which tells the same
 * on a machine that is busy. `SIZES` names other numbers of facts than 10000,26000.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch } from "../../scripts/browser.mjs";
import { root } from "../../scripts/project.mjs";
import { serve } from "../../scripts/serve.mjs";
import { HELD_FROM, HELD_UNTIL } from "./support/thread.mjs";
import { summary } from "./support/timing.mjs";
import { trace } from "./support/trace.mjs";

const ISOLATION = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };
const SIZES = (process.env.SIZES || "10000,26000").split(",").map(Number);
const OPENINGS = 5;
/** A task that is longer keeps a page from answering at once. */
const LONGEST = 50;
const KEPT = { storage: "indexeddb", durability: "relaxed" };

export async function measure(packages = ["../../../pkg/"]) {
  const server = await serve(root, 0, ISOLATION);
  const profile = mkdtempSync(join(tmpdir(), "mnemic-thread-"));
  const browser = await launch(profile);
  const onPage = async (of, name, ...values) => {
    const page = await browser.newPage();
    try {
      await page.goto(`${server.url}/benches/web/support/page.html?package=${encodeURIComponent(of)}`);
      await page.waitForFunction(() => globalThis.bench !== undefined);
      const recording = await trace(page);
      const answer = await page.evaluate(([name, values]) => bench[name](...values), [name, values]);
      const processor = mostProcessorTime(await recording.end());
      return answer.longest === undefined ? answer : { ...answer, processor };
    } finally {
      await page.close();
    }
  };
  const rows = [];
  const add = (name, value) => rows.push({ name, value, unit: "ms" });
  const holds = (name, { longest, task, processor }) => {
    rows.push({ name: `${name}: most processor time of a task`, value: processor, unit: "ms", target: LONGEST });
    rows.push({ name: `${name}: longest task, 0 for none over 50`, value: task, unit: "ms", target: LONGEST });
    rows.push({ name: `${name}: longest hold`, value: longest, unit: "ms", target: LONGEST });
  };
  try {
    for (const of of packages) {
      const called = packages.length > 1 ? ` [${of}]` : "";
      for (const count of SIZES) {
        for (const isOwn of [false, true]) {
          const options = { name: `facts-${count}-${isOwn}-${packages.indexOf(of)}`, ...KEPT };
          const expected = await onPage(of, "threadFill", options, count, isOwn);
          const all = [];
          for (let number = 0; number < OPENINGS; number += 1) all.push(await onPage(of, "threadOpen", options, isOwn, expected));
          const median = (part) => summary(all.map(part)).value;
          const name = `open ${count / 1000}k facts with ${isOwn ? "384 dimensions" : "built-in vectors"}${called}`;
          add(name, median(({ answer }) => answer.opened));
          add(`${name}, until the first answer`, median(({ answer }) => answer.recalled));
          holds(name, { longest: median(({ longest }) => longest), task: median(({ task }) => task), processor: median(({ processor }) => processor) });
        }
      }
      const names = process.env.ACTIVITIES === "none" ? [] : await onPage(of, "activities");
      for (const [place, name] of names.entries()) {
        const done = await onPage(of, "thread", { name: `activity-${place}-${packages.indexOf(of)}`, ...KEPT }, name);
        add(`${name}${called}`, done.time);
        holds(`${name}${called}`, done);
      }
    }
    return rows;
  } finally {
    await browser.close();
    await server.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

/** How many milliseconds of the processor the longest task of the page's thread took between the marks. */
function mostProcessorTime(events) {
  const [from, until] = [HELD_FROM, HELD_UNTIL].map((name) => events.find((event) => event.name === name)?.ts);
  const threads = events.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain");
  const isOfPage = ({ pid, tid }) => threads.some((thread) => thread.pid === pid && thread.tid === tid);
  // A task with more processor time than time is one in which the trace itself was written out.
  const counts = (event) => event.tdur <= event.dur && event.ts + event.dur > from && event.ts < until && isOfPage(event);
  return Math.max(0, ...events.filter(counts).map(({ tdur }) => tdur / 1000));
}
