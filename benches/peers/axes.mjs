/** What is measured of whom: each axis answers rows, `{ axis, place, count, subject, variant?, ...figures }`, in which errors stand as text. */
import * as data from "./data.mjs";
import { readEnglish } from "./english.mjs";
import { startBrowser, startProcess } from "./places.mjs";
import { inTurn } from "./rounds.mjs";
import { taking } from "./subjects.mjs";
import { say, seconds } from "../../scripts/log.mjs";

const ROUNDS = 5;
const QUERIES = 40;
/** A subject's turn ends when it took so long. */
const BUDGET = 1200;
const WRITES = 10;
/** An opening that takes longer, in milliseconds, is not repeated. */
const LONG = 4000;
/** Nobody waits longer for an index, nor for its saving or opening; in milliseconds. */
const BUILD_LIMIT = 300_000;
const SAVE_LIMIT = 60_000;

const numbers = Array.from({ length: QUERIES }, (_, number) => number);

/** Runs a step; an error becomes part of the row. */
async function attempt(running, step, given) {
  try {
    return await running.run(step, given);
  } catch (error) {
    say(`  ${error.message.split("\n").slice(0, 3).join(" ")}`);
    return { error: error.message.split("\n")[0] };
  }
}

/** The answer of a step that ends in time, or an error. */
async function inTime(step, limit) {
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, limit, { error: `over ${limit / 60_000} min` });
  });
  try {
    return await Promise.race([step, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Starts and builds those that take part, one after the other. `failed` gets the rows of those that cannot be built. */
async function built(axis, place, count, start, failed) {
  const running = [];
  for (const subject of taking(axis, place, count)) {
    const begun = performance.now();
    const own = await start(subject.id, axis, count);
    const { time, memory, error } = await inTime(attempt(own, "build"), BUILD_LIMIT);
    say(`  ${subject.name}, ${count} ${axis}: ${error ?? `built in ${seconds(begun)}`}`);
    const row = { axis, place, count, subject: subject.name };
    if (error === undefined) running.push({ subject, own, row: { ...row, build: time, memory } });
    else {
      failed.push({ ...row, build: error.startsWith("over") ? error : "fails" });
      await own.close();
    }
  }
  return running;
}

/** Asks all of them in turn by one method, and lays the median time and the quality of the answers over their rows. */
async function asked(running, method, quality, names, kind) {
  const those = running.filter(({ methods }) => methods.includes(method));
  const figures = await inTurn(ROUNDS, those.map(({ own }) => () => own.run("ask", { method, numbers, budget: BUDGET, kind })));
  those.forEach((one, place) => {
    const { time, answers, error } = figures[place];
    one.row[names[0]] = error === undefined ? time : "fails";
    if (error === undefined) one.row[names[1]] = quality(answers);
    else say(`  ${one.row.subject}, ${method}: ${error.split("\n")[0]}`);
  });
}

async function withMethods(running) {
  for (const one of running) one.methods = await one.own.run("methods");
  return running;
}

/** A further row of the same index for each of its other ways to search. */
function variants(running) {
  return running.flatMap((one) =>
    Object.entries(one.subject.vectors?.variants ?? {}).map(([method, variant]) => ({ ...one, method, row: { axis: one.row.axis, place: one.row.place, count: one.row.count, subject: one.row.subject, variant } })),
  );
}

/** The wanted answers of all queries, with the filter and without. */
function exact(count) {
  const queries = numbers.map((number) => data.vectorQuery(number, count));
  function* items(accepts) {
    for (let number = 0; number < count; number += 1) if (accepts(number)) yield data.vectorItem(number, count);
  }
  return { all: data.nearest(queries, items(() => true)), kept: data.nearest(queries, items((number) => data.isKept(number, count))) };
}

/** Searches by vectors at one place: building, asking, asking with a filter; on pages also saving and opening again. */
async function vectorsAt(place, count) {
  const wanted = exact(count);
  const browser = place === "page" ? await startBrowser() : undefined;
  const start = browser?.start ?? startProcess;
  try {
    const failed = [];
    const running = await withMethods(await built("vectors", place, count, start, failed));
    const recall = (of) => (answers) => data.recallOf(answers, of);
    await asked(running, "search", recall(wanted.all), ["search", "recall"]);
    await asked(running, "filtered", recall(wanted.kept), ["filtered", "filteredRecall"]);
    const others = variants(running);
    for (const method of new Set(others.map(({ method }) => method))) {
      await asked(others.filter((one) => one.method === method), method, recall(wanted.all), ["search", "recall"]);
    }
    if (browser !== undefined) await reopened(running, browser, count, recall(wanted.all));
    else for (const { own } of running) await own.close();
    const rows = running.flatMap((one) => [one, ...others.filter(({ own }) => own === one.own)]).map(({ row }) => row);
    return [...rows, ...failed];
  } finally {
    await browser?.close();
  }
}

/** Saves and closes each of them, and opens it on fresh pages in turn. */
async function reopened(running, browser, count, quality) {
  const kept = [];
  for (const one of running) {
    const { vectors } = one.subject;
    if (vectors.open !== undefined) {
      const { time, error } = await inTime(attempt(one.own, "save"), SAVE_LIMIT);
      one.row.save = error === undefined ? time : "fails";
      if (error === undefined) kept.push(one);
    }
    await one.own.close();
  }
  const openings = await inTurn(ROUNDS, kept.map(({ subject }) => async () => {
    const page = await browser.start(subject.id, "vectors", count);
    try {
      const answer = await inTime(page.run("open", { number: 0 }), SAVE_LIMIT);
      if (answer.error !== undefined) throw new Error(answer.error);
      return answer;
    } finally {
      await page.close();
    }
  }), LONG);
  kept.forEach(({ row }, place) => {
    const { time, answers, error } = openings[place];
    row.open = error === undefined ? time : "fails";
    if (error === undefined && quality(answers) < 0.9) row.open = "wrong answer";
    if (error !== undefined) say(`  ${row.subject} could not be opened: ${error.split("\n")[0]}`);
  });
}

/** Searches by words in Node, over sentences that are made or, of a folder, that people wrote. */
async function wordsOf(count, set) {
  const query = set === undefined ? data.wordQuery : readEnglish(set).query;
  const failed = [];
  const running = await withMethods(await built("words", "node", count, (name, axis, size) => startProcess(name, axis, size, set), failed));
  const wanted = numbers.map((number) => query(number, count).answers);
  const hits = (answers) => data.hitsOf(answers, wanted);
  await asked(running, "search", hits, ["search", "hits"]);
  if (set === undefined) await asked(running, "search", hits, ["rare", "rareHits"], "rare");
  for (const { own } of running) await own.close();
  return [...running.map(({ row }) => row), ...failed].map((row) => ({ ...row, isEnglish: set !== undefined }));
}

/** Memories of agents: one query, and one write. */
async function memoriesOf(count) {
  const failed = [];
  const running = await withMethods(await built("memories", "node", count, startProcess, failed));
  const wanted = numbers.map((number) => data.memoryQuery(number, count).answers);
  await asked(running, "search", (answers) => data.hitsOf(answers, wanted), ["search", "hits"]);
  let first = count;
  const writes = await inTurn(ROUNDS, running.map(({ own }) => () => own.run("write", { first: (first += WRITES), times: WRITES })));
  writes.forEach(({ time, error }, place) => (running[place].row.write = error === undefined ? time : "fails"));
  for (const { own } of running) await own.close();
  return [...running.map(({ row }) => row), ...failed];
}

/** The axes by their names; each is given the sizes and the folder of `--data`. */
export const axes = {
  node: { counts: [1_000, 10_000, 100_000], measure: (count) => vectorsAt("node", count) },
  chromium: { counts: [1_000, 10_000, 100_000], measure: (count) => vectorsAt("page", count) },
  words: { counts: [10_000, 100_000], measure: (count) => wordsOf(count), english: (set) => wordsOf(readEnglish(set).count, set) },
  memories: { counts: [1_000, 10_000], measure: memoriesOf },
};
